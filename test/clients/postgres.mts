// postgres (Postgres.js).
import postgres from 'postgres';
import { equal, fails, finds, ids } from './tap.mjs';

const sql = postgres({ host: process.env.PGHOST });

// doc/clients/javascript.md: const add

const [{ id }] = await add('hello');
equal('the default comes back as a string', [typeof id, id.length], ['string', 26]);
equal('find', [...await sql`SELECT body FROM message WHERE id = ${id}`], [{ body: 'hello' }]);
await sql`DELETE FROM message`;
await sql`INSERT INTO message ${sql([{ body: 'a' }, { id: ids[0], body: 'b' }])}`;
equal('an insert takes its columns from the first row', [...await sql`SELECT FROM message WHERE id = ${ids[0]}`], []);
await sql`DELETE FROM message`;
await sql`INSERT INTO message ${sql(ids.map(id => ({ id })))}`;
await finds({ one: id => sql`SELECT ${id}::ulid`, between, state: 'code' });
equal('arrays', (await sql`SELECT array_agg(id ORDER BY id) AS ids FROM message WHERE id = ANY(${ids})`)[0].ids, ids);
await fails('operator does not exist: ulid = text',
  async () => sql`SELECT FROM message WHERE id = ANY(${ids}::text[])`);
await sql.end();
