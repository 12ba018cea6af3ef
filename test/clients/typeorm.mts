// TypeORM.
import { type ColumnType, Column, DataSource, Entity, EntitySchema, JoinColumn, ManyToOne, PrimaryColumn,
  Raw } from 'typeorm';
import { columns, equal, fails, made, stores } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

// doc/clients/javascript.md: const ulid

const options = { type: 'postgres' as const, host: process.env.PGHOST, port: Number(process.env.PGPORT ?? 5432),
  username: process.env.PGUSER, database: process.env.PGDATABASE, installExtensions: false,
  extra: { onConnect: registerUlidArrays } };
const source = new DataSource({ ...options, entities: [Message] });
// doc/clients/javascript.md: source.driver.supportedDataTypes

const planned = async (source: DataSource) =>
  (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
await fails('Data type "ulid" in "Message.id" is not supported by "postgres" database.',
  () => new DataSource({ ...options, entities: [Message] }).initialize());
for (const type of ['uuid', 'text'] as const) {
  const wrong = new DataSource({ ...options, entities: [new EntitySchema({ name: 'Wrong', tableName: 'message',
    columns: { id: { type, primary: true, default: () => 'gen_ulid()' },
      body: { type: 'text', nullable: true } } })] });
  await wrong.initialize();
  await fails('ALTER TABLE "message" DROP COLUMN "id"', String(await planned(wrong)));
  await wrong.destroy();
}
await source.initialize();
await source.query('DROP TABLE message');
await source.synchronize();
equal('the columns', (await source.query(columns))[0], made);
equal('no difference afterwards', await planned(source), []);
await stores({ add: rows => messages.save(rows), clear: () => messages.clear(),
  one: id => messages.findOneBy({ id }), between, state: 'code' });
await source.destroy();
