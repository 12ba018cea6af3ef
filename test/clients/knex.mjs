// Knex.
import { columns, equal, fails, made, hours, ids, done, mixed, stored } from './tap.mjs';
import { add, between, pageAfter, db, down, those, up } from './message_knex.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

await db.schema.dropTable('message');
const migrationSource = {
  getMigrations: async () => ['1_message'],
  getMigrationName: name => name,
  getMigration: async () => ({ up, down }),
};
await db.migrate.latest({ migrationSource });
const { id: key, mentions } = await db('message').columnInfo();
equal('columnInfo, as the page says', [key.type, key.nullable, key.defaultValue, mentions.type],
  ['USER-DEFINED', false, 'gen_ulid()', 'ARRAY']);
equal('the columns made', (await db.raw(columns)).rows[0], made);

const id = await add({ body: 'hello' });
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
equal('lookup by the id', (await db('message').where({ id }).first()).body, 'hello');
await db('message').delete();

stored('given and generated ids', await db('message').insert(mixed()).returning(['id', 'body']), await db('message'));
await db('message').delete();
await db('message').insert(ids.map(id => ({ id, body: 'x', mentions: ids })));
equal('out as they went in, and in order', await db('message').orderBy('id').pluck('id'), ids);
equal('range by time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
await registerUlidArrays({ query: async text => db.raw(text) });
equal('an array column, and null', await db('message').where({ id: ids[0] }).first('answers', 'mentions'),
  { answers: null, mentions: ids });
equal('a batch', (await db.batchInsert('message', [{ body: 'a' }, { body: 'b' }]).returning('id')).map(row => row.id.length), [26, 26]);

await fails('invalid input syntax for type ulid: "no ulid"', () => db('message').where({ id: 'no ulid' }).first());
process.env.TZ = 'UTC';
await fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000+00:00"', () => db('message').where('id', '>=', hours(1)));
await fails('operator does not exist: ulid = text', () => db('message').whereRaw('id = ANY(?::text[])', [ids]));
equal('without the cast', (await db('message').whereRaw('id = ANY(?)', [ids])).length, 3);
await db.migrate.rollback({ migrationSource });
equal('migrated down again', await db.schema.hasTable('message'), false);
await db.destroy();
done();
