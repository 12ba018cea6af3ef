// The rounds of move.pl, several at a time, by five functions of the client's.
import { deepStrictEqual } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { toUlid, toUuid } from './uuid_or_ulid.mjs';

export const mode = process.argv[2];
const FIRST = ['018f3406-9e00-0123-4567-89abcdef0101', '01HWT0D7G004HMASW9NF6YY081'];
let previous = FIRST[mode === 'ulid' ? 1 : 0];

// A key that the program makes, in the last step in the form that the client shows.
export const made = () => mode === 'ulid' ? { id: toUlid(randomUUID()) } : {};

async function round(name, { addCustomer, addOrder, rename, customer, ordersOf }) {
  const record = previous;
  const id = await addCustomer(name);
  const order = { customerId: id, recordType: 'Customer', recordId: record, others: [id, record] };
  await addOrder(order);
  deepStrictEqual(await rename(id, `${name} changed`), 1);
  deepStrictEqual(await customer(id), { id, name: `${name} changed` });
  deepStrictEqual(await ordersOf(id), [order]);
  deepStrictEqual((await customer(record)).id, record);
  const [one, of] = mode === 'ulid' ? [FIRST[1], toUlid] : [FIRST[0], toUuid];
  for (const old of mode === 'uuid' ? [] : FIRST) deepStrictEqual(await customer(of(old)), { id: one, name: 'first' });
  previous = id;
  return id;
}

export async function rounds(client) {
  const working = [];
  for await (const name of createInterface({ input: process.stdin })) {
    working.push(round(name, client).then(id => `done\t${id}`,
      error => `error\t${String(error.cause ? `${error.message} ${error.cause.message}` : error.message).replace(/\s+/g, ' ')}`)
      .then(answer => console.log(`${name}\t${answer}`)));
  }
  await Promise.all(working);
}
