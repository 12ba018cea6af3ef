// Sequelize.
import { type CreationOptional, DataTypes, type InferAttributes, type InferCreationAttributes, Model, type NonAttribute, Op,
  Sequelize } from 'sequelize';
import { columns, equal, fails, finds, ids, made, mixed, stored } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

const sequelize = new Sequelize(process.env.PGDATABASE!, process.env.PGUSER!, '', {
  host: process.env.PGHOST, port: Number(process.env.PGPORT ?? 5432), dialect: 'postgres', logging: false });

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
await registerUlidArrays({ query: async text => ({ rows: (await sequelize.query(text))[0] }) });
const message = await Message.create({ body: 'hello' });
equal('the id comes back', [typeof message.id, message.id.length], ['string', 26]);
equal('find', (await Message.findByPk(message.id))?.body, 'hello');
await message.destroy();
stored('given and generated ids', await Message.bulkCreate(mixed()), await Message.findAll());
const [leftOut] = await Message.bulkCreate([{ id: ids[0], body: 'left out' }, { body: 'next' }], { ignoreDuplicates: true });
equal('ignoreDuplicates mixes ids up', leftOut.id, (await Message.findOne({ where: { body: 'next' } }))?.id);
await fails('violates foreign key constraint', () => Message.create({ answersId: Message.build({}).id })); // not saved yet
await Message.destroy({ where: {} });
await Message.bulkCreate(ids.map(id => ({ id })));
await finds({ one: id => Message.findByPk(id), many: id => Message.findAll({ where: { id } }), between,
  pageAfter: (id, limit) => Message.findAll({ where: { id: { [Op.gt]: id } }, order: ['id'], limit }), state: 'parent.code' });
await (await Message.findByPk(ids[0]))!.update({ mentions: ids, answersId: ids[1] });
const read = await Message.findByPk(ids[0], { include: 'answers' });
equal('an array, a relation and NULL', [read?.mentions, read?.answers?.id, read?.answers?.answersId], [ids, ids[1], null]);
equal('a search in an array', await Message.count({
  where: { mentions: { [Op.contains]: sequelize.cast(`{${ids[1]}}`, 'ulid[]') } } }), 1);
await fails('operator does not exist: ulid[] @> text[]', () => Message.findAll({ where: { mentions: { [Op.contains]: ids } } }));
await sequelize.close();
