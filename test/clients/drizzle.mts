// Drizzle and drizzle-kit.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { message } from './drizzle_schema.js';
import { columns, equal, fails, ids, made, stores, uuids } from './tap.mjs';

const pool = new pg.Pool();
const db = drizzle(pool);

// doc/clients/javascript.md: const time = (date: Date) => sql

const { PGUSER, PGHOST, PGPORT = 5432, PGDATABASE } = process.env;
const url = `postgres://${PGUSER}@${encodeURIComponent(PGHOST!)}:${PGPORT}/${PGDATABASE}`;
const kit = (command: string, schema = 'drizzle_schema.ts', out = 'drizzle') => {
  writeFileSync('drizzle.json', JSON.stringify({ dialect: 'postgresql', schema, out, dbCredentials: { url } }));
  const words = ['node_modules/drizzle-kit/bin.cjs', command, '--config', 'drizzle.json'];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  return { status, text: stdout + stderr };
};
// Of a run on another server
for (const out of ['drizzle', 'moved', 'pulled']) rmSync(out, { recursive: true, force: true });
await db.execute(sql`DROP TABLE message`);
equal('generate', kit('generate').status, 0);
await db.execute(sql`DROP EXTENSION ulid`);
const failed = kit('migrate');
equal('migrate without the extension says nothing',
  [failed.status, failed.text.includes('does not exist')], [1, false]);
const edit = (out: string, from: string | RegExp, to: string) => {
  const file = `${out}/${readdirSync(out).filter(name => name.endsWith('.sql')).sort().pop()}`;
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
};
edit('drizzle', /^(?=CREATE TABLE)/g, 'CREATE EXTENSION IF NOT EXISTS ulid; --> statement-breakpoint\n');
equal('migrate', kit('migrate').status, 0);
equal('the columns', (await db.execute(sql.raw(columns))).rows[0], made);
equal('no difference afterwards', kit('generate').text.includes('No schema changes'), true);
equal('push finds none either', kit('push').text.includes('No changes detected'), true);
kit('pull', undefined, 'pulled');
const pulled = readFileSync('pulled/schema.ts', 'utf8');
await fails("// TODO: failed to parse database type 'ulid'", pulled);
const repaired = "import { ulid } from '../drizzle_schema.js';\n" +
  pulled.replace(/\bunknown\(/g, 'ulid(').replace(/ulid\("mentions"\)(?!\.array)/, '$&.array()');
writeFileSync('pulled/schema.ts', repaired.replace('.primaryKey()', "$&.default(sql`gen_ulid()`)"));
equal('with the default, nothing changes', kit('push', 'pulled/schema.ts').text.includes('No changes detected'), true);
writeFileSync('pulled/schema.ts', repaired);
const dropped = kit('push', 'pulled/schema.ts');
equal('without it, the default is dropped',
  [dropped.status, (await db.execute(sql.raw(columns))).rows[0].default], [0, null]);
await db.execute(sql`ALTER TABLE message ALTER id SET DEFAULT gen_ulid()`);

await stores({ add: rows => db.insert(message).values(rows).returning(),
  clear: () => db.delete(message), one: async id => (await db.select().from(message).where(eq(message.id, id)))[0],
  between, state: 'cause.code' });

// From uuid, and back.
const asUuid = readFileSync('drizzle_schema.ts', 'utf8').replace('pgTable,', '$&uuid, ').replace(/: ulid/g, ': uuid')
  .replace('gen_ulid', 'gen_uuidv7');
writeFileSync('drizzle_uuid.ts', asUuid);
await db.execute(sql`DROP TABLE message`);
const steps = [['drizzle_uuid.ts', 'uuid'], ['drizzle_schema.ts', 'ulid'], ['drizzle_uuid.ts', 'uuid']];
for (const [i, [schema, type]] of steps.entries()) {
  equal(`generate ${type}`, kit('generate', schema, 'moved').status, 0);
  if (type === 'ulid') {
    const wrong = kit('migrate', schema, 'moved');
    equal('migrate says nothing', [wrong.status, wrong.text.includes('undefined')], [1, false]);
    edit('moved', '"undefined"."ulid"', 'ulid');
  }
  equal(`migrate to ${type}`, kit('migrate', schema, 'moved').status, 0);
  if (i === 0) {
    await db.execute(sql`INSERT INTO message (id) VALUES (${uuids[0]})`);
    await db.execute(sql`INSERT INTO message (id, answers, mentions)
      VALUES (${uuids[1]}, ${uuids[0]}, ARRAY[${uuids[0]}::uuid])`);
  }
  const rows = await db.update(message).set({ body: type }).where(eq(message.id, uuids[1])).returning();
  equal(`a running process writes to ${type} columns, and reads them`,
    [rows.length, rows[0].answers], [1, type === 'ulid' ? ids[0] : uuids[0]]);
  equal(`what a ${type} key has`, (await db.execute(sql`
    SELECT pg_typeof(m.id)::text AS id, pg_typeof(m.mentions)::text AS mentions, a.id::uuid AS answers,
      a.id = ANY (m.mentions) AS mentioned, (SELECT count(*)::int FROM pg_constraint WHERE contype = 'f') AS keys,
      (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'message'::regclass) AS default
    FROM message m JOIN message a ON a.id = m.answers`)).rows, [{ id: type, mentions: `${type}[]`,
    answers: uuids[0], mentioned: true,
    keys: 1, default: type === 'ulid' ? 'gen_ulid()' : 'gen_uuidv7()' }]);
}
await pool.end();
