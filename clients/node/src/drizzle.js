import { entityKind } from 'drizzle-orm';
import { PgColumn, PgColumnBuilder } from 'drizzle-orm/pg-core';

class UlidColumn extends PgColumn {
  static [entityKind] = 'UlidColumn';

  getSQLType() {
    return 'ulid';
  }

  // Drizzle takes the text of arrays apart itself, but knows neither NULL nor `[2:3]={...}`. No id is spelled so.
  mapFromDriverValue(value) {
    const id = value && value.slice(value.lastIndexOf('{') + 1);
    return id === 'NULL' ? null : id;
  }
}

class UlidBuilder extends PgColumnBuilder {
  static [entityKind] = 'UlidBuilder';

  constructor(name) {
    super(name, 'string', 'PgUlid');
  }

  build(table) {
    return new UlidColumn(table, this.config);
  }
}

export const ulid = (name = '') => new UlidBuilder(name);
