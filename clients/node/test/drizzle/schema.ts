import { sql } from 'drizzle-orm';
import { type AnyPgColumn, pgTable, text } from 'drizzle-orm/pg-core';
import { ulid } from 'pgulid/drizzle';

export const message = pgTable('message', {
  id: ulid('id').primaryKey().default(sql`gen_ulid()`),
  body: text('body'),
  answers: ulid('answers').references((): AnyPgColumn => message.id),
  mentions: ulid('mentions').array(),
});
