// A database for each file of tests, on the server that PGHOST and the like name.
import { after } from 'node:test';
import pg from 'pg';

const prefix = `${process.env.PGDATABASE ?? 'pgulid'}_test_`; // of the databases
export const nameOf = (database: string) => prefix + database;
export const { PGHOST = 'localhost', PGPORT = '5432', PGUSER = 'postgres' } = process.env;
Object.assign(process.env, { PGHOST, PGPORT, PGUSER });

export async function administrate(database: string, ...statements: string[]) {
  const client = new pg.Client({ database });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

// Ends the program, in one line, if there is no server or it does not have the extension.
async function check() {
  const stop = (reason: string) => {
    console.error(`${reason} at ${PGHOST}, port ${PGPORT}. Set PGHOST, PGPORT, PGUSER and PGPASSWORD.`);
    process.exit(1);
  };
  try {
    const rows = await administrate('postgres', "SELECT FROM pg_available_extensions WHERE name = 'ulid'");
    if (!rows.length) stop('The extension ulid is not installed on the PostgreSQL server');
  } catch (error: any) {
    stop(`No PostgreSQL server (${error.errors?.[0]?.message ?? error.message})`);
  }
}

// A database of this name, with the table of the README. A time that loses its zone is read in Tokyo's, or St. John's.
export async function makeDatabase(name: string) {
  await check();
  const database = nameOf(name);
  await administrate('postgres', `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`, `CREATE DATABASE ${database}`,
    `ALTER DATABASE ${database} SET timezone = 'Asia/Tokyo'`);
  after(async () => { // not with FORCE: pools end before their clients have
    await administrate('postgres', `DROP DATABASE ${database}`);
  });
  Object.assign(process.env, { PGDATABASE: database, TZ: 'America/St_Johns' });
  await administrate(database, 'CREATE EXTENSION ulid',
    'CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)');
  return database;
}

if (import.meta.filename === process.argv[1]) await check();
