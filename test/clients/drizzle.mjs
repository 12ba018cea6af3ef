// Drizzle.
import { mkdir, writeFile } from 'node:fs/promises';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { eq, gte, sql } from 'drizzle-orm';
import { equal, fails, hours, ids, done, mixed, stored } from './tap.mjs';
import { add, between, db, message, pool, those } from './message_drizzle.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

await db.execute(sql`DROP TABLE message`);
// The files that drizzle-kit writes for this table.
await mkdir('drizzle/meta', { recursive: true });
await writeFile('drizzle/meta/_journal.json', JSON.stringify({ version: '7', dialect: 'postgresql',
  entries: [{ idx: 0, version: '7', when: 1, tag: '0000_message', breakpoints: true }] }));
await writeFile('drizzle/0000_message.sql', `CREATE TABLE "message" ("id" "ulid" PRIMARY KEY DEFAULT gen_ulid() NOT NULL,
  "body" text, "answers" "ulid" REFERENCES "message", "mentions" "ulid"[]);`);
await migrate(db, { migrationsFolder: 'drizzle' });

const id = await add({ body: 'hello' });
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
const [found] = await db.select().from(message).where(eq(message.id, id));
equal('lookup by the id, and null', found, { id, body: 'hello', answers: null, mentions: null });
await db.delete(message);

stored('given and generated ids', await db.insert(message).values(mixed()).returning(), await db.select().from(message));
await db.delete(message);
await db.insert(message).values(ids.map(id => ({ id, body: 'x', mentions: ids })));
equal('out as they went in, and in order', await db.select({ id: message.id }).from(message).orderBy(message.id),
  ids.map(id => ({ id })));
equal('range by time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('an array column', (await those([ids[0]]))[0].mentions, ids);
await registerUlidArrays(pool);
equal('an array column, with a parser too', (await those([ids[0]]))[0].mentions, ids);

await fails('invalid input syntax for type ulid: "no ulid"', async () => db.select().from(message).where(eq(message.id, 'no ulid')));
process.env.TZ = 'UTC';
await fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000+00:00"',
  async () => db.select().from(message).where(gte(message.id, hours(1))));
await pool.end();
done();
