import pg from 'pg';

const parse = pg.types.getTypeParser(1009); // of text[]

export async function registerUlidArrays(client) {
  // null if this database does not have the extension, or not yet
  const { rows: [{ oid }] } = await client.query("SELECT to_regtype('ulid[]')::oid AS oid");
  if (oid !== null) client.setTypeParser(oid, parse);
}
