// What a user writes: tsc --strict checks it, here and, by package.test.mts, with the installed package.
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { createInsertSchema } from 'drizzle-zod';
import pg from 'pg';
import { isValid, parse } from 'pgulid';
import { ulid } from 'pgulid/drizzle';
import { registerUlidArrays } from 'pgulid/pg';
import { ulidArrayParser } from 'pgulid/prisma';
import { ulid as ulidSchema } from 'pgulid/zod';
import { PrismaPg } from '@prisma/adapter-pg';

const room = pgTable('room', { id: ulid().primaryKey().$defaultFn(() => parse('01HWT0D7G004HMASW9NF6YY081')),
  name: text().notNull(), owner: ulid('owner_id').notNull(), parent: ulid(), guests: ulid().array().notNull() });
const pool = new pg.Pool({ onConnect: registerUlidArrays });
const db = drizzle(pool);

export async function types(value: unknown) {
  const [row] = await db.select().from(room);
  const id: string = row.id, guests: string[] = row.guests, parent: string | null = row.parent;
  await db.insert(room).values({ name: 'a', owner: id, guests });
  // @ts-expect-error: it has no owner
  await db.insert(room).values({ name: 'a', guests });
  // @ts-expect-error: not a number
  await db.insert(room).values({ name: 'a', owner: 5, guests });
  const schema = createInsertSchema(room, { owner: () => ulidSchema() });
  const owner: string = schema.parse(value).owner;
  // @ts-expect-error: not any
  const number: number = schema.parse(value).owner;
  if (isValid(value)) value.toUpperCase();
  // @ts-expect-error: an option of Prisma's is a function
  new PrismaPg({}, { userDefinedTypeParser: 5 });
  return [new PrismaPg({}, { userDefinedTypeParser: ulidArrayParser() }), owner, parent, number];
}
