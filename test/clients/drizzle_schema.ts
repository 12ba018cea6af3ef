// For drizzle.mjs, and for drizzle-kit.
import { type AnyPgColumn, customType, pgTable, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';

export const ulid = customType<{ data: string }>({ dataType: () => 'ulid' });

export const message = pgTable('message', {
  id: ulid('id').primaryKey().default(sql`gen_ulid()`),
  body: text('body'),
  answers: ulid('answers').references((): AnyPgColumn => message.id),
  mentions: ulid('mentions').array(),
});
