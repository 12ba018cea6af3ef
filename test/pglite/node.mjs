// The checks in Node. Prints TAP, and writes back.copy, for the server.
import { PGlite } from '@electric-sql/pglite';
import { live } from '@electric-sql/pglite/live';
import { ulid } from 'postgresql-ulid-pglite';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { checks } from './checks.mjs';
import { files, print } from './input.mjs';

const { results, back } = await checks({ PGlite, live, ulid }, await mkdtemp('./stored-'), files);
await writeFile('back.copy', back);
print(results);
