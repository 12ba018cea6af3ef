// TypeORM.
import typeorm from 'typeorm';
import { equal, fails, hours, ids, done, mixed, restoredFrom, stored } from './tap.mjs';
import { Message, between, pageAfter, messages, source, those } from './message_typeorm.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';
import { toUuid } from './uuid_or_ulid.mjs';

const { DataSource, EntitySchema, IsNull } = typeorm;
const planned = async source => (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

await fails('Data type "ulid" in "Message.id" is not supported by "postgres" database.',
  () => new DataSource({ ...source.options, entities: [Message] }).initialize());
// Mapped as what it is not, the column would be made anew.
for (const type of ['uuid', 'text']) {
  const wrong = new DataSource({ ...source.options, entities: [new EntitySchema({ name: 'Wrong', tableName: 'message',
    columns: { id: { type, primary: true, default: () => 'gen_ulid()' }, body: { type: 'text', nullable: true } } })] });
  await wrong.initialize();
  await fails('ALTER TABLE "message" DROP COLUMN "id"', async () => { throw new Error(await planned(wrong)); });
  await wrong.destroy();
}
// In the first step of a move: the default of the database, and the two mappings.
for (const [mapping, plan] of [[{ generated: 'uuid' }, ['SET DEFAULT gen_random_uuid()', 'DROP DEFAULT']], [{ default: () => 'gen_ulid()' }, []]]) {
  const first = new DataSource({ ...source.options, uuidExtension: 'pgcrypto', entities: [new EntitySchema({ name: 'First', tableName: 'first',
    columns: { id: { type: 'uuid', primary: true, ...mapping }, body: { type: 'text', nullable: true } } })] });
  await first.initialize();
  await first.query('DROP TABLE IF EXISTS first');
  await first.synchronize();
  await first.query('ALTER TABLE first ALTER id SET DEFAULT gen_ulid()');
  equal('after the default alone', (await planned(first)).map(query => query.replace('ALTER TABLE "first" ALTER COLUMN "id" ', '')), plan);
  equal('the id comes back', (await first.getRepository('First').save({ body: 'new' })).id.length, 36);
  await first.query('DROP TABLE first');
  await first.destroy();
}
await source.initialize();
await source.query('DROP TABLE message');
const log = await planned(source);
await source.synchronize();
equal('the columns made', await source.query(`SELECT array_agg(format_type(atttypid, atttypmod)::text ORDER BY attname) AS types
  FROM pg_attribute WHERE attrelid = 'message'::regclass AND attnum > 0`), [{ types: ['ulid', 'text', 'ulid', 'ulid[]'] }]);
equal('and there is no difference afterwards', await planned(source), []);
await source.query('ALTER TABLE message ALTER mentions TYPE uuid[]');
equal('an array that a move has left', await planned(source), ['ALTER TABLE "message" DROP COLUMN "mentions"', 'ALTER TABLE "message" ADD "mentions" ulid array']);
await source.query('ALTER TABLE message ALTER mentions TYPE ulid[]');
equal('restored from schema:log', restoredFrom(log.join(';\n')), 'same\n');

const message = await messages.save({ body: 'hello' });
equal('the id comes back from save', [typeof message.id, message.id.length], ['string', 26]);
equal('lookup by the id', (await messages.findOneBy({ id: message.id })).body, 'hello');
equal('saved again, it is the same row', [await messages.save({ ...message, body: 'changed' }), await messages.count()][1], 1);
equal('removed', [await messages.remove(message), await messages.count()][1], 0);
equal('the ids come back from insert', (await messages.insert([{ body: 'a' }, { body: 'b' }])).identifiers.map(({ id }) => id.length), [26, 26]);
await messages.clear();
const rows = mixed();
await messages.insert(rows);
stored('given and generated ids, by insert', rows, await messages.find());
await messages.clear();
stored('given and generated ids, by save', await messages.save(mixed()), await messages.find());
const [left] = (await messages.createQueryBuilder().insert().values([{ id: ids[0], body: 'left out' }, { body: 'next' }]).orIgnore()
  .execute()).identifiers;
equal('conflicts ignored, as the page says', left.id, (await messages.findOneBy({ body: 'next' })).id);
await fails('duplicate key value violates unique constraint', () => messages.save({ id: ids[0].toLowerCase(), body: 'b' }));
await messages.clear();
await messages.insert(ids.map(id => ({ id, body: 'x', mentions: ids })));
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('range by time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
await registerUlidArrays({ query: async text => ({ rows: await source.query(text) }) });
equal('an array column, and null', (({ mentions, answersId }) => ({ mentions, answersId }))((await those([ids[0]]))[0]),
  { mentions: ids, answersId: null });
await messages.update(ids[0], { answersId: ids[1] });
equal('a relation', (await messages.findOne({ where: { id: ids[0] }, relations: { answers: true } })).answers.id, ids[1]);
const related = async (orphanedRowAction, work) => {
  const Both = new EntitySchema({ name: 'Both', tableName: 'message', columns: { id: { type: 'ulid', primary: true } }, relations: {
    answers: { type: 'many-to-one', target: 'Both', inverseSide: 'answered', joinColumn: { name: 'answers' }, orphanedRowAction },
    answered: { type: 'one-to-many', target: 'Both', inverseSide: 'answers' },
  } });
  const both = new DataSource({ ...source.options, entities: [Both] });
  both.driver.supportedDataTypes.push('ulid');
  await both.initialize();
  await work(id => both.getRepository('Both').save({ id: ids[1], answered: [{ id }] }));
  await both.destroy();
};
await related('nullify', async answer => {
  await answer(ids[0]);
  equal('a relation by its ids', await messages.countBy({ answersId: ids[1] }), 1);
  await answer(toUuid(ids[0]));
  equal('by an id in the other form the reference is taken away, as the page says', await messages.countBy({ answersId: ids[1] }), 0);
});
equal('is null', await messages.countBy({ answersId: IsNull() }), 3);
await fails('invalid input syntax for type ulid: "no ulid"', () => messages.findOneBy({ id: 'no ulid' }));
await messages.update(ids[0], { answersId: ids[1] });
await related('delete', answer => answer(toUuid(ids[0])));
equal('or the row is deleted', await messages.countBy({ id: ids[0] }), 0);
await source.destroy();
done();
