import type { PgColumnBuilder } from 'drizzle-orm/pg-core';

export type UlidBuilder<Name extends string> = PgColumnBuilder<{ name: Name; dataType: 'string';
  columnType: 'PgUlid'; data: string; driverParam: string; enumValues: undefined }>;

/** A column of the type `ulid`. Ids are strings. */
export function ulid(): UlidBuilder<''>;
export function ulid<Name extends string>(name: Name): UlidBuilder<Name>;
