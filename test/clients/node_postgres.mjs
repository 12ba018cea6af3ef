// postgres of npm, which speaks text only, and COPY in binary.
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import { equal, rejects, done } from './tap.mjs';

const noon = new Date('2024-05-01T12:00:00Z');
const hours = n => new Date(noon.getTime() + n * 3600e3);
const ids = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];

const sql = postgres({ host: process.env.PGHOST, max: 1 });
await sql`CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)`;

// snippet: plain
const [{ id }] = await sql`INSERT INTO message (body) VALUES ('hello') RETURNING id`;
const [{ body }] = await sql`SELECT body FROM message WHERE id = ${id}`;
// end
equal('a default comes back as text', [typeof id, id.length], ['string', 26]);
equal('a text finds its row', body, 'hello');
await sql`DELETE FROM message`;

await sql`INSERT INTO message ${sql(ids.map(id => ({ id, body: 'x' })))}`;
equal('out as they went in, and null',
  await sql`SELECT id, NULL::ulid FROM message ORDER BY id`.values().then(rows => [...rows]),
  ids.map(id => [id, null]));
equal('arrays in and out',
  [...await sql`SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY(${[ids[0], ids[2]]})`.values()],
  [[[ids[0], ids[2]]]]);
// snippet: range
const rows = await sql`
  SELECT id FROM message WHERE id >= ${hours(1)}::timestamptz AND id < ${hours(2)}::timestamptz`;
// end
equal('range by time', [...rows], [{ id: ids[1] }]);

const chunks = [];
for await (const chunk of await sql`COPY message TO STDOUT (FORMAT binary)`.readable()) chunks.push(chunk);
await sql`TRUNCATE message`;
await pipeline(chunks, await sql`COPY message FROM STDIN (FORMAT binary)`.writable());
equal('COPY in binary, both ways', [...await sql`SELECT id FROM message ORDER BY id`], ids.map(id => ({ id })));

await rejects('a bad text is refused', '22P02', async () => sql`SELECT ${'no ulid'}::ulid`);
await sql.end();
done();
