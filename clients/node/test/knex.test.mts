// Knex: a smoke test.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import knex from 'knex';
import { registerUlidArrays } from 'pgulid/pg';
import { makeDatabase, PGHOST, PGPORT, PGUSER } from './server.mts';
import { finds, ids } from './shared.mts';

after(() => db.destroy());
const database = await makeDatabase('knex');

const db = knex({
  client: 'pg',
  connection: { host: PGHOST, port: Number(PGPORT), user: PGUSER, database },
  pool: { afterCreate: (client: any, done: any) => registerUlidArrays(client).then(() => done(null, client), done) },
});
const between = (begin: Date, end: Date) => db('message')
  .whereRaw('id >= ?::timestamptz AND id < ?::timestamptz', [begin, end]);

test('ids by default and by value, NULL, lists and arrays', async () => {
  await db.schema.alterTable('message', table => {
    table.specificType('answers', 'ulid').references('message.id');
    table.specificType('mentions', 'ulid[]');
  });
  const [{ id }] = await db('message').insert({ body: 'hello' }).returning('id');
  assert.deepEqual(await db('message').where({ id: id.toLowerCase() }),
    [{ id, body: 'hello', answers: null, mentions: null }]);
  await db('message').insert(ids.map(id => ({ id, answers: id, mentions: [ids[0], null] })));
  assert.deepEqual(await db('message').whereIn('id', ids.slice(1)).orderBy('id').select('id', 'mentions'),
    ids.slice(1).map(id => ({ id, mentions: [ids[0], null] })));
});
finds({ one: async id => db('message').where({ id }), between, state: 'code' });
