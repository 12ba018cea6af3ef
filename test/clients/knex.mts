// Knex, and Objection on it.
import knex, { type Knex } from 'knex';
import { Model } from 'objection';
import { columns, equal, finds, ids, made, mixed, state, stored } from './tap.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

const db = knex({ client: 'pg', connection: { host: process.env.PGHOST } });

// doc/clients/javascript.md: const up

await db.schema.dropTable('message');
await up(db);
equal('the columns', (await db.raw(columns)).rows[0], made);
const [{ id }] = await db('message').insert({ body: 'hello' }).returning('id');
equal('the id comes back', [typeof id, id.length], ['string', 26]);
equal('find', (await db('message').where({ id }).first()).body, 'hello');
await db('message').delete();
stored('given and generated ids', await db('message').insert(mixed()).returning(['id', 'body']), await db('message'));
await db('message').delete();
await db('message').insert(ids.map(id => ({ id, mentions: ids })));
await finds({ one: id => db('message').where({ id }), many: ids => db('message').whereIn('id', ids), between,
  pageAfter: (id, size) => db('message').where('id', '>', id).orderBy('id').limit(size), state: 'code' });
await registerUlidArrays({ query: text => db.raw(text) });
equal('an array and NULL', await db('message').where({ id: ids[0] }).first('answers', 'mentions'), { answers: null, mentions: ids });

// Objection.
class Message extends Model {
  answered?: Message;
  static tableName = 'message';
  static relationMappings = { answered: { relation: Model.BelongsToOneRelation, modelClass: Message,
    join: { from: 'message.answers', to: 'message.id' } } };
}
Model.knex(db);
await Message.query().findById(ids[0]).patch({ answers: ids[1] } as object);
const read = await Message.query().findById(ids[0]).withGraphFetched('answered');
equal('Objection: a relation', read?.answered, await Message.query().findById(ids[1]));
await state('nativeError.code', id => Message.query().findById(id));
await db.destroy();
