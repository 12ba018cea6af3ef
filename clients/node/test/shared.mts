// What the tests share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';

export const hours = (n: number,
  milliseconds = 0) => new Date(Date.parse('2024-05-01T12:00:00Z') + n * 3600e3 + milliseconds);
// Noon and one and two hours later.
export const ids = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];
export const uuids = ['018f3406-9e00-0123-4567-89abcdef0101', '018f343d-8c80-0123-4567-89abcdef0202',
  '018f3474-7b00-0123-4567-89abcdef0303']; // the same bytes

// Texts, each with the id that the server reads, or the SQLSTATE of its error.
export const cases = readFileSync(new URL('ids.csv', import.meta.url), 'utf8').trimEnd().split('\n')
  .map(line => line.replace('\\n', '\n').split(',') as [string, string]);

// The columns of the table `message`, and what a migration should make.
export const columns = `SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) AS types,
    min(pg_get_expr(adbin, adrelid)) AS "default"
  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = 'message'::regclass AND attnum > 0`;
export const made = { types: 'ulid text ulid ulid[]', default: 'gen_ulid()' };

// The work fails with an error that has this message, or whose cause has it.
export async function fails(message: string, work: () => unknown) {
  const texts: string[] = [];
  try {
    texts.push('no error: ' + inspect(await work()));
  } catch (error) {
    for (let cause: any = error; cause; cause = cause.cause) {
      texts.push(cause.message, ...(cause.errors ?? []).map((e: Error) => e.message));
    }
  }
  assert.ok(texts.some(text => text?.includes(message)), inspect(texts));
}

// It answers to the texts of ids.csv as the server does.
export async function reads(read: (text: string) => unknown) {
  const wrong: Record<string, unknown> = {};
  for (const [text, expected] of cases) {
    const got = await (async () => read(text))().then(id => id, () => expected.length === 5 && expected);
    if (got !== expected) wrong[text] = got;
  }
  assert.deepEqual(wrong, {});
}

type Rows = PromiseLike<readonly any[]>;
type Queries = {
  one: (id: string) => PromiseLike<any>;
  between: (begin: Date, end: Date) => Rows;
  state: string;
};
type Writes = { add: (rows: any[]) => Rows; clear: () => PromiseLike<unknown> };

// What an ORM stores in an empty table and reads from it; `add` returns the rows as they were stored.
export function stores(queries: Queries & Writes) {
  test('the default comes back', async () => {
    const [{ id }] = await queries.add([{ body: 'hello' }]);
    assert.deepEqual([typeof id, id.length], ['string', 26]);
    assert.equal((await queries.one(id)).body, 'hello');
    await queries.clear();
  });
  test('arrays and NULL', async () => {
    await queries.add(ids.map(id => ({ id, mentions: ids })));
    const { mentions, body } = await queries.one(ids[0]);
    assert.deepEqual({ mentions, body }, { mentions: ids, body: null });
  });
  test('arrays with NULL, of no element, and that are NULL', async () => {
    const lists = [[ids[0], null], [null], [], null];
    for (const mentions of lists) {
      const [{ id }] = await queries.add([{ mentions }]);
      const row = await queries.one(id);
      assert.deepEqual(row.mentions, mentions);
      const [{ id: again }] = await queries.add([{ mentions: row.mentions }]);
      assert.deepEqual((await queries.one(again)).mentions, mentions);
    }
  });
  finds(queries);
}

// What a library's queries find in a table with `ids`, and where the SQLSTATE of an invalid id is.
export function finds(queries: Queries) {
  for (const [name, ms, expected] of [['a range of time', 0, ids[1]], ['to the millisecond', 1, ids[2]]] as const) {
    test(name, async () => {
      assert.deepEqual((await queries.between(hours(1, ms), hours(2, ms))).map(row => row.id), [expected]);
    });
  }
  state(queries.state, queries.one);
}

export function state(path: string, one: (id: string) => unknown) {
  test(`error.${path} is the SQLSTATE, as the overview says`, async () => {
    for (const [id, expected] of [['not an id', '22P02'], ['8' + ids[0].slice(1), '22003']]) {
      const error = await (async () => one(id))().catch(error => error);
      assert.equal(path.split('.').reduce((value, key) => value?.[key], error as any), expected);
    }
  });
}
