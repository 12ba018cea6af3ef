// postgres of npm, which speaks text only, and COPY in binary.
import { pipeline } from 'node:stream/promises';
import { equal, fails, hours, ids, done, mixed, stored } from './tap.mjs';
import { add, addMany, between, pageAfter, sql, those } from './message_postgres.mjs';

const id = await add('hello');
equal('a default comes back as text', [typeof id, id.length], ['string', 26]);
equal('a text finds its row', [...await those([id])], [{ id, body: 'hello' }]);
await sql`DELETE FROM message`;

const told = await addMany(mixed());
stored('given and generated ids', told.map(({ id }, i) => ({ ...mixed()[i], id })), await sql`SELECT id, body FROM message`);
await sql`DELETE FROM message`;
await sql`INSERT INTO message ${sql(mixed())}`;
equal('what the page warns of', [...await sql`SELECT FROM message WHERE id = ${ids[0]}`].length, 0);
await sql`DELETE FROM message`;
equal('many at once', [...await addMany(ids.map(id => ({ id, body: 'x' })))], ids.map(id => ({ id })));
equal('out as they went in, and null',
  await sql`SELECT id, NULL::ulid FROM message ORDER BY id`.values().then(rows => [...rows]),
  ids.map(id => [id, null]));
equal('arrays in and out',
  [...await sql`SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY(${[ids[0], ids[2]]})`.values()],
  [[[ids[0], ids[2]]]]);
equal('range by time', [...await between(hours(1), hours(2))], [{ id: ids[1], body: 'x' }]);
equal('to the millisecond', [...await between(hours(1, 1), hours(2, 1))], [{ id: ids[2], body: 'x' }]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
equal('NULL in an array, as the page says', (await sql`SELECT ${[ids[0], null]}::ulid[] AS ids, to_json(${[ids[0], null]}::ulid[]) AS json`)[0],
  { ids: [ids[0], 'NULL'], json: [ids[0], null] });

const connection = await sql.reserve();
const chunks = [];
for await (const chunk of await connection`COPY message TO STDOUT (FORMAT binary)`.readable()) chunks.push(chunk);
await connection`TRUNCATE message`;
await pipeline(chunks, await connection`COPY message FROM STDIN (FORMAT binary)`.writable());
connection.release();
equal('COPY in binary, both ways', [...await sql`SELECT id FROM message ORDER BY id`], ids.map(id => ({ id })));

await fails('invalid input syntax for type ulid: "no ulid"', async () => sql`SELECT ${'no ulid'}::ulid`);
await fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000Z"',
  async () => sql`SELECT FROM message WHERE id >= ${hours(1).toISOString()}`);
await fails('operator does not exist: ulid = text', async () => sql`SELECT FROM message WHERE id = ANY(${ids}::text[])`);
await sql.end();
done();
