// Kysely: a smoke test. 0.29 needs Node 22.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { registerUlidArrays } from 'pgulid/pg';
import { makeDatabase } from './server.mts';
import { finds, ids } from './shared.mts';

after(() => db.destroy());
await makeDatabase('kysely');

interface Message { id: Generated<string>; body: string | null; mentions: (string | null)[] | null }

const db = new Kysely<{ message: Message }>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ onConnect: registerUlidArrays }) }),
});
const time = (date: Date) => sql<string>`${date}::timestamptz`;
const between = (begin: Date, end: Date) => db.selectFrom('message').selectAll()
  .where('id', '>=', time(begin)).where('id', '<', time(end)).execute();

const rows = (list: string[]) => db.selectFrom('message').selectAll().where('id', 'in', list).orderBy('id').execute();
test('ids by default and by value, NULL, lists and arrays', async () => {
  await db.schema.alterTable('message').addColumn('mentions', sql`ulid[]`).execute();
  const { id } = await db.insertInto('message').values({ body: 'hello' }).returning('id').executeTakeFirstOrThrow();
  assert.deepEqual(await rows([id.toLowerCase()]), [{ id, body: 'hello', mentions: null }]);
  await db.insertInto('message').values(ids.map(id => ({ id, mentions: [ids[0], null] }))).execute();
  assert.deepEqual((await rows(ids.slice(1))).map(row => [row.id, row.mentions]),
    ids.slice(1).map(id => [id, [ids[0], null]]));
});
finds({ one: async id => rows([id]), between, state: 'code' });
