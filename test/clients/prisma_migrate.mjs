// Prisma's migrations, by the page of message_prisma.mjs. The engine of 6.19 in JavaScript is the one that runs without a download.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { done, equal, ids, made, columns, pages, restored } from './tap.mjs';

const client = new pg.Client();
await client.connect();
const sql = async text => (await client.query(text)).rows;
const env = { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_QUERY_ENGINE_LIBRARY: '/bin/true' };
const run = (version, directory, ...words) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [`../node_modules/${version}/build/index.js`, ...words],
    { cwd: directory, env, encoding: 'utf8', input: '' });
  return { status, stdout, text: stdout + stderr };
};
const quotes = (text, ...messages) => {
  for (const message of messages) equal(`says, as the page does: ${message}`, [text.includes(message) || text, pages.includes(message)], [true, true]);
};

// A project of Prisma's own generator, in which a second configuration is not read.
mkdirSync('prisma_made');
equal('prisma init', run('prisma', 'prisma_made', 'init', '--no-skills', '--datasource-provider', 'postgresql').status, 0);
const configuration = readFileSync('prisma_made/prisma7.config.ts', 'utf8');
const lines = text => text.match(/^(?:import| +schema:).*$/gm);
equal('the page\'s configuration has the imports and the schema of the one made', lines(readFileSync('prisma7.config.ts', 'utf8')), lines(configuration));
writeFileSync('prisma_made/prisma.config.mjs', 'export default { schema: "nowhere" };\n');
for (const name of ['prisma7.config.ts', 'prisma.config.ts']) {
  quotes(run('prisma', 'prisma_made', 'generate').text, name);
  if (name === 'prisma7.config.ts') renameSync(`prisma_made/${name}`, 'prisma_made/prisma.config.ts');
}

mkdirSync('prisma_project/prisma', { recursive: true });
const schema = readFileSync('schema.prisma', 'utf8');
const configure = (external, text = schema) => {
  writeFileSync('prisma_project/prisma/schema.prisma', text.replace('provider = "postgresql"', '$&\n  url = "postgres://unused"'));
  writeFileSync('prisma_project/prisma.config.mjs', `
import page from '../prisma7.config.ts';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

// That engine does not know some types of the catalog's columns. migrate dev, which it does not bear either, is not here.
const { addFields } = pg.Result.prototype;
pg.Result.prototype.addFields = function (fields) {
  for (const field of fields) if ([18, 19].includes(field.dataTypeID)) field.dataTypeID = 25;
  return addFields.call(this, fields);
};
const { schema, tables, migrations } = page;
export default {
  schema, migrations, engine: 'js', experimental: { adapter: true, externalTables: true }, ${external ? 'tables,' : ''}
  adapter: async () => new PrismaPg({ host: process.env.PGHOST, idleTimeoutMillis: 1 }),
};
`);
};
const prisma = (...words) => run('prisma-6', 'prisma_project', ...words);
const works = (name, ...words) => {
  const { status, stdout, text } = prisma(...words);
  equal(name, status, 0);
  if (status) console.log(text.replace(/^/gm, '# '));
  return stdout;
};
const turned = async () => (await sql(readFileSync('prisma_check.sql', 'utf8'))).map(({ table, column }) => `${table}.${column}`);

// The page, from its beginning.
await sql('DROP TABLE message');
await sql('DROP EXTENSION ulid');
// The engine stops at the constraints that NOT NULL makes from PostgreSQL 18 on, of any table.
configure(false);
await sql('CREATE TABLE plain (id int PRIMARY KEY)');
const [{ newer }] = await sql("SELECT current_setting('server_version_num')::int >= 180000 AS newer");
const stops = prisma('db', 'pull', '--print').text.includes('RuntimeError: unreachable');
equal('the engine stops at any table of PostgreSQL 18, as the page says, and at none before', stops, newer);
await sql('DROP TABLE plain');
configure(true);
mkdirSync('prisma_project/prisma/migrations/1_message', { recursive: true });
writeFileSync('prisma_project/prisma/migrations/migration_lock.toml', 'provider = "postgresql"\n');
writeFileSync('prisma_project/prisma/migrations/1_message/migration.sql', readFileSync('prisma_message.sql'));
works('migrate deploy', 'migrate', 'deploy');
equal('the table', await sql(columns), [made]);
await sql(`INSERT INTO message VALUES ('${ids[0]}')`);
for (const words of [['migrate', 'deploy'], ...newer ? [] : [['db', 'push', '--skip-generate']]]) {
  works(`${words.join(' ')} again`, ...words);
  equal('finds nothing to do', await sql(columns), [made]);
}
const deploy = "cd prisma_project && node ../node_modules/prisma-6/build/index.js migrate deploy >&2; psql -XAtc 'SELECT id FROM message'";
Object.assign(process.env, env);
equal('restored by pg_dump, it finds nothing to do', restored('pg_dump $FROM | psql -q -v ON_ERROR_STOP=1', deploy), `same\n${ids[0]}\n`);
equal('restored by migrate deploy', restored(deploy), 'same\n');
if (newer) {
  done();
  process.exit();
}
const managed = schema + '\nmodel Other {\n  id Int @id\n}\n';
configure(true, managed);
works('another table, of Prisma alone', 'db', 'push', '--skip-generate');
equal('is made', await sql('SELECT to_regclass(\'"Other"\') IS NOT NULL AS made'), [{ made: true }]);
const reply = managed.replace('  mentions', '  replies Reply[]\n  mentions')
  + 'model Reply {\n  id Int @id\n  messageId String\n  message Message @relation(fields: [messageId], references: [id])\n}\n';
configure(true, reply);
const refers = prisma('db', 'push', '--skip-generate');
quotes(refers.text, 'foreign key constraint "Reply_messageId_fkey" cannot be implemented');
await sql('DROP TABLE "Reply"');
equal('the page\'s table is as it was', [await sql(columns), await sql('SELECT id FROM message'), await turned()], [[made], [{ id: ids[0] }], []]);

// What never to run.
configure(false, managed);
const pulled = works('db pull', 'db', 'pull', '--print');
quotes(pulled, 'Unsupported("ulid")');
writeFileSync('prisma_project/pulled.prisma', pulled.slice(pulled.indexOf('generator client')));
quotes(prisma('generate', '--schema', 'pulled.prisma').text, 'Each model must have at least one unique criteria that has only required fields.');
const refused = prisma('db', 'push', '--skip-generate');
quotes(refused.text, 'The data in that column will be cast from');
equal('db push over rows stops', [refused.status, await sql(columns)], [1, [made]]);
await sql('DELETE FROM message');
works('db push over none', 'db', 'push', '--skip-generate');
equal('turns the columns into text, without a word', [(await sql(columns))[0].types, await turned()], ['text text text text[]', ['message.id']]);
await sql(pages.match(/ALTER TABLE message DROP CONSTRAINT[^`]*/)[0]);
equal('and back', [await sql(columns), await turned()], [[made], []]);
await client.end();
done();
