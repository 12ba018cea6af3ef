// pg of node, through the move: see move.pl.
// without: invalid input syntax for type uuid: "
import pg from 'pg';
import { mode, rounds } from './moving.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';
import { readUlidsAsUuids } from './uuid_or_ulid.mjs';

const pool = new pg.Pool({ max: 3 });
if (mode === 'both') await readUlidsAsUuids(pool);
if (mode === 'ulid') await registerUlidArrays(pool);
await rounds({
  addCustomer: async name => (await pool.query('INSERT INTO customers (name) VALUES ($1) RETURNING id', [name])).rows[0].id,
  addOrder: order => pool.query('INSERT INTO orders (customer_id, record_type, record_id, others) VALUES ($1, $2, $3, $4)', Object.values(order)),
  rename: async (id, name) => (await pool.query('UPDATE customers SET name = $2 WHERE id = $1', [id, name])).rowCount,
  customer: async id => ({ ...(await pool.query('SELECT * FROM customers WHERE id = $1', [id])).rows[0] }),
  ordersOf: async id => (await pool.query(`SELECT customer_id AS "customerId", record_type AS "recordType", record_id AS "recordId", others
    FROM orders WHERE customer_id = $1`, [id])).rows.map(row => ({ ...row })),
});
await pool.end();
