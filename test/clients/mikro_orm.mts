// MikroORM.
import { EntitySchema, MikroORM, raw } from '@mikro-orm/postgresql';
import { columns, equal, ids, made, stores } from './tap.mjs';

interface Message { id: string; body?: string | null; answers?: Message | null; mentions?: string[] | null }
const Message = new EntitySchema<Message>({
  name: 'Message',
  tableName: 'message',
  properties: {
    id: { type: 'string', columnType: 'ulid', primary: true, defaultRaw: 'gen_ulid()' },
    body: { type: 'text', nullable: true },
    answers: {
      kind: 'm:1', entity: 'Message', columnType: 'ulid', fieldName: 'answers', nullable: true },
    mentions: { type: 'array', columnType: 'ulid[]', nullable: true },
  },
});

const between = (begin: Date, end: Date) =>
  orm.em.fork().find(Message, { [raw('id >= ?::timestamptz and id < ?::timestamptz', [begin, end])]: [] });
const orm = await MikroORM.init({ entities: [Message], host: process.env.PGHOST,
  port: Number(process.env.PGPORT ?? 5432),
  user: process.env.PGUSER, dbName: process.env.PGDATABASE });
const em = orm.em.fork();
await em.execute('DROP TABLE message');
await orm.schema.createSchema();
equal('the columns', (await em.execute(columns))[0], made);
equal('no difference afterwards', await orm.schema.getUpdateSchemaSQL({ safe: true }), '');
const add = async (rows: Message[]) => {
  const em = orm.em.fork(), added = rows.map(row => em.create(Message, row));
  await em.flush();
  return added;
};
await stores({ add, all: () => orm.em.fork().find(Message, {}), clear: () => em.nativeDelete(Message, {}),
  one: id => orm.em.fork().findOne(Message, id), many: ids => orm.em.fork().find(Message, ids), between,
  pageAfter: (id, limit) => orm.em.fork().find(Message, { id: { $gt: id } }, { orderBy: { id: 'asc' }, limit }),
    state: 'code' });
const first = await em.findOneOrFail(Message, ids[0]);
first.answers = em.getReference(Message, ids[1]);
await em.flush();
equal('a relation',
  (await orm.em.fork().findOneOrFail(Message, ids[0], { populate: ['answers'] })).answers?.id, ids[1]);
await orm.close();
