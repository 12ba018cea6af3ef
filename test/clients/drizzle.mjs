// Drizzle.
import { mkdir, writeFile } from 'node:fs/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { and, eq, gte, inArray, lt } from 'drizzle-orm';
import pg from 'pg';
import { equal, rejects, done } from './tap.mjs';

// snippet: type
import { sql } from 'drizzle-orm';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';

const ulid = customType({ dataType: () => 'ulid' });
const time = date => sql`${date.toISOString()}::timestamptz`;

const message = pgTable('message', {
  id: ulid('id').primaryKey().default(sql`gen_ulid()`),
  body: text('body'),
});
// end

const noon = new Date('2024-05-01T12:00:00Z');
const hours = n => new Date(noon.getTime() + n * 3600e3);
const ids = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];

const client = new pg.Client();
await client.connect();
const db = drizzle(client);

// The files that drizzle-kit writes for this table.
await mkdir('drizzle/meta', { recursive: true });
await writeFile('drizzle/meta/_journal.json', JSON.stringify({ version: '7', dialect: 'postgresql',
  entries: [{ idx: 0, version: '7', when: 1, tag: '0000_message', breakpoints: true }] }));
await writeFile('drizzle/0000_message.sql',
  'CREATE TABLE "message" ("id" "ulid" PRIMARY KEY DEFAULT gen_ulid() NOT NULL, "body" text);');
await migrate(db, { migrationsFolder: 'drizzle' });

const [{ id }] = await db.insert(message).values({ body: 'hello' }).returning({ id: message.id });
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
const [found] = await db.select().from(message).where(eq(message.id, id));
equal('lookup by the id', found, { id, body: 'hello' });
await db.delete(message);

await db.insert(message).values(ids.map(id => ({ id, body: 'x' })));
equal('out as they went in, and in order', await db.select({ id: message.id }).from(message).orderBy(message.id),
  ids.map(id => ({ id })));
// snippet: range
const rows = await db.select().from(message)
  .where(and(gte(message.id, time(hours(1))), lt(message.id, time(hours(2)))));
// end
equal('range by time', rows, [{ id: ids[1], body: 'x' }]);
equal('any of many',
  await db.select({ id: message.id }).from(message).where(inArray(message.id, [ids[0], ids[2]])).orderBy(message.id),
  [{ id: ids[0] }, { id: ids[2] }]);

await rejects('a bad text is refused', '22P02', async () => db.select().from(message).where(eq(message.id, 'no ulid')));
await client.end();
done();
