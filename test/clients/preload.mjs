// A program that knows nothing of ulid, and is not changed, while its columns become ulid and uuid again: the file that is
// loaded before it, and the casts of doc/moving-application.md.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { done, equal } from './tap.mjs';
import { readUlidsAsUuids } from './uuid_or_ulid.mjs';

const program = `
  import pg from 'pg';
  import { createInterface } from 'node:readline';
  const pool = new pg.Pool();
  const SQL = "SELECT c.id, c.friends, ARRAY[c.friends], to_json(c) AS json, (SELECT note FROM notes WHERE about = CAST(c.id AS char(255))) FROM preload c";
  for await (const _ of createInterface({ input: process.stdin })) console.log(JSON.stringify((await pool.query(SQL)).rows));
  await pool.end();`;
const pool = new pg.Pool({ max: 1 });
await pool.query(`CREATE TABLE preload (id uuid PRIMARY KEY, friends uuid[]); CREATE TABLE notes (about varchar(255), note text);
  INSERT INTO preload SELECT id, ARRAY[id, NULL] FROM (SELECT '018f3406-9e00-0123-4567-89abcdef0101'::uuid) u (id);
  INSERT INTO notes SELECT id, 'found' FROM preload`);
const page = readFileSync(`${process.env.PAGES}/../moving-application.md`, 'utf8');
for (const kind of ['json', 'text']) await pool.query(page.match(new RegExp(`^ *CREATE FUNCTION ${kind}_of_ulid[^]*?(?=^ *\`\`\`)`, 'm'))[0]);

const child = spawn(process.execPath, ['--import', './read_ulids_as_uuids.mjs', '--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const ask = async () => { child.stdin.write('\n'); return (await lines.next()).value; };
const before = await ask();
equal('what it reads of uuid', [before.includes('018f3406-9e00-0123-4567-89abcdef0101'), before.includes('"found"')], [true, true]);
for (const type of ['ulid', 'uuid']) {
  await pool.query(`ALTER TABLE preload ALTER id TYPE ${type}, ALTER friends TYPE ${type}[] USING friends::${type}[]`);
  equal(`it reads the same of ${type}`, await ask(), before);
}
child.stdin.end();

// A worker thread has modules of its own.
await readUlidsAsUuids(pool);
writeFileSync('worker.cjs', `
  const { parentPort } = require('node:worker_threads');
  const client = new (require('pg').Client)();
  client.connect().then(() => client.query('SELECT gen_ulid() AS id')).then(({ rows }) => { parentPort.postMessage(rows[0].id.length); client.end(); });`);
const length = options => new Promise(resolve => { new Worker('./worker.cjs', options).once('message', resolve); });
equal('a worker thread reads ULIDs, as the page says, but where the file is loaded before it',
  [await length(), await length({ execArgv: ['--import', './read_ulids_as_uuids.mjs'] })], [26, 36]);
await pool.end();
done();
