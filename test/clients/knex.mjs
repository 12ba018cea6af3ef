// Knex.
import knex from 'knex';
import { equal, rejects, done } from './tap.mjs';

const noon = new Date('2024-05-01T12:00:00Z');
const hours = n => new Date(noon.getTime() + n * 3600e3);
const ids = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];

// snippet: migration
const migration = {
  up: db => db.schema.createTable('message', table => {
    table.specificType('id', 'ulid').primary().defaultTo(db.raw('gen_ulid()'));
    table.text('body');
  }),
  down: db => db.schema.dropTable('message'),
};
// end

const db = knex({ client: 'pg', connection: { host: process.env.PGHOST } });
const migrationSource = {
  getMigrations: async () => ['1_message'],
  getMigrationName: name => name,
  getMigration: async () => migration,
};
await db.migrate.latest({ migrationSource });
equal('the table migrated to has a ulid', (await db('message').columnInfo('id')).defaultValue, 'gen_ulid()');

// snippet: plain
const [{ id }] = await db('message').insert({ body: 'hello' }).returning('id');
const { body } = await db('message').where({ id }).first();
// end
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
equal('lookup by the id', body, 'hello');
await db('message').delete();

await db('message').insert(ids.map(id => ({ id, body: 'x' })));
equal('out as they went in, and in order', await db('message').orderBy('id').pluck('id'), ids);
// snippet: range
const rows = await db('message')
  .where('id', '>=', db.raw('?::timestamptz', [hours(1)]))
  .where('id', '<', db.raw('?::timestamptz', [hours(2)]));
// end
equal('range by time', rows, [{ id: ids[1], body: 'x' }]);
equal('any of many', await db('message').whereIn('id', [ids[0], ids[2]]).orderBy('id').pluck('id'), [ids[0], ids[2]]);

await rejects('a bad text is refused', '22P02', () => db('message').where({ id: 'no ulid' }).first());
await db.migrate.rollback({ migrationSource });
equal('migrated down again', await db.schema.hasTable('message'), false);
await db.destroy();
done();
