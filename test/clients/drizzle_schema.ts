// For drizzle.mjs, and for drizzle-kit.
import { type AnyPgColumn, customType, pgTable, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';

// doc/clients/javascript.md: export const
