// ULIDs in PGlite: PGlite.create({ extensions: { ulid } }). See doc/managed.md.
import sql from './sql.js';

const [, version] = sql.match(/^COMMENT ON SCHEMA ulid_sql IS '.* version (.*)';$/m);

// Runs the file unless the database, which may be one of long ago, has this version.
async function load(pg) {
  const { rows } = await pg.query(
    `SELECT obj_description(to_regnamespace('ulid_sql'), 'pg_namespace') LIKE '% version ' || $1 AS loaded`, [version]);
  if (!rows[0].loaded) await pg.exec(sql);
}

export const ulid = {
  name: 'ulid',
  // A client of a PGliteWorker leaves that to the worker.
  setup: async (pg, emscriptenOpts, clientOnly) => (clientOnly ? {} : { init: () => load(pg) }),
};
