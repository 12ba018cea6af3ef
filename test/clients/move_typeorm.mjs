// TypeORM, through the move: see move.pl.
// without: invalid input syntax for type uuid: "
import typeorm from 'typeorm';
import { made, mode, rounds } from './moving.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';
import { readUlidsAsUuids } from './uuid_or_ulid.mjs';

const { DataSource, EntitySchema } = typeorm;
const type = mode === 'ulid' ? 'ulid' : 'uuid';
const id = mode === 'ulid' ? { type, primary: true, default: () => 'gen_ulid()' } : { type, primary: true, generated: 'uuid' };
const Customer = new EntitySchema({ name: 'Customer', tableName: 'customers', columns: { id, name: { type: 'text' } } });
const Order = new EntitySchema({
  name: 'Order',
  tableName: 'orders',
  columns: {
    id, customerId: { name: 'customer_id', type }, recordType: { name: 'record_type', type: 'text' },
    recordId: { name: 'record_id', type }, others: { type, array: true },
  },
});
const source = new DataSource({
  type: 'postgres', host: process.env.PGHOST, port: process.env.PGPORT ?? 5432, username: process.env.PGUSER,
  database: process.env.PGDATABASE, installExtensions: false, entities: [Customer, Order],
});
source.driver.supportedDataTypes.push('ulid');
await source.initialize();
const querier = { query: async text => ({ rows: await source.query(text) }) };
if (mode === 'both') await readUlidsAsUuids(querier);
if (mode === 'ulid') await registerUlidArrays(querier);
const customers = source.getRepository(Customer);
const orders = source.getRepository(Order);
await rounds({
  addCustomer: async name => (await customers.save({ ...made(), name })).id,
  addOrder: order => orders.save({ ...order }),
  rename: async (id, name) => (await customers.update({ id }, { name })).affected,
  customer: async id => ({ ...await customers.findOneBy({ id }) }),
  ordersOf: async id => (await orders.findBy({ customerId: id })).map(({ id, ...order }) => order),
});
await source.destroy();
