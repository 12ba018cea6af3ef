// pg-promise.
import { equal, fails, hours, ids, done } from './tap.mjs';
import { add, addMany, between, pageAfter, db, pgp, those } from './message_pg_promise.mjs';

const id = await add('hello');
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
equal('lookup by the id', await those([id]), [{ id, body: 'hello' }]);
await db.none('DELETE FROM message');
await addMany(ids.map(id => ({ id, body: 'x' })));
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('any of many, by IN', (await db.any('SELECT id FROM message WHERE id IN ($1:csv)', [[ids[0], ids[2]]])).length, 2);
equal('range by time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
equal('an array comes back, and null', await db.one('SELECT array_agg(id ORDER BY id) AS ids, NULL::ulid AS none FROM message'),
  { ids, none: null });
await fails('invalid input syntax for type ulid: "no ulid"', () => those(['no ulid']));
await fails('operator does not exist: ulid = text', () => db.any('SELECT FROM message WHERE id = ANY($1)', [ids]));
await fails("Property 'id' doesn't exist.", async () => addMany([{ body: 'x' }]));
await fails('null value in column "id" of relation "message" violates not-null constraint', () => addMany([{ id: null, body: 'x' }]));
const bodies = new pgp.helpers.ColumnSet(['body'], { table: 'message' });
equal('rows without ids', (await db.any(pgp.helpers.insert([{ body: 'x' }, { body: 'y' }], bodies) + ' RETURNING id')).length, 2);
process.env.TZ = 'UTC';
await fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000+00:00"',
  () => db.any('SELECT FROM message WHERE id >= $1', [hours(1)]));
pgp.end();
done();
