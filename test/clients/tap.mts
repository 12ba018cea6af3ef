// Prints TAP, one line per test, and holds what the tests share.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, inspect } from 'node:util';

export const hours = (n: number,
  milliseconds = 0) => new Date(Date.parse('2024-05-01T12:00:00Z') + n * 3600e3 + milliseconds);
// Noon and one and two hours later.
export const ids = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];
export const uuids = ['018f3406-9e00-0123-4567-89abcdef0101', '018f343d-8c80-0123-4567-89abcdef0202',
  '018f3474-7b00-0123-4567-89abcdef0303']; // the same bytes

// The columns of the table `message`, and what a migration should make.
export const columns = `SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) AS types,
    min(pg_get_expr(adbin, adrelid)) AS "default"
  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = 'message'::regclass AND attnum > 0`;
export const made = { types: 'ulid text ulid ulid[]', default: 'gen_ulid()' };

export function equal(name: string, got: unknown, expected: unknown) {
  if (isDeepStrictEqual(got, expected)) {
    console.log(`ok - ${name}`);
  } else {
    console.log(`not ok - ${name}`);
    console.log(`got ${inspect(got)}\nexpected ${inspect(expected)}`.replace(/^/gm, '# '));
  }
}

// The work fails with an error that has this message, or whose cause has it. A text fails with itself.
export async function fails(message: string, work: string | (() => unknown)) {
  const texts: string[] = [];
  try {
    texts.push(typeof work === 'string' ? work : 'no error: ' + inspect(await work()));
  } catch (error) {
    for (let cause: any = error; cause; cause = cause.cause) {
      texts.push(cause.message, ...(cause.errors ?? []).map((e: Error) => e.message));
    }
  }
  equal(`fails: ${message}`, texts.some(text => text?.includes(message)) ? message : texts, message);
}

// It answers to the texts of ids.csv as the server does.
export async function reads(name: string, read: (text: string) => PromiseLike<string>) {
  const wrong: Record<string, unknown> = {};
  for (const line of readFileSync('ids.csv', 'utf8').trimEnd().split('\n')) {
    const [text, expected] = line.replace('\\n', '\n').split(',');
    const got = await read(text).then(id => id, () => expected.length === 5 && expected);
    if (got !== expected) wrong[text] = got;
  }
  equal(`${name} reads what the server reads`, wrong, {});
}

type Rows = PromiseLike<readonly any[]>;
type Queries = {
  one: (id: string) => PromiseLike<any>;
  between: (begin: Date, end: Date) => Rows;
  state: string;
};

type Writes = { add: (rows: any[]) => Rows; clear: () => PromiseLike<unknown> };

// What an ORM stores in an empty table and reads from it; `add` returns the rows as they were stored.
export async function stores(queries: Queries & Writes) {
  const [{ id }] = await queries.add([{ body: 'hello' }]);
  equal('the id comes back', [typeof id, id.length], ['string', 26]);
  equal('find', (await queries.one(id)).body, 'hello');
  await queries.clear();
  await queries.add(ids.map(id => ({ id, mentions: ids })));
  const { mentions, body } = await queries.one(ids[0]);
  equal('an array and NULL', { mentions, body }, { mentions: ids, body: null });
  await finds(queries);
}

// What a library's queries find in a table with `ids`. An invalid id is an error with the SQLSTATE where the page says.
export async function finds(queries: Queries) {
  for (const [name, ms, expected] of [['a range of time', 0, ids[1]], ['to the millisecond', 1, ids[2]]] as const) {
    equal(name, (await queries.between(hours(1, ms), hours(2, ms))).map(row => row.id), [expected]);
  }
  await state(queries.state, queries.one);
}

export async function state(path: string, one: (id: string) => unknown) {
  equal(`error.${path} is on the page`, readFileSync(`${process.env.checkout}/doc/clients.md`,
    'utf8').includes(`\`error.${path}\``), true);
  for (const [id, expected] of [['not an id', '22P02'], ['8' + ids[0].slice(1), '22003']]) {
    const error = await (async () => one(id))().catch(error => error);
    equal(`the SQLSTATE of ${id}`, path.split('.').reduce((value, key) => value?.[key], error as any), expected);
  }
}
