// The ids of other packages: npm's ulid, and TypeIDs.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { TypeID } from 'typeid-js';
import { decodeTime, isValid, ulid } from 'ulid';
import { makeDatabase } from './server.mts';

after(() => pool.end());
await makeDatabase('ulid');
const pool = new pg.Pool();

test('typeid-js makes the text of a ulid from each UUID, and back', async () => {
  const { rows } = await pool.query(
    'SELECT id, lower(id::ulid::text) AS text FROM (SELECT gen_uuidv7() AS id FROM generate_series(1, 2000)) _');
  assert.equal(rows.filter(({ id, text }) => TypeID.fromUUID('user', id).getSuffix() === text).length, 2000);
  assert.equal(rows.filter(({ id, text }) => TypeID.fromString(`user_${text}`).toUUID() === id).length, 2000);
});
for (const call of ['gen_ulid()', 'gen_random_ulid()']) {
  test(`npm's ulid reads ${call}`, async () => {
    const { rows } = await pool.query(`SELECT id, (ulid_parse(id)).unix_ms
      FROM (SELECT ${call} AS id FROM generate_series(1, 1000)) _`);
    assert.equal(rows.filter(({ id, unix_ms }) => isValid(id) && decodeTime(id) === Number(unix_ms)).length, 1000);
  });
}
test("the server reads npm's ulids", async () => {
  const theirs = Array.from({ length: 1000 }, () => ulid());
  const { rows } = await pool.query('SELECT id::ulid::text FROM unnest($1::text[]) id', [theirs]);
  assert.deepEqual(rows.map(({ id }) => id), theirs);
});
