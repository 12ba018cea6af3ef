// Knex.
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { columns, equal, made, stores } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

const db = knex({ client: 'pg', connection: { host: process.env.PGHOST },
  pool: { afterCreate: (client: pg.Client,
    done: (error?: Error) => void) => registerUlidArrays(client).then(() => done(), done) } });

// doc/clients/javascript.md: const up

await db.schema.dropTable('message');
await up(db);
equal('the columns', (await db.raw(columns)).rows[0], made);
await stores({ add: rows => db('message').insert(rows).returning(['id', 'body']), all: () => db('message'),
  clear: () => db('message').delete(), one: id => db('message').where({ id }).first(),
    many: ids => db('message').whereIn('id', ids),
  between, pageAfter: (id, size) => db('message').where('id', '>', id).orderBy('id').limit(size), state: 'code' });
await db.destroy();
