import pg from 'pg';

const parse = pg.types.getTypeParser(1009); // of text[]

export function ulidArrayParser() {
  let oid;
  return async (type, value, adapter) => {
    if (typeof value !== 'string' || !value.endsWith('}')) return value;
    // of this connection: another one may wait for it
    const sql = "SELECT to_regtype('ulid[]')::oid::text";
    oid ??= (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows[0][0];
    return type === Number(oid) ? parse(value) : value;
  };
}
