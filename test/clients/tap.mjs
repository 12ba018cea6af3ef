// Prints TAP: a line a test.
import { isDeepStrictEqual, inspect } from 'node:util';

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

export async function rejects(name, code, work) {
  equal(name, await work().then(() => 'no error', error => (error.cause ?? error).code), code);
}

// Where the program dies before its end, the missing plan says so.
export function done() {
  console.log(`1..${count}`);
}
