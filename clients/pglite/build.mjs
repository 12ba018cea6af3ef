// Writes sql.js: ../sql/ulid_sql.sql as a module, for browsers too.
import { readFileSync, writeFileSync } from 'node:fs';

const sql = readFileSync(new URL('../sql/ulid_sql.sql', import.meta.url), 'utf8');
writeFileSync(new URL('sql.js', import.meta.url), `export default ${JSON.stringify(sql)};\n`);
