// pg, the driver that most of the others use.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { registerUlidArrays } from 'pgulid/pg';
import { administrate, makeDatabase, nameOf } from './server.mts';
import { fails, finds, hours, ids } from './shared.mts';

after(() => pool.end());
await makeDatabase('pg');

const pool = new pg.Pool({ onConnect: registerUlidArrays });

const between = (begin: Date, end: Date) => pool.query(
  'SELECT id FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz', [begin, end]);

const find = (id: string) => pool.query('SELECT * FROM message WHERE id = $1', [id]);

const query = async (text: string, values?: unknown[], on = pool) =>
  (await on.query({ text, values, rowMode: 'array' })).rows;

test('the default comes back', async () => {
  const { rows: [{ id }] } = await pool.query('INSERT INTO message (body) VALUES ($1) RETURNING id', ['hello']);
  assert.deepEqual([typeof id, id.length], ['string', 26]);
  assert.deepEqual((await find(id.toLowerCase())).rows, [{ id, body: 'hello' }]);
});
test('a list', async () => {
  await query('DELETE FROM message');
  for (const id of ids) await query('INSERT INTO message (id) VALUES ($1)', [id]);
  assert.deepEqual(await query('SELECT id FROM message WHERE id = ANY($1)', [ids.slice(1)]), ids.slice(1).map(id => [id]));
});
finds({ one: find, between: async (begin, end) => (await between(begin, end)).rows, state: 'code' });
test('a range of times of uuids', async () => {
  assert.deepEqual(await query(`SELECT count(*)::int FROM unnest(ARRAY[gen_uuidv7($1), gen_uuidv7()]) id
    WHERE id >= uuidv7_min($2)`, [hours(0), hours(1)]), [[1]]);
});
test('arrays', async () => {
  assert.deepEqual(await query('SELECT array_agg(id ORDER BY id), NULL::ulid, NULL::ulid[] FROM message'),
    [[ids, null, null]]);
  assert.deepEqual(await query(`SELECT '{{${ids[0]},NULL},{NULL,${ids[1]}}}'::ulid[]`),
    [[[[ids[0], null], [null, ids[1]]]]]);
  assert.deepEqual(await query('SELECT $1::ulid[]', [[null, ids[0]]]), [[[null, ids[0]]]]);
});
test('in clients that are not registered an array is text', async t => {
  const plain = new pg.Pool();
  t.after(() => plain.end());
  assert.deepEqual(await query('SELECT array_agg(id ORDER BY id) FROM message', [], plain), [[`{${ids}}`]]);
});
test('a pool with registerUlidArrays creates the extension; a client that connects later reads arrays', async () => {
  const database = nameOf('later');
  await administrate('postgres', `DROP DATABASE IF EXISTS ${database}`, `CREATE DATABASE ${database}`);
  const later = new pg.Pool({ database, onConnect: registerUlidArrays, min: 0, max: 1, maxUses: 2 });
  await later.query('CREATE EXTENSION ulid');
  assert.deepEqual(await query('SELECT ARRAY[$1::ulid]', [ids[0]], later), [[`{${ids[0]}}`]]);
  assert.deepEqual(await query('SELECT ARRAY[$1::ulid]', [ids[0]], later), [[[ids[0]]]]);
  await later.end();
  await administrate('postgres', `DROP DATABASE ${database}`);
});
test('the SQLSTATE of a %00', async () => {
  assert.equal(await query('SELECT $1::ulid', ['a\0b']).catch(error => error.code), '22021');
});
test('a time needs a cast', () => {
  process.env.TZ = 'UTC';
  return fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000+00:00"',
    () => query('SELECT id FROM message WHERE id >= $1', [hours(1)]));
});
test('a prefix', async () => {
  await fails('operator does not exist: ulid ~~ unknown', () => query("SELECT FROM message WHERE id LIKE '01HW%'"));
  assert.deepEqual(await query("SELECT id FROM message WHERE id ^@ '01HWT0'"), [[ids[0]]]);
});
