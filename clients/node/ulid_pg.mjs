import pg from 'pg';

// Makes pg return ulid[] as an array, in every connection. Call this once per database, with a client, a pool, or
// anything whose query() returns { rows }.
export async function registerUlidArrays(client) {
  const { rows: [{ oid }] } = await client.query("SELECT 'ulid[]'::regtype::oid AS oid");
  pg.types.setTypeParser(oid, pg.types.getTypeParser(1009)); // as text[]
}
