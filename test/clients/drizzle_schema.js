// For drizzle.mjs, and for drizzle-kit.
import { sql } from 'drizzle-orm';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';

export const ulid = customType({ dataType: () => 'ulid' });

export const message = pgTable('message', {
  id: ulid('id').primaryKey().default(sql`gen_ulid()`),
  body: text('body'),
  answers: ulid('answers').references(() => message.id),
  mentions: ulid('mentions').array(),
});
