// What the checks are given: the statements of doc/managed.md, and the files that run has written.
import { readFile } from 'node:fs/promises';

const text = (file) => readFile(file, 'utf8');
const managed = await text(process.env.PAGE);
const blocks = (heading, language) => {
  const section = managed.split(/^(?=#+ )/m).find(part => part.match(/^#+ (.*)/)?.[1] === heading);
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(match => match[1]);
};

const copies = blocks('A database from a server, and back', 'js');
export const page = {
  table: blocks('A table', 'sql')[0],
  check: blocks('A check, and a column of the time', 'sql')[0],
  // The SQL of the last block of JavaScript: before the file is read, and after.
  back: copies[0].match(/= await db\.query\("(.*)"\);/)[1],
  dump: [...copies[1].matchAll(/db\.exec\(['`]([^'`]*)['`]\)/g)].map(match => match[1]),
};
export const files = { copy: await text('message.copy'), inserts: await text('message.sql'), texts: (await text('texts')).trimEnd() };

export function print(results, where = `Node ${process.version}`) {
  console.log(`# ${where}`);
  results.forEach(([name, got, expected], i) => {
    console.log(`${got === expected ? 'ok' : 'not ok'} ${i + 1} - ${name}`);
    if (got !== expected) console.log(`# got ${got}\n# expected ${expected}`);
  });
  console.log(`1..${results.length}`);
}
