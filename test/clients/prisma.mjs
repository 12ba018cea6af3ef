// Prisma, with the driver adapter for pg.
import { execFileSync } from 'node:child_process';
import { equal, fails, hours, ids, done, mixed, stored } from './tap.mjs';

// Nothing but the schema's engine would need a download, and `generate` does not use it.
execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', 'schema.prisma'],
  { env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' }, stdio: 'pipe' });
const { default: pg } = await import('pg');
const client = new pg.Client();
await client.connect();
await client.query('ALTER TABLE message ADD answers ulid REFERENCES message, ADD mentions ulid[]');

const { PrismaPg } = await import('@prisma/adapter-pg');
const { default: { PrismaClient } } = await import('@prisma/client');
const plain = new PrismaClient({ adapter: new PrismaPg({ host: process.env.PGHOST }) });
await fails('e.map is not a function', () => plain.message.create({ data: { mentions: ids } }));
await plain.message.deleteMany();
await plain.$disconnect();

const { add, between, find, pageAfter, prisma, those } = await import('./message_prisma.mjs');
const id = await add({ body: 'hello' });
equal('the id comes back from the insert', [typeof id, id.length], ['string', 26]);
equal('lookup by the id, and null', await prisma.message.findUnique({ where: { id } }),
  { id, body: 'hello', answersId: null, mentions: [] });
await prisma.message.deleteMany();
stored('given and generated ids', await prisma.message.createManyAndReturn({ data: mixed() }), await prisma.message.findMany());
await prisma.message.createMany({ data: { id: ids[1] } });
const found = letters => Promise.all([ids[0], ids[1]].map(id => prisma.message.findUnique({ where: { id: letters(id) } })));
equal('lookups in upper case', (await found(id => id.toUpperCase())).map(row => row?.id), [ids[0], ids[1]]);
equal('find, in any spelling', (await Promise.all([ids[0].replace('0', 'o').replace('1', 'l'), ids[1].toLowerCase()].map(find))).map(row => row?.id), [ids[0], ids[1]]);
const none = await prisma.message.findFirst({ where: { mentions: { equals: null } } });
equal('an array that is NULL, as the page says', [none?.mentions, await prisma.message.count({ where: { mentions: { isEmpty: true } } })], [[], 0]);
equal('and in lower case, as the page says', (await found(id => id.toLowerCase())).map(row => row?.id), [undefined, undefined]);
await prisma.message.deleteMany();
equal('many at once', await prisma.message.createMany({ data: ids.map(id => ({ id, body: 'x', mentions: ids })) }), { count: 3 });
equal('any of many', (await those([ids[0], ids[2]])).map(row => row.id), [ids[0], ids[2]]);
equal('a page after a cursor', (await pageAfter(ids[0], 1)).map(row => row.id), [ids[1]]);
equal('found, in any case, or not', [(await find(ids[0].toLowerCase()))?.id, await find('no ulid'), await find('U'.repeat(26)), await find('Z'.repeat(26))],
  [ids[0], null, null, null]);
equal('ids greater than one', (await prisma.message.findMany({ where: { id: { gt: ids[0] } } })).length, 2);
equal('range by time', await between(hours(1), hours(2)), [{ id: ids[1], body: 'x' }]);
equal('to the millisecond', await between(hours(1, 1), hours(2, 1)), [{ id: ids[2], body: 'x' }]);
equal('a Date as a parameter has no zone, as the page says', await prisma.$queryRaw`
  SELECT id FROM message WHERE id >= ${hours(1)}::timestamptz AND id < ${hours(2)}::timestamptz`, []);
equal('an array column', (await those([ids[0]]))[0].mentions, ids);
equal('a search in it', await prisma.message.count({ where: { mentions: { has: ids[1] } } }), 3);
await prisma.message.update({ where: { id: ids[0] }, data: { answersId: ids[1], mentions: [ids[2]] } });
equal('a relation', (await prisma.message.findUnique({ where: { id: ids[1] }, include: { answeredBy: true } })).answeredBy[0].mentions,
  [ids[2]]);
equal('upsert', (await prisma.message.upsert({ where: { id: ids[2] }, create: { body: 'new' }, update: { body: 'again' } })).body, 'again');
await fails('invalid input syntax for type ulid: "no ulid"', () => prisma.message.findUnique({ where: { id: 'no ulid' } }));
await fails('invalid input syntax for type ulid: "2024-05-01 13:00:00"',
  () => prisma.$queryRaw`SELECT id FROM message WHERE id >= ${hours(1)}`);
await fails('operator does not exist: ulid ~~* unknown',
  () => prisma.message.findMany({ where: { id: { equals: ids[0].toLowerCase(), mode: 'insensitive' } } }));
await client.query('UPDATE message SET mentions = ARRAY[id, NULL]');
await fails("Expected a string in column 'mentions[1]', got object: null", () => those(ids));
await client.query('UPDATE message SET mentions = array_remove(mentions, NULL)');
equal('without NULL', (await those([ids[1]]))[0].mentions, [ids[1]]);
await prisma.$disconnect();
await client.end();
done();
