// TypeORM.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { registerUlidArrays } from 'pgulid/pg';
import { type ColumnType, Column, DataSource, Entity, EntitySchema, JoinColumn, ManyToOne, PrimaryColumn,
  Raw } from 'typeorm';
import { makeDatabase, PGHOST, PGPORT, PGUSER } from './server.mts';
import { columns, fails, made, stores } from './shared.mts';

after(() => source.destroy());
const database = await makeDatabase('typeorm');

const ulid = 'ulid' as string as ColumnType;

@Entity('message')
class Message {
  @PrimaryColumn({ type: ulid, default: () => 'gen_ulid()' }) id!: string;
  @Column({ type: 'text', nullable: true }) body?: string | null;
  @Column({ name: 'answers', type: ulid, nullable: true }) answersId?: string | null;
  @ManyToOne(() => Message) @JoinColumn({ name: 'answers' }) answers?: Message;
  @Column({ type: ulid, array: true, nullable: true }) mentions?: string[] | null;
}

const options = { type: 'postgres' as const, host: PGHOST, port: Number(PGPORT), username: PGUSER, database,
  installExtensions: false, extra: { onConnect: registerUlidArrays } };
const source = new DataSource({ ...options, entities: [Message] });
source.driver.supportedDataTypes.push(ulid); // before initialize()
const messages = source.getRepository(Message);

const between = (begin: Date, end: Date) => messages.findBy({
  id: Raw(id => `${id} >= :begin::timestamptz AND ${id} < :end::timestamptz`, { begin, end }),
});

const planned = async (source: DataSource) =>
  (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
test('the type must be named', () => fails('Data type "ulid" in "Message.id" is not supported by "postgres" database.',
  () => new DataSource({ ...options, entities: [Message] }).initialize()));
for (const type of ['uuid', 'text'] as const) {
  test(`a column that is mapped as ${type} would be lost`, async () => {
    const wrong = new DataSource({ ...options, entities: [new EntitySchema({ name: 'Wrong', tableName: 'message',
      columns: { id: { type, primary: true, default: () => 'gen_ulid()' },
        body: { type: 'text', nullable: true } } })] });
    await wrong.initialize();
    assert.ok(String(await planned(wrong)).includes('ALTER TABLE "message" DROP COLUMN "id"'));
    await wrong.destroy();
  });
}
test('synchronize', async () => {
  await source.initialize();
  await source.query('DROP TABLE message');
  await source.synchronize();
  assert.deepEqual((await source.query(columns))[0], made);
  assert.deepEqual(await planned(source), []);
});
stores({ add: rows => messages.save(rows), clear: () => messages.clear(),
  one: id => messages.findOneBy({ id }), between, state: 'code' });
