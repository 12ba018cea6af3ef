// Sequelize, through the move: see move.pl.
// without: invalid input syntax for type uuid: "
import pg from 'pg';
import { DataTypes, Sequelize } from 'sequelize';
import { made, mode, rounds } from './moving.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';
import { readUlidsAsUuids } from './uuid_or_ulid.mjs';

const pool = new pg.Pool();
if (mode === 'both') await readUlidsAsUuids(pool);
if (mode === 'ulid') await registerUlidArrays(pool);
await pool.end();
const sequelize = new Sequelize(process.env.PGDATABASE, process.env.PGUSER, '', {
  host: process.env.PGHOST, port: process.env.PGPORT ?? 5432, dialect: 'postgres', logging: false, define: { timestamps: false },
});
const id = mode === 'ulid' ? { type: 'ulid', primaryKey: true, defaultValue: Sequelize.literal('gen_ulid()') }
  : { type: DataTypes.UUID, primaryKey: true, defaultValue: Sequelize.literal('DEFAULT') };
const [one, several] = mode === 'ulid' ? ['ulid', 'ulid[]'] : [DataTypes.UUID, DataTypes.ARRAY(DataTypes.UUID)];
const Customer = sequelize.define('Customer', { id, name: DataTypes.TEXT }, { tableName: 'customers' });
const Order = sequelize.define('Order', {
  id, customerId: { field: 'customer_id', type: one }, recordType: { field: 'record_type', type: DataTypes.TEXT },
  recordId: { field: 'record_id', type: one }, others: several,
}, { tableName: 'orders' });
await rounds({
  addCustomer: async name => (await Customer.create({ ...made(), name })).id,
  addOrder: ({ others, ...order }) => Order.create({ ...order, others: mode === 'ulid' ? sequelize.cast(`{${others}}`, 'ulid[]') : others }),
  rename: async (id, name) => (await Customer.update({ name }, { where: { id } }))[0],
  customer: async id => (await Customer.findByPk(id)).get(),
  ordersOf: async id => (await Order.findAll({ where: { customerId: id } })).map(order => order.get()).map(({ id, ...order }) => order),
});
await sequelize.close();
