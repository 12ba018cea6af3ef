// Prisma: the client of 7. Its engine for migrations needs a download, so that 6.19's in JavaScript stands in for it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { columns, equal, fails, hours, ids, made, state, uuids } from './tap.mjs';
import { PrismaClient as External } from './external/client.js';
import { PrismaClient as Owned } from './owned/client.js';
import { ulidArrayParser } from './ulid_pg.mjs';

const owned = readFileSync('owned.prisma', 'utf8');
const external = readFileSync('external.prisma', 'utf8');
const config = readFileSync('prisma_config.ts', 'utf8').match(/defineConfig\(\{([^]*)\}\)/)![1];
const migration = `CREATE TABLE message (
  id ulid PRIMARY KEY DEFAULT gen_ulid(), body text, answers ulid REFERENCES message, mentions ulid[])`;

const pool = new pg.Pool();
const sql = async (text: string) => (await pool.query(text)).rows;
const env = { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1',
  PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
  PRISMA_QUERY_ENGINE_LIBRARY: '/bin/true' };
const works = (...words: string[]) => {
  const { status, text } = run(...words);
  equal(words.join(' '), status || '', '');
  if (status) console.log(text.replace(/^/gm, '# '));
  return text;
};
const run = (...words: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['../node_modules/prisma-6/build/index.js', ...words],
    { cwd: 'prisma_project', env, encoding: 'utf8', input: '' });
  return { status, text: stdout + stderr };
};
mkdirSync('prisma_project/prisma/migrations/1_message', { recursive: true });
const project = (models: string, settings = '') => {
  writeFileSync('prisma_project/prisma/schema.prisma',
    models.replace('provider = "postgresql"', '$&\n  url = "postgres://unused"'));
  writeFileSync('prisma_project/prisma.config.mjs', `
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

// That engine does not know some types of the catalogs' columns.
const { addFields } = pg.Result.prototype;
pg.Result.prototype.addFields = function (fields) {
  for (const field of fields) if ([18, 19].includes(field.dataTypeID)) field.dataTypeID = 25;
  return addFields.call(this, fields);
};
export default { schema: 'prisma/schema.prisma', engine: 'js', ${settings || 'experimental: {},'}
  adapter: async () => new PrismaPg({ host: process.env.PGHOST, idleTimeoutMillis: 1 }) };
`.replace('experimental: {', 'experimental: { adapter: true,'));
};
// A schema that Prisma owns: uuid columns. On 18 the engine stops at any NOT NULL column.
await sql('DROP TABLE message');
const [{ newer }] = await sql("SELECT current_setting('server_version_num')::int >= 180000 AS newer");
project(owned);
if (newer) {
  await sql('CREATE TABLE note (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), body text, answers uuid REFERENCES note)');
} else {
  works('db', 'push', '--skip-generate');
  equal('no difference afterwards', works('db', 'push', '--skip-generate').includes('already in sync'), true);
}
{
  const db = new Owned({ adapter: new PrismaPg({ host: process.env.PGHOST }) });

  const find = (id: string) => db.message.findUnique({ where: { id } });

  // doc/clients/javascript.md: const between = (begin: Date, end: Date) => db.$queryRaw

  const { id } = await db.message.create({ data: { body: 'hello' } });
  equal('the id comes back as a UUID', [id.length, (await find(id))?.body], [36, 'hello']);
  await db.message.deleteMany();
  const version7 = uuids.map(id => id.replace('-0123-', '-7123-'));
  await db.message.createMany({ data: version7.map(id => ({ id })) });
  equal('a range of time', (await between(hours(1), hours(2))).map(row => row.id), [version7[1]]);
  await db.message.deleteMany();
  await db.message.createMany({ data: uuids.map(id => ({ id })) });
  await db.message.update({ where: { id: uuids[0] }, data: { answersId: uuids[1] } });
  await sql('ALTER TABLE note ALTER id TYPE ulid, ALTER answers TYPE ulid');
  const read = await db.message.findUniqueOrThrow({ where: { id: uuids[0] },
    include: { answers: { include: { answeredBy: true } } } });
  equal('after the type has changed, it reads ULIDs', [read.id, read.answers?.id, read.answers?.answeredBy[0]?.id],
    [ids[0], ids[1], ids[0]]);
  await db.message.update({ where: { id: uuids[2] }, data: { answersId: read.id } });
  equal('and stores them', await sql('SELECT answers FROM note WHERE answers IS NOT NULL ORDER BY id'),
    [{ answers: ids[1] }, { answers: ids[0] }]);
  await db.$disconnect();
}
await sql('DROP TABLE note');

// Tables that SQL makes: ulid columns.
project(external, config);
writeFileSync('prisma_project/prisma/migrations/migration_lock.toml', 'provider = "postgresql"\n');
writeFileSync('prisma_project/prisma/migrations/1_message/migration.sql', migration);
works('migrate', 'deploy');
equal('the columns', await sql(columns), [made]);
if (!newer) {
  works('db', 'push', '--skip-generate');
  equal('db push does not touch the table', await sql(columns), [made]);
  project(`${external.replace('mentions', 'visits Visit[]\n$&')}
model Visit {
  id        String  @id @db.Uuid
  messageId String
  message   Message @relation(fields: [messageId], references: [id])
}`, config);
  await fails('Key columns "messageId" and "id" are of incompatible types: text and ulid.',
    run('db', 'push', '--skip-generate').text);
  project(external);
  await fails('Unsupported("ulid")', works('db', 'pull', '--print'));
  works('db', 'push', '--skip-generate');
  equal('unnamed, it silently becomes text', (await sql(columns))[0].types, 'text text text text[]');
  await sql(`ALTER TABLE message DROP CONSTRAINT message_answers_fkey, ALTER id TYPE ulid USING id::ulid,
    ALTER answers TYPE ulid USING answers::ulid, ALTER mentions TYPE ulid[] USING mentions::ulid[],
    ADD FOREIGN KEY (answers) REFERENCES message`);
}
{
  const plain = new External({ adapter: new PrismaPg({ host: process.env.PGHOST }) });
  await fails('e.map is not a function', () => plain.message.create({ data: { mentions: ids } }));
  await plain.$disconnect();
  await sql('DELETE FROM message');
  const options = { disposeExternalPool: true, userDefinedTypeParser: await ulidArrayParser(pool) };
  const db = new External({ adapter: new PrismaPg(pool, options) });
  const between = (begin: Date, end: Date) => db.$queryRaw<{ id: string; body: string | null }[]>`
    SELECT id, body FROM message
    WHERE id >= ${begin.toISOString()}::timestamptz AND id < ${end.toISOString()}::timestamptz`;

  const { id } = await db.message.create({ data: { body: 'hello' } });
  equal('the id comes back as a ULID',
    [id.length, (await db.message.findUnique({ where: { id } }))?.body], [26, 'hello']);
  await db.message.deleteMany();
  await db.message.createMany({ data: ids.map(id => ({ id, mentions: ids })) });
  equal('a range of time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
  equal('a Date as a parameter is read in another zone',
    await db.$queryRaw`SELECT id FROM message WHERE id >= ${hours(1)}::timestamptz AND id < ${hours(2)}::timestamptz`,
      []);
  const [time] = await db.$queryRaw<{ zone: Date; utc: Date }[]>`
    SELECT id::timestamptz AS zone, id::timestamptz AT TIME ZONE 'UTC' AS utc FROM message ORDER BY id LIMIT 1`;
  equal('a timestamptz is read in another zone, a timestamp in UTC', [time.zone, time.utc], [hours(9), hours(0)]);
  equal('gt, and an array',
    (await db.message.findMany({ where: { id: { gt: ids[1] } } })).map(row => row.mentions), [ids]);
  const lower = await Promise.all(ids.slice(1).map(id => db.message.findUnique({ where: { id: id.toLowerCase() } })));
  equal('two lookups at once, in lower case', lower, [null, null]);
  await state('meta.driverAdapterError.cause.originalCode', id => db.message.findUnique({ where: { id } }));
  await fails('invalid input syntax for type ulid: "not an id"',
    () => db.message.findUnique({ where: { id: 'not an id' } }));
  await db.$disconnect();
}
