// PGlite in Node and in a browser. `checks` is given the packages, where to keep a database, and the files that run has
// written. It returns [name, got, expected] of each check, and what PGlite writes for the server.
export async function checks({ PGlite, ulid }, storage, files) {
  const results = [];
  const equal = (name, got, expected) => results.push([name, JSON.stringify(got), JSON.stringify(expected)]);
  const open = (where) => PGlite.create({ ...(where && { dataDir: where }), extensions: { ulid } });
  const value = async (db, sql, ...rest) => Object.values((await db.query(sql, ...rest)).rows[0] ?? {})[0];

  const db = await open();
  equal('the search_path is as it was', await value(db, 'SHOW search_path'), 'public');

  await db.exec(`
    CREATE TABLE event (id uuid PRIMARY KEY DEFAULT ulid_sql.gen_uuidv7(), what text NOT NULL,
      at timestamptz GENERATED ALWAYS AS (ulid_sql.ulid_timestamp(id)) STORED);
    INSERT INTO event (what) SELECT n::text FROM generate_series(1, 2000) AS n`);
  equal('ids are in order', await value(db, 'SELECT string_agg(what, $1 ORDER BY id) FROM event', [' ']),
    Array.from({ length: 2000 }, (_, i) => i + 1).join(' '));
  equal('and valid UUIDs of version 7', await value(db, `SELECT bool_and(id::text ~ '^.{14}7.{4}[89ab]') FROM event`), true);
  const text = await value(db, 'SELECT ulid_sql.ulid_to_text(id) FROM event LIMIT 1');
  equal('text both ways',
    await value(db, 'SELECT ulid_sql.ulid_to_text(ulid_sql.ulid_from_text(lower($1)))', [text]), text);
  const range = 'WHERE id >= ulid_sql.ulid_lower_bound(now() - interval $$1 hour$$)';
  equal('a range of times', await value(db, `SELECT count(*)::int FROM event ${range} AND at = ulid_sql.ulid_timestamp(id)`), 2000);
  const { rows } = await db.query(`EXPLAIN SELECT id FROM event ${range}`);
  equal('is one of the index', /event_pkey/.test(JSON.stringify(rows)) || rows, true);

  // A database of a server: as UUIDs, and as pg_dump --inserts writes it.
  const texts = "SELECT string_agg(ulid_sql.ulid_to_text(id) || ' ' || body, chr(10) ORDER BY id) FROM message";
  await db.exec('CREATE TABLE message (id uuid PRIMARY KEY, body text)');
  await db.query("COPY message FROM '/dev/blob'", [], { blob: new Blob([files.copy]) });
  equal('COPY from a server', await value(db, texts), files.texts);
  const { blob } = await db.query("COPY (SELECT ulid_sql.ulid_to_text(id), body FROM message) TO '/dev/blob'");
  const back = await blob.text();
  await db.exec('DROP TABLE message');
  await db.exec('CREATE TABLE message (id text, body text)');
  await db.exec(files.inserts);
  equal('pg_dump leaves an empty search_path', await value(db, 'SHOW search_path'), '');
  await db.exec(`RESET search_path;
    ALTER TABLE message ALTER COLUMN id TYPE uuid USING ulid_sql.ulid_from_text(id);
    ALTER TABLE message ADD PRIMARY KEY (id), ALTER COLUMN id SET DEFAULT ulid_sql.gen_ulid()`);
  equal('pg_dump --inserts from a server', await value(db, texts), files.texts);
  equal('with the default', await value(db,
    "INSERT INTO message (body) VALUES ('new') RETURNING ulid_sql.ulid_timestamp(id) > now() - interval '1 hour'"), true);
  await db.close();

  // A database that stays: opened again, by the same version and after another.
  let stored = await open(storage);
  await stored.exec("CREATE TABLE kept (id uuid PRIMARY KEY DEFAULT ulid_sql.gen_ulid()); INSERT INTO kept DEFAULT VALUES");
  const id = await value(stored, 'SELECT ulid_sql.ulid_to_text(id) FROM kept');
  const row = "SELECT xmin::text FROM pg_proc WHERE oid = 'ulid_sql.ulid_to_text(uuid)'::regprocedure";
  const loaded = await value(stored, row);
  await stored.close();
  stored = await open(storage);
  equal('a database that stays is as it was', await value(stored, 'SELECT ulid_sql.ulid_to_text(id) FROM kept'), id);
  equal('and the file is not run again', await value(stored, row), loaded);
  await stored.exec("COMMENT ON SCHEMA ulid_sql IS 'version 0'");
  await stored.close();
  stored = await open(storage);
  equal('one of another version is brought to this', await value(stored, row) !== loaded, true);
  await stored.close();
  return { results, back };
}
