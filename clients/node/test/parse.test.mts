// What needs no server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isValid, parse } from 'pgulid';
import { ulid } from 'pgulid/zod';
import { z } from 'zod';
import { cases, ids, reads, uuids } from './shared.mts';

test('parse reads what the server reads', () => reads(parse));
test('zod, too', () => reads(text => ulid().parse(text)));
test('isValid says whether it does', () => {
  assert.deepEqual(cases.filter(([text, expected]) => isValid(text) !== (expected.length === 26)), []);
});
test('a UUID has the same bytes', () => assert.deepEqual(uuids.map(parse), ids));
test('other values are errors', () => {
  for (const value of [5, {}, null, undefined, true, [ids[0]], new String(ids[0]), Symbol(), 10n ** 20n]) {
    assert.throws(() => parse(value), TypeError);
    assert.equal(ulid().safeParse(value).success, false);
  }
});
test('no letter of Unicode is folded into one of the alphabet', () => {
  const wrong = [];
  for (let code = 0x80; code < 0x10000; code++) {
    const letter = String.fromCharCode(code);
    if (isValid(letter + ids[0].slice(1)) || isValid(ids[0].slice(0, 25) + letter)) wrong.push(code);
  }
  assert.deepEqual(wrong, []);
});
test('zod: the message, and what JSON Schema says', () => {
  assert.equal(ulid().safeParse('nope').error?.issues[0].message, 'not a valid ULID');
  assert.equal(z.toJSONSchema(ulid()).type, 'string');
  assert.equal(z.object({ id: ulid().optional() }).parse({}).id, undefined);
});
