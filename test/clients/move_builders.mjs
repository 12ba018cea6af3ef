// Knex, Objection, Drizzle, Kysely and pg-promise, which read by the parsers of pg, through the move: see move.pl. Orders are
// read as Drizzle and Kysely read relations, in JSON that the server makes, which no parser of pg looks into.
import { deepStrictEqual } from 'node:assert';
import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';
import knex from 'knex';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { Model } from 'objection';
import pg from 'pg';
import pgPromise from 'pg-promise';
import { mode, rounds } from './moving.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';
import { readUlidsAsUuids, toUuid } from './uuid_or_ulid.mjs';

const pool = new pg.Pool({ max: 2 });
if (mode === 'ulid') await registerUlidArrays(pool);
const knexed = knex({ client: 'pg', connection: { host: process.env.PGHOST } });
if (mode === 'both') await readUlidsAsUuids({ query: text => knexed.raw(text) }); // as the page says of Knex
class Customer extends Model {
  static tableName = 'customers';
}
Customer.knex(knexed);
const type = customType(mode === 'ulid' ? { dataType: () => 'ulid' } : { dataType: () => 'uuid', fromDriver: id => id && toUuid(id) });
const customers = pgTable('customers', { id: type('id').primaryKey() });
const orders = pgTable('orders', {
  customerId: type('customer_id'), recordType: text('record_type'), recordId: type('record_id'), others: type('others').array(),
});
const drizzled = drizzle(pool, { schema: {
  customers, orders, customersRelations: relations(customers, ({ many }) => ({ orders: many(orders) })),
  ordersRelations: relations(orders, ({ one }) => ({ customer: one(customers, { fields: [orders.customerId], references: [customers.id] }) })),
} });
const inJson = name => (mode === 'ulid' ? sql.ref(name) : sql`${sql.ref(name)}::uuid`);
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
  ordersOf: async id => {
    const found = await drizzled.query.customers.findFirst({ where: ({ id: key }, { eq }) => eq(key, id), with: { orders: true } });
    const nested = await kysely.selectFrom('customers').where('id', '=', id).select(({ selectFrom }) => jsonArrayFrom(
      selectFrom('orders').whereRef('customer_id', '=', 'customers.id').select([
        inJson('customer_id').as('customerId'), 'record_type as recordType', inJson('record_id').as('recordId')])).as('orders')).executeTakeFirstOrThrow();
    deepStrictEqual(nested.orders, found.orders.map(({ others, ...order }) => order));
    return found.orders;
  },
});
await knexed.destroy();
await pool.end();
promised.$pool.end();
