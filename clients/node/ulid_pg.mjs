import pg from 'pg';

const parse = pg.types.getTypeParser(1009); // of text[]

async function oidOfArrays(client) {
  const { rows: [{ oid }] } = await client.query("SELECT 'ulid[]'::regtype::oid AS oid");
  return oid;
}

// Makes a client of pg return ulid[] as an array: new pg.Pool({ onConnect: registerUlidArrays })
export async function registerUlidArrays(client) {
  client.setTypeParser(await oidOfArrays(client), parse);
}

// The option userDefinedTypeParser of PrismaPg.
export async function ulidArrayParser(pool) {
  const oid = await oidOfArrays(pool);
  return (type, value) => (type === oid && value !== null ? parse(value) : value);
}
