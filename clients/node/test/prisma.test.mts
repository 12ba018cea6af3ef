// Prisma: the client of 7. Its engine for migrations needs a download, so that 6.19's in JavaScript stands in for it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { ulidArrayParser } from 'pgulid/prisma';
import { PrismaClient as External } from './prisma/made/external/client.ts';
import { PrismaClient as Owned } from './prisma/made/owned/client.ts';
import { makeDatabase, PGHOST } from './server.mts';
import { columns, fails, hours, ids, made, state, uuids } from './shared.mts';

after(() => Promise.all([pool.end(), db.$disconnect()]));
await makeDatabase('prisma');
const pool = new pg.Pool();
const sql = async (text: string) => (await pool.query(text)).rows;

const folder = new URL('prisma/', import.meta.url).pathname;
const owned = readFileSync(`${folder}owned.prisma`, 'utf8');
const external = readFileSync(`${folder}external.prisma`, 'utf8');
const config = readFileSync(`${folder}prisma.config.ts`, 'utf8').match(/defineConfig\(\{([^]*)\}\)/)![1];
const migration = `CREATE TABLE message (
  id ulid PRIMARY KEY DEFAULT gen_ulid(), body text, answers ulid REFERENCES message, mentions ulid[])`;

const cwd = mkdtempSync(`${folder}made/`);
after(() => rmSync(cwd, { recursive: true }));
const env = { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1',
  PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_QUERY_ENGINE_LIBRARY: '/bin/true' };
const run = (...words: string[]) => {
  const program = new URL('../node_modules/prisma-6/build/index.js', import.meta.url).pathname;
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...words],
    { cwd, env, encoding: 'utf8', input: '' });
  return { status, text: stdout + stderr };
};
const works = (...words: string[]) => {
  const { status, text } = run(...words);
  assert.equal(status, 0, text);
  return text;
};
mkdirSync(`${cwd}/prisma/migrations/1_message`, { recursive: true });
const project = (models: string, settings = '') => {
  writeFileSync(`${cwd}/prisma/schema.prisma`,
    models.replace('provider = "postgresql"', '$&\n  url = "postgres://unused"'));
  writeFileSync(`${cwd}/prisma.config.mjs`, `
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

// That engine does not know some types of the catalogs' columns.
const { addFields } = pg.Result.prototype;
pg.Result.prototype.addFields = function (fields) {
  for (const field of fields) if ([18, 19].includes(field.dataTypeID)) field.dataTypeID = 25;
  return addFields.call(this, fields);
};
// Its timers of up to a minute would keep it running.
const { setTimeout } = globalThis;
globalThis.setTimeout = (...words) => setTimeout(...words).unref();
export default { schema: 'prisma/schema.prisma', engine: 'js', ${settings || 'experimental: {},'}
  adapter: async () => new PrismaPg({ host: process.env.PGHOST, idleTimeoutMillis: 1 }) };
`.replace('experimental: {', 'experimental: { adapter: true,'));
};
// On 18 that engine stops at any NOT NULL column.
const [{ newer }] = await sql("SELECT current_setting('server_version_num')::int >= 180000 AS newer");

test('a schema that Prisma owns: uuid columns', async t => {
  await sql('DROP TABLE message');
  project(owned);
  if (newer) {
    await sql('CREATE TABLE note (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), body text, answers uuid REFERENCES note)');
  } else {
    works('db', 'push', '--skip-generate');
    assert.ok(works('db', 'push', '--skip-generate').includes('already in sync'), 'no difference afterwards');
  }
  const db = new Owned({ adapter: new PrismaPg({ host: PGHOST }) });
  const find = (id: string) => db.message.findUnique({ where: { id } });

  const between = (begin: Date, end: Date) => db.$queryRaw<{ id: string; body: string | null }[]>`
    SELECT id, body FROM note
    WHERE id >= uuidv7_min(${begin.toISOString()}::timestamptz)
      AND id < uuidv7_min(${end.toISOString()}::timestamptz)`;

  await t.test('the id comes back as a UUID', async () => {
    const { id } = await db.message.create({ data: { body: 'hello' } });
    assert.deepEqual([id.length, (await find(id))?.body], [36, 'hello']);
  });
  await t.test('a range of time', async () => {
    await db.message.deleteMany();
    const version7 = uuids.map(id => id.replace('-0123-', '-7123-'));
    await db.message.createMany({ data: version7.map(id => ({ id })) });
    assert.deepEqual((await between(hours(1), hours(2))).map(row => row.id), [version7[1]]);
  });
  await t.test('after the type has changed, it reads and stores ULIDs', async () => {
    await db.message.deleteMany();
    await db.message.createMany({ data: uuids.map(id => ({ id })) });
    await db.message.update({ where: { id: uuids[0] }, data: { answersId: uuids[1] } });
    await sql('ALTER TABLE note ALTER id TYPE ulid, ALTER answers TYPE ulid');
    const read = await db.message.findUniqueOrThrow({ where: { id: uuids[0] },
      include: { answers: { include: { answeredBy: true } } } });
    assert.deepEqual([read.id, read.answers?.id, read.answers?.answeredBy[0]?.id], [ids[0], ids[1], ids[0]]);
    await db.message.update({ where: { id: uuids[2] }, data: { answersId: read.id } });
    assert.deepEqual(await sql('SELECT answers FROM note WHERE answers IS NOT NULL ORDER BY id'),
      [{ answers: ids[1] }, { answers: ids[0] }]);
  });
  await db.$disconnect();
  await sql('DROP TABLE note');
});

test('tables that SQL makes: ulid columns', async () => {
  project(external, config);
  writeFileSync(`${cwd}/prisma/migrations/migration_lock.toml`, 'provider = "postgresql"\n');
  writeFileSync(`${cwd}/prisma/migrations/1_message/migration.sql`, migration);
  works('migrate', 'deploy');
  assert.deepEqual(await sql(columns), [made]);
});
test('what db push and db pull do with them', { skip: newer && 'on 18' }, async () => {
  works('db', 'push', '--skip-generate');
  assert.deepEqual(await sql(columns), [made], 'db push does not touch the table');
  project(`${external.replace('mentions', 'visits Visit[]\n$&')}
model Visit {
  id        String  @id @db.Uuid
  messageId String
  message   Message @relation(fields: [messageId], references: [id])
}`, config);
  const { text } = run('db', 'push', '--skip-generate');
  assert.ok(text.includes('Key columns "messageId" and "id" are of incompatible types: text and ulid.'), text);
  project(external);
  assert.ok(works('db', 'pull', '--print').includes('Unsupported("ulid")'));
  works('db', 'push', '--skip-generate');
  assert.equal((await sql(columns))[0].types, 'text text text text[]', 'unnamed, it silently becomes text');
  await sql(`ALTER TABLE message DROP CONSTRAINT message_answers_fkey, ALTER id TYPE ulid USING id::ulid,
    ALTER answers TYPE ulid USING answers::ulid, ALTER mentions TYPE ulid[] USING mentions::ulid[],
    ADD FOREIGN KEY (answers) REFERENCES message`);
});

const db = new External({ adapter: new PrismaPg({ host: PGHOST, max: 1 },
  { userDefinedTypeParser: ulidArrayParser() }) });
const between = (begin: Date, end: Date) => db.$queryRaw<{ id: string; body: string | null }[]>`
  SELECT id, body FROM message
  WHERE id >= ${begin.toISOString()}::timestamptz AND id < ${end.toISOString()}::timestamptz`;

test('without the parser', async () => {
  const plain = new External({ adapter: new PrismaPg({ host: PGHOST }) });
  await fails('e.map is not a function', () => plain.message.create({ data: { mentions: ids } }));
  await plain.$disconnect();
  await sql('DELETE FROM message');
});
test('the default comes back', async () => {
  const { id } = await db.message.create({ data: { body: 'hello' } });
  assert.deepEqual([id.length, (await db.message.findUnique({ where: { id } }))?.body], [26, 'hello']);
});
test('arrays, first in a transaction on the only connection', async () => {
  await db.message.deleteMany();
  const rows = await db.$transaction(async db => {
    await db.message.createMany({ data: ids.map(id => ({ id, mentions: ids })) });
    return db.message.findMany({ where: { id: { gt: ids[1] } } });
  });
  assert.deepEqual(rows.map(row => row.mentions), [ids]);
  assert.deepEqual(await db.$queryRaw`SELECT ARRAY[]::ulid[] AS none, NULL::ulid[] AS nothing`,
    [{ none: [], nothing: null }]);
  assert.deepEqual(await db.$queryRaw`SELECT ARRAY[NULL, ${ids[0]}::ulid] AS ids`, [{ ids: [null, ids[0]] }]);
});
test('it asks for the type until it has it, and leaves others alone', async () => {
  const answers = [null, '4711'], parser = ulidArrayParser();
  const adapter = { queryRaw: async () => ({ rows: [[answers.shift()]] }) } as any;
  const texts = ['(a,{})', '{A,NULL}', '{A,NULL}', '{A}', '{B}'], types = [4711, 4711, 4711, 5, 4711];
  const read = [];
  for (const [i, text] of texts.entries()) read.push(await parser(types[i], text, adapter));
  assert.deepEqual(read, ['(a,{})', '{A,NULL}', ['A', null], '{A}', ['B']]);
});
test('a range of time', async () => {
  assert.deepEqual((await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
});
test('a Date as a parameter is read in another zone', async () => {
  assert.deepEqual(
    await db.$queryRaw`SELECT id FROM message
      WHERE id >= ${hours(1)}::timestamptz AND id < ${hours(2)}::timestamptz`, []);
});
test('a timestamptz is read in another zone, a timestamp in UTC', async () => {
  const [time] = await db.$queryRaw<{ zone: Date; utc: Date }[]>`
    SELECT id::timestamptz AS zone, id::timestamptz AT TIME ZONE 'UTC' AS utc FROM message ORDER BY id LIMIT 1`;
  assert.deepEqual([time.zone, time.utc], [hours(9), hours(0)]);
});
test('two lookups at once, in lower case', async () => {
  const lower = await Promise.all(ids.slice(1).map(id => db.message.findUnique({ where: { id: id.toLowerCase() } })));
  assert.deepEqual(lower, [null, null]);
});
state('meta.driverAdapterError.cause.originalCode', id => db.message.findUnique({ where: { id } }));
