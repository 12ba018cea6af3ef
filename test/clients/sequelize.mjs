// Sequelize.
import { DataTypes, Op } from 'sequelize';
import { equal, fails, hours, ids, done, mixed, stored } from './tap.mjs';
import { Message, anyOf, between, pageAfter, sequelize, those } from './message_sequelize.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

await sequelize.query('DROP TABLE message');
await sequelize.sync();
await sequelize.sync({ alter: true });
equal('the columns made', (await sequelize.query(`SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) AS types
  FROM pg_attribute WHERE attrelid = 'message'::regclass AND attnum > 0`))[0], [{ types: 'ulid text ulid ulid[]' }]);
await registerUlidArrays({ query: async text => ({ rows: (await sequelize.query(text))[0] }) });

const message = await Message.create({ body: 'hello' });
equal('the id comes back from the insert', [typeof message.id, message.id.length], ['string', 26]);
equal('lookup by the id', (await Message.findByPk(message.id)).body, 'hello');
await message.update({ body: 'changed' });
equal('saved again, it is the same row', (await Message.findAll()).map(row => row.body), ['changed']);
await message.destroy();
equal('destroyed', await Message.count(), 0);
equal('the ids come back from bulkCreate', (await Message.bulkCreate([{ body: 'a' }, { body: 'b' }])).map(row => row.id.length), [26, 26]);
await Message.destroy({ where: {} });
stored('given and generated ids', await Message.bulkCreate(mixed()), await Message.findAll());
const unsaved = Message.build({ body: 'unsaved' });
await fails('violates foreign key constraint', () => Message.create({ body: 'its child', answersId: unsaved.id })); // another id
const [leftOut, none] = await Message.bulkCreate([{ id: ids[0], body: 'left out' }, { body: 'next' }], { ignoreDuplicates: true });
equal('duplicates ignored, as the page says', leftOut.id, (await Message.findOne({ where: { body: 'next' } })).id);
await fails('argument of WHERE must be type boolean, not type ulid', () => none.destroy());
await Message.destroy({ where: {} });
await Message.bulkCreate(ids.map(id => ({ id, body: 'x' })));
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('any of many, by ANY', (await anyOf([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('range by time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
const first = await Message.findByPk(ids[0]);
await first.update({ mentions: ids, answersId: ids[1] });
const read = await Message.findByPk(ids[0], { include: 'answers' });
equal('an array column', read.mentions, ids);
equal('a relation, and null', [read.answers.id, read.answers.answersId], [ids[1], null]);
for (const mentions of [[ids[1], null], []]) {
  equal('an array with null, and with nothing', (await (await first.update({ mentions })).reload()).mentions, mentions);
  equal('of a new row', (await Message.create({ mentions })).mentions, mentions);
}
await fails('cannot determine type of empty array', () => Message.bulkCreate([{ mentions: [] }]));
await fails('operator does not exist: ulid[] @> text[]', () => Message.findAll({ where: { mentions: { [Op.contains]: ids } } }));
equal('cast', [(await Message.bulkCreate([{ mentions: sequelize.cast('{}', 'ulid[]') }]))[0].mentions,
  (await Message.findAll({ where: { mentions: { [Op.contains]: sequelize.cast(`{${ids[1]}}`, 'ulid[]') } } })).length], [[], 1]);
await fails('invalid input syntax for type ulid: "no ulid"', () => Message.findByPk('no ulid'));
await fails('operator does not exist: ulid = integer', () => Message.findByPk(5));
await fails('invalid input syntax for type ulid: "2024-05-01 13:00:00.000 +00:00"',
  () => Message.findAll({ where: { id: { [Op.gte]: hours(1) } } }));
const Wrong = sequelize.define('Wrong', { id: { type: 'ulid', primaryKey: true }, mentions: DataTypes.ARRAY(DataTypes.UUID) },
  { tableName: 'message', timestamps: false });
await fails('invalid input syntax for type uuid: "01HWT0D7G004HMASW9NF6YY081"',
  () => Wrong.bulkCreate([{ id: ids[0], mentions: [ids[0]] }]));
const kept = sequelize.define('Kept', { id: { type: DataTypes.UUID, primaryKey: true }, answersId: { field: 'answers', type: DataTypes.UUID } },
  { tableName: 'message', timestamps: false });
await kept.sync({ alter: true });
equal('with the mapping of a uuid, alter takes the type of a column without references back, as the page says',
  (await sequelize.query(`SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) AS types
  FROM pg_attribute WHERE attrelid = 'message'::regclass AND attname IN ('id', 'answers')`))[0], [{ types: 'ulid uuid' }]);
await fails('USER-DEFINED', async () => { throw new Error((await sequelize.getQueryInterface().describeTable('message')).id.type); });
await sequelize.close();
done();
