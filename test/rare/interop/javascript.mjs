#!/usr/bin/env -S node --test-reporter=tap
// The extension against the JavaScript reference implementation (`ulid` of npm). Run by ./run, which
// names the database in the libpq environment and has created the extension there.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { decodeTime, encodeTime, fixULIDBase32, incrementBase32, isValid, monotonicFactory, ulid, ulidToUUID, MAX_ULID, MIN_ULID,
  TIME_MAX } from 'ulid';

const COUNT = 100_000;

// A zone with an odd offset, so that nothing is right only because the session is in UTC.
const client = new pg.Client({ options: '-c timezone=Asia/Kathmandu' });
await client.connect();
after(() => client.end());

// COUNT / 2 times from 1970 to 10889, both ends included, in no order. The reference takes a seedTime of 0 for "now",
// so the first is 1 ms; MIN_ULID stands for 0.
const half = COUNT / 2;
const times = Array.from({ length: half }, (_, i) => 1 + Math.round(((i * 7919) % half) * ((TIME_MAX - 1) / (half - 1))));

const running = monotonicFactory();
const ids = [MIN_ULID, MAX_ULID, ...times.map((time) => ulid(time)), ...Array.from({ length: half }, () => running())];

const query = async (text, values) => (await client.query({ text, values, rowMode: 'array' })).rows;
const column = async (text, values) => (await query(text, values)).map(([value]) => value);

// assert.deepEqual would print a diff of whole lists; the first difference says enough.
function assertSameList(actual, expected) {
  assert.equal(actual.length, expected.length, 'number of rows');
  const at = expected.findIndex((value, i) => value !== actual[i]);
  if (at >= 0) assert.equal(actual[at], expected[at], `row ${at}`);
}

test(`${ids.length} ULIDs come back as the same text`, async () => {
  await client.query('CREATE TABLE copied (seq bigint, id ulid PRIMARY KEY)');
  await query('INSERT INTO copied SELECT n, id::ulid FROM unnest($1::text[]) WITH ORDINALITY AS u(id, n)', [ids]);
  assertSameList(await column('SELECT id FROM copied ORDER BY seq'), ids);
});

test('the order is JavaScript\'s', async () => {
  assertSameList(await column('SELECT id FROM copied ORDER BY id'), [...ids].sort());
});

test('ulid_parse and ulid_timestamp give the milliseconds that decodeTime gives', async () => {
  for (const time of ['(ulid_parse(id)).unix_ms', 'extract(epoch FROM ulid_timestamp(id)) * 1000']) {
    assertSameList((await column(`SELECT ${time} FROM copied ORDER BY seq`)).map(Number), ids.map((id) => decodeTime(id)));
  }
});

test('the cast to uuid is ulidToUUID, and its text is read as that ULID', async () => {
  const uuids = ids.map((id) => ulidToUUID(id).toLowerCase());
  assertSameList(await column('SELECT id::uuid FROM copied ORDER BY seq'), uuids);
  assertSameList(await column('SELECT unnest($1::text[])::ulid', [uuids]), ids);
});

test('ulid_next at the same time is the reference increment', async () => {
  const next = await column('SELECT ulid_next(id, ulid_timestamp(id)) FROM copied WHERE id <> $1 ORDER BY seq', [MAX_ULID]);
  assertSameList(next, ids.filter((id) => id !== MAX_ULID).map((id) => incrementBase32(id)));
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
    const before = Date.now();
    const rows = await query(`SELECT id, (ulid_parse(id)).unix_ms FROM (
      SELECT n, ${call} AS id FROM generate_series(1, $1) AS n OFFSET 0) AS made ORDER BY n`, [COUNT]);
    const after = Date.now();
    assertReadable(rows);
    assert.equal(rows.find(([id]) => decodeTime(id) < before || decodeTime(id) > after), undefined);
  });
}

test(`${COUNT} of gen_ulid(timestamptz) hold the time of the JavaScript Date they were given`, async () => {
  const given = [0, TIME_MAX, ...times, ...times].slice(0, COUNT);
  const rows = await query(`SELECT id, (ulid_parse(id)).unix_ms FROM (SELECT n, gen_ulid(t) AS id
    FROM unnest($1::timestamptz[]) WITH ORDINALITY AS u(t, n) OFFSET 0) AS made ORDER BY n`, [given.map((time) => new Date(time))]);
  assertReadable(rows);
  assertSameList(rows.map(([id]) => decodeTime(id)), given);
});

test('the cast from timestamptz is encodeTime and no randomness', async () => {
  const query = 'SELECT t::ulid FROM unnest($1::timestamptz[]) WITH ORDINALITY AS u(t, n) ORDER BY n';
  assertSameList(await column(query, [times.map((time) => new Date(time))]), times.map((time) => encodeTime(time) + MIN_ULID.slice(10)));
});
