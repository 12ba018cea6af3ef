// Kysely.
import { Migrator, sql } from 'kysely';
import { equal, fails, hours, ids, done, mixed, stored } from './tap.mjs';
import { add, between, pageAfter, db, down, those, up } from './message_kysely.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

await db.schema.dropTable('message').execute();
const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ message: { up, down } }) } });
equal('migrated', (await migrator.migrateToLatest()).error, undefined);
const [table] = (await db.introspection.getTables()).filter(({ name }) => name === 'message');
equal('the columns made', table.columns.map(({ dataType, hasDefaultValue }) => [dataType, hasDefaultValue]),
  [['ulid', true], ['text', false], ['ulid', false], ['_ulid', false]]);
await registerUlidArrays({ query: text => sql.raw(text).execute(db) });

const id = await add({ body: 'hello' });
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
equal('lookup by the id, and null', await those([id]), [{ id, body: 'hello', answers: null, mentions: null }]);
await db.deleteFrom('message').execute();
stored('given and generated ids', await db.insertInto('message').values(mixed()).returning(['id', 'body']).execute(),
  await db.selectFrom('message').selectAll().execute());
await db.deleteFrom('message').execute();
await db.insertInto('message').values(ids.map(id => ({ id, body: 'x', mentions: ids }))).execute();
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('any of many, by IN', (await db.selectFrom('message').select('id').where('id', 'in', [ids[0], ids[2]]).execute()).length, 2);
equal('range by time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
equal('an array column', (await those([ids[0]]))[0].mentions, ids);
await fails('invalid input syntax for type ulid: "no ulid"', () => those(['no ulid']));
process.env.TZ = 'UTC';
await fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000+00:00"',
  () => db.selectFrom('message').selectAll().where('id', '>=', hours(1)).execute());
await fails('operator does not exist: ulid = text',
  () => db.selectFrom('message').selectAll().where('id', '=', sql`ANY(${ids}::text[])`).execute());
equal('migrated down again', (await migrator.migrateDown()).error, undefined);
await db.destroy();
done();
