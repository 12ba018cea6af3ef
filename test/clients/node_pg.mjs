// pg of npm: parameters in text and in binary, results in text.
import pg from 'pg';
import { equal, rejects, done } from './tap.mjs';

const noon = new Date('2024-05-01T12:00:00Z');
const hours = n => new Date(noon.getTime() + n * 3600e3);
const ids = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];

const client = new pg.Client();
await client.connect();
await client.query('CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)');

// snippet: plain
const { rows: [{ id }] } = await client.query("INSERT INTO message (body) VALUES ('hello') RETURNING id");
const { rows: [{ body }] } = await client.query('SELECT body FROM message WHERE id = $1', [id]);
// end
equal('a default comes back as text', [typeof id, id.length], ['string', 26]);
equal('a text finds its row', body, 'hello');
await client.query('DELETE FROM message');

// snippet: arrays
// Arrays as those of text, whose parser pg has.
const { rows: [type] } = await client.query("SELECT typarray FROM pg_type WHERE oid = 'ulid'::regtype");
pg.types.setTypeParser(type.typarray, pg.types.getTypeParser(1009));
// end

const query = async (text, values) => (await client.query({ text, values, rowMode: 'array' })).rows;
for (const id of ids)
  await query("INSERT INTO message VALUES ($1, 'x')", [id]);
equal('out as they went in, and null',
  await query('SELECT id, NULL::ulid FROM message ORDER BY id'), ids.map(id => [id, null]));
equal('arrays in and out',
  await query('SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)', [[ids[0], ids[2]]]),
  [[[ids[0], ids[2]]]]);
// snippet: range
const rows = await query('SELECT id FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz',
  [hours(1), hours(2)]);
// end
equal('range by time', rows, [[ids[1]]]);

// snippet: binary
const [[bytes]] = await query('SELECT id::bytea FROM message WHERE id = $1', [ids[1]]); // a Buffer
const [[same]] = await query('SELECT id FROM message WHERE id = $1', [bytes]);
// end
equal('16 bytes come back', bytes.toString('hex'), '018f343d8c800123456789abcdef0202');
equal('16 bytes, sent in binary, find their row', same, ids[1]);

await rejects('a bad text is refused', '22P02', () => client.query('SELECT $1::ulid', ['no ulid']));
await client.end();
done();
