// kysely-codegen and PostGraphile, over the table of message_kysely.mjs.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import postgraphile from 'postgraphile';
import { db, up } from './message_kysely.mjs';
import { done, equal, ids } from './tap.mjs';
import { ulidIsUuid } from './ulid_is_uuid.mjs';
import { toUuid } from './uuid_or_ulid.mjs';

const tools = readFileSync(`${process.env.PAGES}/tools.md`, 'utf8');
const pool = new pg.Pool();
await pool.query('DROP TABLE message');
await up(db);
await db.destroy();

const { PGUSER, PGDATABASE, PGHOST, PGPORT = 5432 } = process.env;
const { stdout } = spawnSync(process.execPath, ['node_modules/kysely-codegen/dist/cli/bin.js', '--dialect', 'postgres', '--print',
  '--url', `postgres://${PGUSER}@localhost/${PGDATABASE}?host=${PGHOST}&port=${PGPORT}`], { encoding: 'utf8' });
equal('kysely-codegen', stdout.match(/^export interface Message .*?^}/ms)?.[0], tools.match(/^export interface Message .*?^}/ms)[0]);

const { graphql } = createRequire(import.meta.resolve('postgraphile').replace('file://', ''))('graphql');
await pool.query('INSERT INTO message (id, mentions) SELECT id, $1 FROM unnest($1::ulid[]) AS id WHERE id IS NOT NULL', [[...ids, null]]);
let schema = await postgraphile.createPostGraphileSchema(pool, ['public']);
const pgClient = await pool.connect();
const ask = async (source, variableValues) => {
  const { data, errors } = await graphql(schema, source, null, { pgClient }, variableValues);
  return errors ? errors[0].message : JSON.parse(JSON.stringify(data));
};
equal('PostGraphile: by the id, with an array', await ask('query ($id: String!) { messageById(id: $id) { id mentions } }', { id: ids[0].toLowerCase() }),
  { messageById: { id: ids[0], mentions: [...ids, null] } });
const first = await ask('{ allMessages(first: 1) { nodes { id } pageInfo { endCursor } } }');
equal('PostGraphile: a page', first.allMessages.nodes, [{ id: ids[0] }]);
equal('PostGraphile: a page after a cursor', await ask('query ($after: Cursor) { allMessages(first: 1, after: $after) { nodes { id } } }',
  { after: first.allMessages.pageInfo.endCursor }), { allMessages: { nodes: [{ id: ids[1] }] } });
await pgClient.query('BEGIN'); // as its server does
const made = await ask('mutation ($ids: [String]) { createMessage(input: { message: { mentions: $ids } }) { message { id mentions } } }', { ids: [ids[0], null] });
equal('PostGraphile: an id comes back, and an array', made.createMessage ? [made.createMessage.message.id.length, made.createMessage.message.mentions] : made, [26, [ids[0], null]]);
await pgClient.query('COMMIT');
const quoted = 'invalid input syntax for type ulid: "no ulid"';
equal('PostGraphile: no ULID', [await ask('{ messageById(id: "no ulid") { id } }'), tools.includes(quoted)], [quoted, true]);
const byUuid = () => ask('query ($id: UUID!) { messageById(id: $id) { __typename } }', { id: toUuid(ids[0]) });
equal('PostGraphile: a query that says UUID', [await byUuid(), tools.includes('Unknown type "UUID".')], ['Unknown type "UUID". Did you mean "ID"?', true]);
schema = await postgraphile.createPostGraphileSchema(pool, ['public'], { appendPlugins: [ulidIsUuid] });
equal('PostGraphile: and with the plugin', await byUuid(), { messageById: { __typename: 'Message' } });
await pool.query('ALTER TABLE message ADD other uuid'); // with which the type is there
schema = await postgraphile.createPostGraphileSchema(pool, ['public']);
const another = 'Variable "$id" of type "UUID!" used in position expecting type "String!".';
equal('PostGraphile: a query that says UUID, beside one', [await byUuid(), tools.includes(another)], [another, true]);
pgClient.release();
await pool.end();
done();
