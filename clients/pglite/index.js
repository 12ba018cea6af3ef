// ULIDs in PGlite: PGlite.create({ extensions: { ulid } }). See doc/managed.md.
import sql from './sql.js';

const [, version] = sql.match(/^COMMENT ON SCHEMA ulid_sql IS '.* version (.*)';$/m);

// Runs the file unless the database already has this version. It may have been created with an older one.
async function load(pg) {
  const { rows } = await pg.query(
    `SELECT obj_description(to_regnamespace('ulid_sql'), 'pg_namespace') LIKE '% version ' || $1 AS loaded`, [version]);
  if (!rows[0].loaded) await pg.exec(sql);
}

export const ulid = {
  name: 'ulid',
  // In a client of a PGliteWorker, the worker does this.
  setup: async (pg, emscriptenOpts, clientOnly) => (clientOnly ? {} : { init: () => load(pg) }),
};
