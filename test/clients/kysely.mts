// Kysely.
import { type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { columns, equal, finds, ids, made, mixed, stored } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

interface Database {
  message: { id: Generated<string>; body: string | null; answers: string | null; mentions: string[] | null };
}

const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });

const up = (db: Kysely<any>) => db.schema.createTable('message')
  .addColumn('id', sql`ulid`, column => column.primaryKey().defaultTo(sql`gen_ulid()`))
  .addColumn('body', 'text')
  .addColumn('answers', sql`ulid`, column => column.references('message.id'))
  .addColumn('mentions', sql`ulid[]`)
  .execute();

// doc/clients/javascript.md: const between = (begin: Date, end: Date) => db.selectFrom

await db.schema.dropTable('message').execute();
await up(db);
equal('the columns', (await sql.raw(columns).execute(db)).rows[0], made);
await registerUlidArrays({ query: text => sql.raw(text).execute(db) });
const { id } = await db.insertInto('message').values({ body: 'hello' }).returning('id').executeTakeFirstOrThrow();
equal('the id comes back', [typeof id, id.length], ['string', 26]);
const find = (id: string) => db.selectFrom('message').selectAll().where('id', '=', id).execute();
equal('find', await find(id), [{ id, body: 'hello', answers: null, mentions: null }]);
await db.deleteFrom('message').execute();
stored('given and generated ids', await db.insertInto('message').values(mixed()).returning(['id', 'body']).execute(),
  await db.selectFrom('message').selectAll().execute());
await db.deleteFrom('message').execute();
await db.insertInto('message').values(ids.map(id => ({ id, mentions: ids }))).execute();
await finds({ one: find, many: ids => db.selectFrom('message').select('id').where('id', 'in', ids).execute(), between,
  pageAfter: (id, n) => db.selectFrom('message').select('id').where('id', '>', id).orderBy('id').limit(n).execute(),
  state: 'code' });
equal('an array', (await find(ids[0]))[0].mentions, ids);
await db.destroy();
