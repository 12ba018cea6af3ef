#!/usr/bin/env -S node --test-reporter=./tap.mjs
// The extension against the JavaScript reference implementation (`ulid` of npm). Run by ./run, which
// names the database in the libpq environment and has created the extension there.

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
