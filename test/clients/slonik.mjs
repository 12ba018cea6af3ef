// slonik.
import { sql } from 'slonik';
import { equal, fails, hours, ids, done } from './tap.mjs';
import { add, addMany, between, pageAfter, pool, those } from './message_slonik.mjs';

const id = await add('hello');
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
equal('lookup by the id', (await those([id])).map(row => row.body), ['hello']);
await pool.query(sql.unsafe`DELETE FROM message`);
await addMany(ids.map(id => [id, 'x']));
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('range by time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
equal('an array comes back, and null', { ...await pool.one(sql.unsafe`SELECT array_agg(id ORDER BY id) AS ids, NULL::ulid AS none FROM message`) },
  { ids, none: null });
equal('an array with nothing, and with null', { ...await pool.one(sql.unsafe`SELECT ARRAY[]::ulid[] AS empty, ARRAY[NULL]::ulid[] AS nulls`) },
  { empty: [], nulls: [null] });
await fails('invalid input syntax for type ulid: "no ulid"', () => those(['no ulid']));
await fails('Unexpected value expression.', async () => pool.any(sql.unsafe`SELECT FROM message WHERE id >= ${hours(1)}`));
await fails('Unexpected value expression.', async () => pool.any(sql.unsafe`SELECT FROM message WHERE id = ANY(${ids})`));
await fails('operator does not exist: ulid = text', () => pool.any(sql.unsafe`SELECT FROM message WHERE id = ANY(${sql.array(ids, 'text')})`));
await fails('Query violates a not NULL integrity constraint.', () => addMany([['01HWT78YR004HMASW9NF6YY0R4', 'x'], [null, 'x']]));
await pool.end();
done();
