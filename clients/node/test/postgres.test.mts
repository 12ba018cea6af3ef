// postgres (Postgres.js).
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import postgres from 'postgres';
import { makeDatabase, PGHOST } from './server.mts';
import { fails, finds, ids } from './shared.mts';

after(() => sql.end());
await makeDatabase('postgres');
const sql = postgres({ host: PGHOST });

const add = (body: string) => sql`INSERT INTO message (body) VALUES (${body}) RETURNING id`;
const between = (begin: Date, end: Date) => // Dates
  sql`SELECT id FROM message WHERE id >= ${begin} AND id < ${end}`;

test('the default comes back', async () => {
  const [{ id }] = await add('hello');
  assert.deepEqual([typeof id, id.length], ['string', 26]);
  assert.deepEqual([...await sql`SELECT body FROM message WHERE id = ${id}`], [{ body: 'hello' }]);
});
test('an insert takes its columns from the first row', async () => {
  await sql`DELETE FROM message`;
  await sql`INSERT INTO message ${sql([{ body: 'a' }, { id: ids[0], body: 'b' }])}`;
  assert.deepEqual([...await sql`SELECT FROM message WHERE id = ${ids[0]}`], []);
});
test('arrays', async () => {
  await sql`DELETE FROM message`;
  await sql`INSERT INTO message ${sql(ids.map(id => ({ id })))}`;
  const [row] = await sql`SELECT array_agg(id ORDER BY id) AS ids FROM message WHERE id = ANY(${ids})`;
  assert.deepEqual(row.ids, ids);
  await fails('operator does not exist: ulid = text',
    async () => sql`SELECT FROM message WHERE id = ANY(${ids}::text[])`);
});
test('NULL in an array is a string, also in a uuid[]', async () => {
  const [row] = await sql`SELECT ARRAY[NULL, ${ids[0]}::ulid] AS ids, ARRAY[NULL::uuid] AS uuids`;
  assert.deepEqual(row, { ids: ['NULL', ids[0]], uuids: ['NULL'] });
});
finds({ one: id => sql`SELECT ${id}::ulid`, between, state: 'code' });
