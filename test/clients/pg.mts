// pg, the driver that most of the others use.
import pg from 'pg';
import { equal, fails, finds, hours, ids, reads } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

// doc/clients/javascript.md: const pool

const query = async (text: string, values?: unknown[]) => (await pool.query({ text, values, rowMode: 'array' })).rows;
const id = await add('hello');
equal('the default comes back as a string', [typeof id, id.length], ['string', 26]);
equal('find', (await find(id.toLowerCase())).rows, [{ id, body: 'hello' }]);
await query('DELETE FROM message');
for (const id of ids) await query('INSERT INTO message (id) VALUES ($1)', [id]);
const rows = async (result: Promise<pg.QueryResult>) => (await result).rows;
await finds({ one: find, between: (begin, end) => rows(between(begin, end)), state: 'code' });
equal('a list', await rows(findAll(ids.slice(1))), ids.slice(1).map(id => ({ id })));
await reads('pg', async text => (await query('SELECT $1::ulid', [text]))[0][0]);
const array = 'SELECT array_agg(id ORDER BY id), NULL::ulid FROM message';
const registered = new pg.Pool({ onConnect: registerUlidArrays });
equal('a registered array, and NULL', (await registered.query({ text: array, rowMode: 'array' })).rows, [[ids, null]]);
await registered.end();
equal('in clients that are not registered it is text', (await query(array))[0][0], `{${ids}}`);
const code = (text: string) => query('SELECT $1::ulid', [text]).catch(error => error.code);
equal('the SQLSTATE of a %00', await code('a\0b'), '22021');
process.env.TZ = 'UTC';
await fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000+00:00"',
  () => query('SELECT id FROM message WHERE id >= $1', [hours(1)]));
await fails('operator does not exist: ulid ~~ unknown', () => query("SELECT FROM message WHERE id LIKE '01HW%'"));
equal('a prefix', await query("SELECT id FROM message WHERE id ^@ '01HWT0'"), [[ids[0]]]);
await pool.end();
