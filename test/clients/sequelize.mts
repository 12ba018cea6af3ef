// Sequelize.
import { type CreationOptional, DataTypes, type InferAttributes, type InferCreationAttributes, Model,
  type NonAttribute, Op,
  Sequelize } from 'sequelize';
import type pg from 'pg';
import { columns, equal, fails, ids, made, stores } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

const sequelize = new Sequelize(process.env.PGDATABASE!, process.env.PGUSER!, '', {
  host: process.env.PGHOST, port: Number(process.env.PGPORT ?? 5432), dialect: 'postgres', logging: false });
sequelize.addHook('afterConnect', client => registerUlidArrays(client as pg.Client));

class Message extends Model<InferAttributes<Message>, InferCreationAttributes<Message>> {
  declare id: CreationOptional<string>;
  declare body: CreationOptional<string | null>;
  declare answersId: CreationOptional<string | null>;
  declare mentions: CreationOptional<string[] | null>;
  declare answers?: NonAttribute<Message>;
}
// doc/clients/javascript.md: Message.init({

await sequelize.query('DROP TABLE message');
await sequelize.sync();
await sequelize.sync({ alter: true });
equal('the columns', (await sequelize.query(columns))[0], [made]);
await stores({ add: rows => Message.bulkCreate(rows), all: () => Message.findAll(),
  clear: () => Message.destroy({ where: {} }),
  one: id => Message.findByPk(id), many: id => Message.findAll({ where: { id } }), between,
  pageAfter: (id, limit) => Message.findAll({ where: { id: { [Op.gt]: id } }, order: ['id'], limit }),
    state: 'parent.code' });
await (await Message.findByPk(ids[0]))!.update({ answersId: ids[1] });
equal('a relation', (await Message.findByPk(ids[0], { include: 'answers' }))?.answers?.id, ids[1]);
equal('a search in an array', await Message.count({
  where: { mentions: { [Op.contains]: sequelize.cast(`{${ids[1]}}`, 'ulid[]') } } }), 3);
await fails('operator does not exist: ulid[] @> text[]',
  () => Message.findAll({ where: { mentions: { [Op.contains]: ids } } }));
const [leftOut] = await Message.bulkCreate([{ id: ids[0], body: 'left out' }, { body: 'next' }],
  { ignoreDuplicates: true });
equal('ignoreDuplicates mixes ids up', leftOut.id, (await Message.findOne({ where: { body: 'next' } }))?.id);
await fails('violates foreign key constraint', () => Message.create({ answersId: Message.build({}).id })); // not saved yet
await sequelize.close();
