// Sequelize: a smoke test.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DataTypes, literal, Op, Sequelize } from 'sequelize';
import { makeDatabase, PGHOST, PGPORT, PGUSER } from './server.mts';
import { fails, finds, ids } from './shared.mts';

after(() => db.close());
const database = await makeDatabase('sequelize');

const db = new Sequelize({ dialect: 'postgres', host: PGHOST, port: Number(PGPORT), username: PGUSER, database,
  logging: false });
const Message = db.define('message', {
  id: { type: 'ulid', primaryKey: true, defaultValue: literal('gen_ulid()') },
  body: DataTypes.TEXT,
  answers: { type: 'ulid', references: { model: 'message', key: 'id' } },
}, { tableName: 'message', timestamps: false });
const time = (date: Date) => literal(`${db.escape(date)}::timestamptz`);
const between = (begin: Date, end: Date) => Message.findAll({
  where: { id: { [Op.gte]: time(begin), [Op.lt]: time(end) } },
});

test('ids by default and by value, NULL and lists', async () => {
  await db.query('DROP TABLE message');
  await db.sync();
  const { id } = (await Message.create({ body: 'hello' })).get();
  assert.deepEqual((await Message.findByPk(id.toLowerCase()))?.get(), { id, body: 'hello', answers: null });
  await Message.bulkCreate(ids.map(id => ({ id, answers: id })));
  const rows = await Message.findAll({ where: { id: ids.slice(1) }, order: ['id'] });
  assert.deepEqual(rows.map(row => row.get('id')), ids.slice(1));
});
test('it has no arrays', () => fails('this.type.toSql is not a function',
  () => db.define('other', { ids: DataTypes.ARRAY('ulid' as any) }).sync()));
finds({ one: id => Message.findByPk(id),
  between: async (begin, end) => (await between(begin, end)).map(row => row.get()),
  state: 'parent.code' });
