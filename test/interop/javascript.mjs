#!/usr/bin/env -S node --test-reporter=./tap.mjs
// The extension against the JavaScript reference implementation (`ulid` of npm) and the client
// that JavaScript programs use (`pg` of npm). Run by ./run, which names the database in the
// libpq environment and has created the extension there.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import pg from 'pg';
import {
  decodeTime, encodeTime, fixULIDBase32, incrementBase32, isValid, monotonicFactory, ulid, ulidToUUID,
  MAX_ULID, MIN_ULID, TIME_MAX,
} from 'ulid';

const COUNT = 100_000;
const FIXED_TIME = Date.UTC(2025, 0, 1);

// A zone with an odd offset, so that nothing is right only because the session is in UTC.
const client = new pg.Client({ options: '-c timezone=Asia/Kathmandu' });
await client.connect();
after(() => client.end());

// COUNT / 2 times from 1970 to 10889, both ends included, in no order. The reference takes a
// seedTime of 0 for "now", so the first is 1 ms; MIN_ULID stands for 0.
const half = COUNT / 2;
const times = Array.from({ length: half },
  (_, i) => 1 + Math.round(((i * 7919) % half) * ((TIME_MAX - 1) / (half - 1))));

const running = monotonicFactory();
const fixed = monotonicFactory();
const fixedRun = Array.from({ length: half / 2 }, () => fixed(FIXED_TIME));
const ids = [
  MIN_ULID, MAX_ULID,
  ...times.map((time) => ulid(time)),
  ...Array.from({ length: half / 2 }, () => running()),
  ...fixedRun,
];

const query = async (text, values) => (await client.query({ text, values, rowMode: 'array' })).rows;
const column = async (text, values) => (await query(text, values)).map(([value]) => value);

const psql = (command, input) =>
  execFileSync('psql', ['-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', command],
    { input, encoding: 'utf8', maxBuffer: 2 ** 28 });

// assert.deepEqual would print a diff of whole lists; the first difference says enough.
function assertSameList(actual, expected) {
  assert.equal(actual.length, expected.length, 'number of rows');
  const at = expected.findIndex((value, i) => value !== actual[i]);
  if (at >= 0) assert.equal(actual[at], expected[at], `row ${at}`);
}

async function inBatches(size, insert) {
  for (let start = 0; start < ids.length; start += size) {
    await insert(ids.slice(start, start + size), start);
  }
}

const loaders = {
  copied: ['COPY', async () => {
    psql('\\copy copied from pstdin', ids.map((id, seq) => `${seq}\t${id}\n`).join(''));
  }],
  inserted: ['batched pg parameters', () => inBatches(1000, (batch, start) => {
    const row = (_, i) => `($${2 * i + 1}, $${2 * i + 2})`;
    return client.query({
      name: `insert ${batch.length}`,
      text: `INSERT INTO inserted VALUES ${batch.map(row).join(', ')}`,
      values: batch.flatMap((id, i) => [start + i, id]),
    });
  })],
  unnested: ['ulid[] pg parameters', () => inBatches(10_000, (batch, start) => client.query(
    'INSERT INTO unnested SELECT $2 + n - 1, id FROM unnest($1::ulid[]) WITH ORDINALITY AS u(id, n)',
    [batch, start]))],
};

for (const [table, [name, load]] of Object.entries(loaders)) {
  test(`${ids.length} ULIDs loaded by ${name} come back as the same text`, async () => {
    await client.query(`CREATE TABLE ${table} (seq bigint, id ulid PRIMARY KEY)`);
    await load();
    assertSameList(await column(`SELECT id FROM ${table} ORDER BY seq`), ids);
  });

  test(`ULIDs loaded by ${name} sort as in JavaScript`, async () => {
    assertSameList(await column(`SELECT id FROM ${table} ORDER BY id`), [...ids].sort());
  });
}

test('COPY TO writes the text that COPY FROM read', () => {
  const out = psql('\\copy (SELECT id FROM copied ORDER BY seq) to pstdout');
  assertSameList(out.trimEnd().split('\n'), ids);
});

for (const [way, settings] of Object.entries({
  'by sorting': ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan'],
  'by the index': ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'],
})) {
  test(`the order, ${way}, is JavaScript's, and so is its reverse`, async () => {
    const sorted = [...ids].sort();
    for (const setting of settings) await client.query(`SET ${setting} = off`);
    try {
      assertSameList(await column('SELECT id FROM copied ORDER BY id'), sorted);
      assertSameList(await column('SELECT id FROM copied ORDER BY id DESC'), sorted.reverse());
    } finally {
      for (const setting of settings) await client.query(`RESET ${setting}`);
    }
  });
}

test('every comparison, with itself and with the next, agrees with JavaScript', async () => {
  const answers = await query(`
    SELECT a < b, a <= b, a = b, a <> b, a >= b, a > b
    FROM (SELECT seq, 0 AS step, id AS a, id AS b FROM copied
          UNION ALL
          SELECT seq, 1, id, lead(id) OVER (ORDER BY seq) FROM copied) AS pair
    WHERE b IS NOT NULL ORDER BY seq, step`);
  const compare = (a, b) => [a < b, a <= b, a === b, a !== b, a >= b, a > b].join();
  assertSameList(
    answers.map((answer) => answer.join()),
    ids.flatMap((id, i) => [id, ...ids.slice(i + 1, i + 2)].map((other) => compare(id, other))));
});

test('ulid_parse gives the milliseconds that decodeTime gives', async () => {
  const unixMs = await column('SELECT (ulid_parse(id)).unix_ms FROM copied ORDER BY seq');
  assertSameList(unixMs.map(Number), ids.map((id) => decodeTime(id)));
});

test('ulid_timestamp is exactly that time', async () => {
  const ms = await column(
    'SELECT extract(epoch FROM ulid_timestamp(id)) * 1000 FROM copied ORDER BY seq');
  assertSameList(ms.map(Number), ids.map((id) => decodeTime(id)));
});

test('ulid_timestamp arrives as a JavaScript Date of that time', async () => {
  const dates = await column('SELECT ulid_timestamp(id) FROM copied ORDER BY seq');
  assertSameList(dates.map((date) => date.getTime()), ids.map((id) => decodeTime(id)));
});

test('the cast to uuid is ulidToUUID', async () => {
  const uuids = await column('SELECT id::uuid FROM copied ORDER BY seq');
  assertSameList(uuids, ids.map((id) => ulidToUUID(id).toLowerCase()));
});

test('the text of ulidToUUID is read as that ULID', async () => {
  assert.deepEqual(await query('SELECT $1::text::ulid, $2::ulid', [ulidToUUID(ids[0]), ulidToUUID(ids[1])]), [[ids[0], ids[1]]]);
});

test('ulid_next at the same time is the reference increment', async () => {
  const known = ids.filter((id) => id !== MAX_ULID);
  const next = await column(
    'SELECT ulid_next(id, ulid_timestamp(id)) FROM copied WHERE id <> $1 ORDER BY seq', [MAX_ULID]);
  assertSameList(next, known.map((id) => incrementBase32(id)));
});

test('ulid_next reproduces a run of the monotonic factory at one fixed time', async () => {
  const [run] = await column(`
    WITH RECURSIVE run (n, id) AS (
      SELECT 1, $1::ulid UNION ALL SELECT n + 1, ulid_next(id, $2) FROM run WHERE n < $3)
    SELECT array_agg(id ORDER BY n)::text[] FROM run`,
  [fixedRun[0], new Date(FIXED_TIME), fixedRun.length]);
  assertSameList(run, fixedRun);
});

test('lower case and the letters I, L and O are read as the reference corrects them', async () => {
  const confusable = { 0: '0oO', 1: '1iIlL' };
  const spelled = ids.map((id, n) => [...id].map((char, i) => {
    const spellings = confusable[char] ?? char + char.toLowerCase();
    return spellings[(n + i) % spellings.length];
  }).join(''));
  const read = await column('SELECT unnest($1::text[])::ulid', [spelled]);
  assertSameList(read, spelled.map((text) => fixULIDBase32(text).toUpperCase()));
  assertSameList(read, ids);
});

// Ours, read by the reference.

function assertReadable(rows) {
  assert.equal(rows.length, COUNT, 'number of rows');
  assertSameList(rows.map(([id]) => isValid(id)), rows.map(() => true));
  assertSameList(rows.map(([id]) => decodeTime(id)), rows.map(([, unixMs]) => Number(unixMs)));
}

for (const call of ['gen_ulid()', 'gen_random_ulid()']) {
  test(`${COUNT} of ${call} are valid and of the present time to the reference`, async () => {
    const rows = await query(`
      SELECT id, (ulid_parse(id)).unix_ms, extract(epoch FROM before) * 1000, extract(epoch FROM after) * 1000
      FROM (SELECT n, clock_timestamp() AS before, ${call} AS id, clock_timestamp() AS after
            FROM generate_series(1, $1) AS n OFFSET 0) AS made ORDER BY n`,
    [COUNT]);
    assertReadable(rows);
    const astray = rows.find(([id, , before, after]) =>
      decodeTime(id) < Math.floor(before) || decodeTime(id) > Math.floor(after));
    assert.equal(astray, undefined, 'made at another time than its own');
    if (call === 'gen_ulid()') {
      const fall = rows.findIndex(([id], i) => i > 0 && rows[i - 1][0] >= id);
      assert.equal(fall, -1, `row ${fall} is not greater than the one before`);
    } else {
      assert.equal(new Set(rows.map(([id]) => id.slice(10))).size, COUNT, 'distinct randomness');
    }
  });
}

test('gen_ulid() stays strictly increasing from one statement to the next', async () => {
  const made = [];
  for (let i = 0; i < 1000; i++) made.push(...await column('SELECT gen_ulid()'));
  assertSameList(made, [...new Set(made)].sort());
});

test(`${COUNT} of gen_ulid(timestamptz) hold the time of the JavaScript Date they were given`, async () => {
  const given = [0, TIME_MAX, ...times, ...times].slice(0, COUNT);
  const rows = await query(`
    SELECT id, (ulid_parse(id)).unix_ms
    FROM (SELECT n, gen_ulid(t) AS id
          FROM unnest($1::timestamptz[]) WITH ORDINALITY AS u(t, n) OFFSET 0) AS made ORDER BY n`,
  [given.map((time) => new Date(time))]);
  assertReadable(rows);
  assertSameList(rows.map(([id]) => decodeTime(id)), given);
});

test('the cast from timestamptz is encodeTime and no randomness', async () => {
  const least = await column(
    'SELECT t::ulid FROM unnest($1::timestamptz[]) WITH ORDINALITY AS u(t, n) ORDER BY n',
    [times.map((time) => new Date(time))]);
  assertSameList(least, times.map((time) => encodeTime(time) + MIN_ULID.slice(10)));
});

// The pg client, with no type registered: what a program that has never heard of ulid sees.

const sample = '01JGFJJZ00XHF7E02JJ03AE4T7';
const TEXT_ARRAY = 1009; // pg_type.oid of text[]

test('a ulid result is a JavaScript string', async () => {
  const { rows } = await client.query('SELECT $1::ulid AS id, NULL::ulid AS nothing', [sample]);
  assert.deepEqual(rows, [{ id: sample, nothing: null }]);
});

test('a parameter needs no cast where a ulid is expected', async () => {
  const { rows } = await client.query({
    name: 'by id', text: 'SELECT seq FROM copied WHERE id = $1', values: [ids[2]],
  });
  assert.deepEqual(rows, [{ seq: '2' }]);
  const count = async (condition, values) =>
    Number(await column(`SELECT count(*) FROM copied WHERE ${condition}`, values));
  assert.equal(await count('id = ANY ($1)', [ids.slice(0, 1000)]), 1000);
  assert.equal(await count('id BETWEEN $1 AND $2', [fixedRun[0], fixedRun.at(-1)]), fixedRun.length);
});

test('DEFAULT gen_ulid() comes back by RETURNING and finds its row', async () => {
  await client.query('CREATE TABLE made (id ulid PRIMARY KEY DEFAULT gen_ulid(), note text)');
  const [id] = await column('INSERT INTO made (note) VALUES ($1) RETURNING id', ['first']);
  assert.ok(isValid(id));
  assert.deepEqual(await column('SELECT note FROM made WHERE id = $1', [id]), ['first']);
});

test('a ulid[] result is the array text, and pg reads ulid[]::text[] as an array', async () => {
  const list = [sample, null, MAX_ULID];
  const [[array, asText]] = await query('SELECT $1::ulid[], $1::ulid[]::text[]', [list]);
  assert.equal(array, `{${sample},NULL,${MAX_ULID}}`);
  assert.deepEqual(asText, list);
});

test('a parser registered for the array type gives a JavaScript array', async () => {
  const [oid] = await column("SELECT 'ulid[]'::regtype::oid");
  const types = {
    getTypeParser: (id, format) => pg.types.getTypeParser(id === oid ? TEXT_ARRAY : id, format),
  };
  const { rows } = await client.query({ text: 'SELECT $1::ulid[] AS ids', values: [[sample, null]], types });
  assert.deepEqual(rows, [{ ids: [sample, null] }]);
});

test('json holds a ulid as a string', async () => {
  const [row] = await column('SELECT jsonb_build_object($2::text, $1::ulid)', [sample, 'id']);
  assert.deepEqual(row, { id: sample });
});

const syntax = (text) => `invalid input syntax for type ulid: "${text}"`;
for (const [what, code, message, text, value] of [
  ['an empty text', '22P02', syntax(''), 'SELECT $1::ulid', ''],
  ['25 characters', '22P02', syntax(sample.slice(1)), 'SELECT $1::ulid', sample.slice(1)],
  ['27 characters', '22P02', syntax(`${sample}0`), 'SELECT $1::ulid', `${sample}0`],
  ['a letter U', '22P02', syntax(sample.replace('X', 'U')), 'SELECT $1::ulid', sample.replace('X', 'U')],
  ['a UUID with a character too many', '22P02', syntax(ulidToUUID(sample) + '0'), 'SELECT $1::ulid', ulidToUUID(sample) + '0'],
  ['a date', '22P02', syntax('2025-01-01'), 'SELECT $1::ulid', '2025-01-01'],
  ['a bad element of a ulid[]', '22P02', syntax('bad'), 'SELECT $1::ulid[]', [sample, 'bad']],
  ['a bad parameter of =', '22P02', syntax('bad'), 'SELECT 1 FROM copied WHERE id = $1', 'bad'],
  ['a ULID above the largest', '22003', 'value "80000000000000000000000000" is out of range for type ulid',
    'SELECT $1::ulid', '80000000000000000000000000'],
  ['a Date before 1970', '22008', undefined, 'SELECT gen_ulid($1)', new Date(-1)],
  ['a Date past the last', '22008', undefined, 'SELECT gen_ulid($1)', new Date(TIME_MAX + 1)],
  ['the successor of the last of a millisecond', '2200H', undefined,
    'SELECT ulid_next($1, ulid_timestamp($1))', '01BX5ZZKBKZZZZZZZZZZZZZZZZ'],
]) {
  test(`${what} is refused with ${code}`, () =>
    assert.rejects(client.query(text, [value]), message ? { code, message } : { code }));
}

test('the connection is of use after every error', async () => {
  assert.deepEqual(await column('SELECT count(*) FROM copied'), [String(ids.length)]);
});
