// Objection.
import { equal, fails, hours, ids, done, mixed, stored } from './tap.mjs';
import { db, up } from './message_knex.mjs';
import { Message, between, pageAfter } from './message_objection.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';

await db.schema.dropTable('message');
await up(db);
await registerUlidArrays({ query: async text => db.raw(text) });
const { id } = await Message.query().insert({ body: 'hello' });
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
equal('lookup by the id', (await Message.query().findById(id)).body, 'hello');
await Message.query().delete();
stored('given and generated ids', await Message.query().insert(mixed()), await Message.query());
equal('conflicts ignored, as the page says', (await Message.query().insert([{ id: ids[0], body: 'left out' }, { body: 'next' }])
  .onConflict('id').ignore())[0].id === (await Message.query().findOne({ body: 'next' })).id, true);
await Message.query().delete();
equal('many at once', (await Message.query().insert(ids.map(id => ({ id, body: 'x', mentions: ids })))).length, 3);
equal('any of many', (await Message.query().findByIds([ids[0], ids[2]]).orderBy('id')).map(row => row.id), [ids[0], ids[2]]);
equal('range by time', (await between(hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
await Message.query().findById(ids[0]).patch({ answers: ids[1] });
const read = await Message.query().findById(ids[0]).withGraphFetched('answered');
equal('a relation, an array column, and null', [read.answered.id, read.mentions, read.answered.answers], [ids[1], ids, null]);
await fails('invalid input syntax for type ulid: "no ulid"', () => Message.query().findById('no ulid'));
process.env.TZ = 'UTC';
await fails('invalid input syntax for type ulid: "2024-05-01T13:00:00.000+00:00"', () => Message.query().where('id', '>=', hours(1)));
await fails('root model (id=01hwt0d7g004hmasw9nf6yy081) does not exist.',
  () => Message.query().upsertGraph({ id: ids[0].toLowerCase(), body: 'y' }));
equal('fetchTableMetadata, as the page says', await Message.fetchTableMetadata(), { columns: ['id', 'body', 'answers', 'mentions'] });
await db.destroy();
done();
