// MikroORM.
import { equal, fails, hours, ids, done, mixed, stored } from './tap.mjs';
import { between, orm } from './message_mikro.mjs';

await orm.em.execute('DROP TABLE message');
await orm.schema.createSchema();
equal('the columns made', await orm.em.execute(`SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) AS types
  FROM pg_attribute WHERE attrelid = 'message'::regclass AND attnum > 0`), [{ types: 'ulid text ulid ulid[]' }]);
equal('and there is no difference afterwards', (await orm.schema.getUpdateSchemaSQL({ safe: false })).trim(), '');

let em = orm.em.fork();
const message = em.create('Message', { body: 'hello' });
await em.flush();
equal('the id comes back from the insert', [typeof message.id, message.id.length], ['string', 26]);
message.body = 'changed';
await em.flush();
em = orm.em.fork();
equal('saved again, it is the same row', (await em.find('Message', {})).map(row => row.body), ['changed']);
equal('lookup by the id', (await em.findOne('Message', message.id)).body, 'changed');
await em.remove(await em.findOne('Message', message.id)).flush();
equal('removed', await em.count('Message'), 0);
const many = [em.create('Message', { body: 'a' }), em.create('Message', { body: 'b' })];
await em.flush();
equal('the ids of many come back', many.map(({ id }) => id.length), [26, 26]);
await em.nativeDelete('Message', {});
em = orm.em.fork();
const created = mixed().map(row => em.create('Message', row));
await em.flush();
stored('given and generated ids', created, await orm.em.fork().find('Message', {}));
await em.nativeDelete('Message', { body: 'c' });
equal('of insertMany, as the page says, one', (await em.insertMany('Message', [{ body: 'a' }, { body: 'b' }])).length, 1);
equal('though all are inserted', await em.count('Message'), 4);
await em.nativeDelete('Message', {});
await em.insertMany('Message', ids.map(id => ({ id, body: 'x', mentions: ids })));
em = orm.em.fork();
equal('any of many', (await em.find('Message', { id: [ids[0], ids[2]] }, { orderBy: { id: 'asc' } })).map(row => row.id), [ids[0], ids[2]]);
equal('range by time', (await between(em, hours(1), hours(2))).map(row => row.id), [ids[1]]);
equal('to the millisecond', (await between(em, hours(1, 1), hours(2, 1))).map(row => row.id), [ids[2]]);
const first = await em.findOne('Message', ids[0]);
equal('an array column, and null', [first.mentions, first.answers], [ids, null]);
first.answers = await em.findOne('Message', ids[1]);
first.mentions = [ids[2]];
await em.flush();
em = orm.em.fork();
const read = await em.findOne('Message', ids[0], { populate: ['answers'] });
equal('a relation, and an array changed', [read.answers.id, read.mentions], [ids[1], [ids[2]]]);
await fails('invalid input syntax for type ulid: "no ulid"', () => em.findOne('Message', 'no ulid'));
await orm.close();
done();
