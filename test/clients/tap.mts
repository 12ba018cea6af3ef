// Prints TAP, one line per test.
import { isDeepStrictEqual, inspect } from 'node:util';

export function equal(name: string, got: unknown, expected: unknown) {
  if (isDeepStrictEqual(got, expected)) {
    console.log(`ok - ${name}`);
  } else {
    console.log(`not ok - ${name}`);
    console.log(`got ${inspect(got)}\nexpected ${inspect(expected)}`.replace(/^/gm, '# '));
  }
}
