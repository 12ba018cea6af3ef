// What the checks are given: the files that run has written. And how results are printed.
import { readFile } from 'node:fs/promises';

const text = (file) => readFile(file, 'utf8');
export const files = { copy: await text('message.copy'), inserts: await text('message.sql'), texts: (await text('texts')).trimEnd() };

export function print(results, where = `Node ${process.version}`) {
  console.log(`# ${where}`);
  results.forEach(([name, got, expected], i) => {
    console.log(`${got === expected ? 'ok' : 'not ok'} ${i + 1} - ${name}`);
    if (got !== expected) console.log(`# got ${got}\n# expected ${expected}`);
  });
  console.log(`1..${results.length}`);
}
