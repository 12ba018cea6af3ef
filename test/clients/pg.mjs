// pg of npm: parameters in text and in binary, results in text.
import { equal, fails, hours, ids, done, mixed, stored } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';
import { isUlid } from './ulid_text.mjs';
import { add, addMany, between, pageAfter, bytesOf, pool, those } from './message_pg.mjs';

const query = async (text, values) => (await pool.query({ text, values, rowMode: 'array' })).rows;

const id = await add('hello');
equal('a default comes back as text', [typeof id, id.length], ['string', 26]);
equal('a text finds its row', await those([id]), [{ id, body: 'hello' }]);
await query('DELETE FROM message');

const told = await addMany(mixed());
stored('given and generated ids', told.map((id, i) => ({ ...mixed()[i], id })), (await pool.query('SELECT id, body FROM message')).rows);
await query('DELETE FROM message');
equal('many at once', (await addMany([...ids.map(id => ({ id, body: 'x' })), { body: 'new' }])).map(id => id.length), [26, 26, 26, 26]);
await query("DELETE FROM message WHERE body = 'new'");
equal('out as they went in, and null',
  await query('SELECT id, NULL::ulid FROM message ORDER BY id'), ids.map(id => [id, null]));
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('an array comes back', await query('SELECT array_agg(id ORDER BY id) FROM message'), [[ids]]);
equal('range by time', await between(hours(1), hours(2)), [{ id: ids[1], body: 'x' }]);
equal('to the millisecond', await between(hours(1, 1), hours(2, 1)), [{ id: ids[2], body: 'x' }]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
const bytes = await bytesOf(ids[1]);
equal('16 bytes come back', bytes.toString('hex'), '018f343d8c800123456789abcdef0202');
equal('16 bytes, sent in binary, find their row', await query('SELECT id FROM message WHERE id = $1', [bytes]), [[ids[1]]]);

const texts = [...ids, ids[0].toLowerCase(), ids[0].replace('0', 'o'), 'L' + ids[0].slice(1), '7' + 'Z'.repeat(25), '8' + '0'.repeat(25), 'U'.repeat(26), 'Z'.repeat(26),
  ids[0] + '\n', ids[0] + '0', ids[0].slice(1), '', 'no ulid', '01HWT0D7G0-04HMASW9NF6YY081'.slice(0, 26)];
equal('isUlid is as the server', texts.map(isUlid), (await query('SELECT ulid_is_valid(text) AS valid FROM unnest($1::text[]) AS text', [texts])).map(([valid]) => valid));
equal('and refuses what is no text', [null, undefined, 5, [ids[0]], {}].map(isUlid), [false, false, false, false, false]);
const code = text => query('SELECT $1::ulid', [text]).catch(error => error.code);
equal('the SQLSTATEs', [await code('no ulid'), await code('8' + ids[0].slice(1))], ['22P02', '22003']);
await fails('invalid input syntax for type ulid: "no ulid"', () => query('SELECT $1::ulid', ['no ulid']));
process.env.TZ = 'UTC';
await fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000+00:00"',
  () => query('SELECT id FROM message WHERE id >= $1', [hours(1)]));
for (const [message, wrong, right] of [['function date_trunc(unknown, ulid) does not exist', "date_trunc('day', id) IS NULL", "date_trunc('hour', id::timestamptz) = id::timestamptz"],
  ['function pg_notify(unknown, ulid) does not exist', "pg_notify('x', id) IS NULL", "pg_notify('x', id::text) IS NOT NULL"],
  ['operator does not exist: ulid ~~ unknown', "id LIKE '01HWT%'", "id ^@ '01HWT'"]]) {
  await fails(message, () => query(`SELECT FROM message WHERE ${wrong}`));
  equal('with what the page says', (await query(`SELECT id FROM message WHERE ${right} AND id <= $1`, [ids[2]])).length > 0, true);
}
// As in a database that was restored while the program runs.
await query('DROP EXTENSION ulid CASCADE');
await query('CREATE EXTENSION ulid');
const array = () => query("SELECT ARRAY['01HWT0D7G004HMASW9NF6YY081'::ulid, NULL]");
equal('a type with another OID, as the page says', await array(), [['{01HWT0D7G004HMASW9NF6YY081,NULL}']]);
await registerUlidArrays(pool);
equal('registered again', await array(), [[[ids[0], null]]]);
await pool.end();
done();
