// TypeORM.
import { type ColumnType, Column, DataSource, Entity, EntitySchema, In, JoinColumn, ManyToOne, MoreThan,
  PrimaryColumn, Raw }
  from 'typeorm';
import { columns, equal, fails, ids, made, stores } from './tap.mjs';
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
await stores({ add: rows => messages.save(rows), all: () => messages.find(), clear: () => messages.clear(),
  one: id => messages.findOneBy({ id }), many: ids => messages.findBy({ id: In(ids) }), between,
  pageAfter: (id, take) => messages.find({ where: { id: MoreThan(id) }, order: { id: 'ASC' }, take }), state: 'code' });
await messages.update(ids[0], { answersId: ids[1] });
equal('a relation',
  (await messages.findOne({ where: { id: ids[0] }, relations: { answers: true } }))?.answers?.id, ids[1]);
const [left] = (await messages.createQueryBuilder().insert()
  .values([{ id: ids[0], body: 'left out' }, { body: 'next' }]).orIgnore()
  .execute()).identifiers;
equal('orIgnore mixes ids up', left.id, (await messages.findOneBy({ body: 'next' }))?.id);
await fails('duplicate key value violates unique constraint',
  () => messages.save({ id: ids[0].toLowerCase(), body: 'b' }));
await source.destroy();

// From uuid: first the tables, then the entity.
const boat = (type: ColumnType, call: string) => new DataSource({ ...options,
  entities: [new EntitySchema({ name: 'Boat', columns: {
  id: { type, primary: true, default: () => call }, tender: { type, nullable: true } } })] });
const before = boat('uuid', 'gen_random_uuid()');
await before.initialize();
await before.query('CREATE TABLE boat (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), tender uuid)');
await before.query('ALTER TABLE boat ALTER id TYPE ulid, ALTER id SET DEFAULT gen_ulid(), ALTER tender TYPE ulid');
await before.destroy();
const after = boat(ulid, 'gen_ulid()');
after.driver.supportedDataTypes.push(ulid);
await after.initialize();
equal('altered, it is that of the new entity', (await planned(after)).filter(query => query.includes('"boat"')), []);
await after.destroy();
