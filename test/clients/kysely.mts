// Kysely.
import { type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { columns, equal, made, stores } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

interface Database {
  message: { id: Generated<string>; body: string | null; answers: string | null; mentions: string[] | null };
}

const pool = new pg.Pool({ onConnect: registerUlidArrays });
const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });

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
const messages = db.selectFrom('message').selectAll();
await stores({ add: rows => db.insertInto('message').values(rows).returning(['id', 'body']).execute(),
  all: () => messages.execute(),
  clear: () => db.deleteFrom('message').execute(), one: id => messages.where('id', '=', id).executeTakeFirst(),
  many: ids => messages.where('id', 'in', ids).execute(), between,
  pageAfter: (id, n) => messages.where('id', '>', id).orderBy('id').limit(n).execute(), state: 'code' });
await db.destroy();
