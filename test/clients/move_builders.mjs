// Knex, Objection, Drizzle, Kysely and pg-promise, which read by the parsers of pg, through the move: see move.pl.
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import knex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import { Model } from 'objection';
import pg from 'pg';
import pgPromise from 'pg-promise';
import { mode, rounds } from './moving.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';
import { readUlidsAsUuids } from './uuid_or_ulid.mjs';

const pool = new pg.Pool({ max: 2 });
if (mode === 'both') await readUlidsAsUuids(pool);
if (mode === 'ulid') await registerUlidArrays(pool);
const knexed = knex({ client: 'pg', connection: { host: process.env.PGHOST } });
class Customer extends Model {
  static tableName = 'customers';
}
Customer.knex(knexed);
const drizzled = drizzle(pool);
const orders = pgTable('orders', {
  customerId: uuid('customer_id'), recordType: text('record_type'), recordId: uuid('record_id'), others: uuid('others').array(),
});
const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
const promised = pgPromise()({});
await rounds({
  addCustomer: async name => (await knexed('customers').insert({ name }).returning('id'))[0].id,
  addOrder: order => drizzled.insert(orders).values(order),
  rename: (id, name) => Customer.query().patch({ name }).where({ id }),
  customer: async id => {
    const row = await kysely.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    if ((await promised.one('SELECT * FROM customers WHERE id = $1', [id])).id !== row.id) throw new Error('another id');
    return { ...row };
  },
  ordersOf: id => drizzled.select().from(orders).where(eq(orders.customerId, id)),
});
await knexed.destroy();
await pool.end();
promised.$pool.end();
