// Prints TAP: a line a test. And what the tests share.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, inspect } from 'node:util';

export const hours = (n, milliseconds = 0) => new Date(Date.parse('2024-05-01T12:00:00Z') + n * 3600e3 + milliseconds);
// 12, 13 and 14 hours into that day
export const ids = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];

// What a catalog says of the table `message` that a page's migration makes.
export const columns = `SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) AS types,
    min(pg_get_expr(adbin, adrelid)) AS "default"
  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = 'message'::regclass AND attnum > 0`;
export const made = { types: 'ulid text ulid ulid[]', default: 'gen_ulid()' };

// Where a page tells of the program under test: in front, and under the headings of the files that it loads.
const files = readFileSync(process.argv[1], 'utf8').match(/\bmessage_\w+\.mjs/g) ?? [];
export const pages = readFileSync(`${process.env.PAGES}/javascript.md`, 'utf8').split(/^(?=## )/m)
  .filter((section, i) => i === 0 || files.some(file => section.includes(`<!-- ${file} -->`))).join('');
let count = 0;

export function equal(name, got, expected) {
  ++count;
  if (isDeepStrictEqual(got, expected)) {
    console.log(`ok ${count} - ${name}`);
  } else {
    console.log(`not ok ${count} - ${name}`);
    console.log(`got ${inspect(got)}\nexpected ${inspect(expected)}`.replace(/^/gm, '# '));
  }
}

// Rows of a bulk insert, of which one has an id. Each must be stored with its own, the one that the caller is told.
export const mixed = () => [{ body: 'a' }, { id: ids[0], body: 'b' }, { body: 'c' }];
export function stored(name, told, rows) { // both of { id, body }
  const pairs = list => list.map(({ id, body }) => `${body} ${id}`).sort();
  equal(name, [pairs(told), rows.find(({ body }) => body === 'b')?.id], [pairs(rows), ids[0]]);
}

// The work fails with this message, of the error or of its cause, and its page quotes it.
export async function fails(message, work) {
  const texts = [];
  try {
    texts.push('no error: ' + inspect(await work()));
  } catch (error) {
    for (let cause = error; cause; cause = cause.cause) texts.push(cause.message, ...(cause.errors ?? []).map(e => e.message));
  }
  equal(`fails: ${message}`, texts.some(text => text?.includes(message)) ? message : texts, message);
  equal('as a page says', pages.includes(message), true);
}

// What restored.sh prints.
export const restored = (...commands) => restoredFrom('', ...commands);
export const restoredFrom = (text, load = `psql -q -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION ulid' -f -`, ...work) =>
  execFileSync('bash', ['restored.sh', load, ...work], { encoding: 'utf8', input: text });

// Where the program dies before its end, the missing plan says so.
export function done() {
  console.log(`1..${count}`);
}
