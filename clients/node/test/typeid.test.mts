// TypeIDs, of doc/recipes.md.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { TypeID } from 'typeid-js';
import { makeDatabase } from './server.mts';

after(() => pool.end());
await makeDatabase('typeid');
const pool = new pg.Pool();

test('typeid-js makes the text of a ulid from each UUID, and back', async () => {
  const { rows } = await pool.query(
    'SELECT id, lower(id::ulid::text) AS text FROM (SELECT gen_uuidv7() AS id FROM generate_series(1, 2000)) _');
  assert.equal(rows.filter(({ id, text }) => TypeID.fromUUID('user', id).getSuffix() === text).length, 2000);
  assert.equal(rows.filter(({ id, text }) => TypeID.fromString(`user_${text}`).toUUID() === id).length, 2000);
});
