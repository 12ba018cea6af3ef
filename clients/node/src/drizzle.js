import { customType } from 'drizzle-orm/pg-core';

// Drizzle's own reading of arrays knows neither NULL nor `[2:3]={...}`. No id is spelled so.
const fromDriver = value => {
  const id = value?.slice(value.lastIndexOf('{') + 1);
  return id === 'NULL' ? null : id;
};
const column = customType({ dataType: () => 'ulid', fromDriver });

export function ulid(name) {
  const builder = name === undefined ? column() : column(name);
  builder.config.dataType = 'string'; // what drizzle-zod asks for
  return builder;
}
