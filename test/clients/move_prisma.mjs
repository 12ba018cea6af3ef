// Prisma, through the move: see move.pl. With relationJoins it reads relations in JSON that the server makes, but by the
// strategy `query`.
// without: invalid input syntax for type uuid: "
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { made as key, mode, rounds } from './moving.mjs';
import { registerUlidArrays } from './ulid_pg.mjs';
import { readUlidsAsUuids } from './uuid_or_ulid.mjs';

const [name, uuid, made] = mode === 'ulid' ? ['move_ulid', '', 'gen_ulid()'] : ['move_uuid', '@db.Uuid', 'gen_random_uuid()'];
if (!existsSync(name)) {
  writeFileSync(`${name}.prisma`, `
    generator client {
      provider        = "prisma-client-js"
      output          = "./${name}"
      previewFeatures = ["relationJoins"]
    }
    datasource db {
      provider = "postgresql"
    }
    model Customer {
      id     String  @id @default(dbgenerated("${made}")) ${uuid}
      name   String
      orders Order[]
      @@map("customers")
    }
    model Order {
      id         String   @id @default(dbgenerated("${made}")) ${uuid}
      customerId String   @map("customer_id") ${uuid}
      customer   Customer @relation(fields: [customerId], references: [id])
      recordType String   @map("record_type")
      recordId   String   @map("record_id") ${uuid}
      others     String[] ${uuid}
      @@map("orders")
    }`);
  execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', `${name}.prisma`],
    { env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' }, stdio: 'pipe' });
}
const { default: { PrismaClient } } = await import(`./${name}/index.js`);
const pool = new pg.Pool({ max: 3 });
if (mode === 'both') await readUlidsAsUuids(pool);
if (mode === 'ulid') await registerUlidArrays(pool);
const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
await rounds({
  addCustomer: async name => (await prisma.customer.create({ data: { ...key(), name } })).id,
  addOrder: data => prisma.order.create({ data }),
  rename: async (id, name) => (await prisma.customer.updateMany({ where: { id }, data: { name } })).count,
  customer: id => prisma.customer.findUnique({ where: { id } }),
  ordersOf: async id => (await prisma.customer.findUnique({
    where: { id }, include: { orders: true }, relationLoadStrategy: mode === 'ulid' ? 'join' : 'query',
  })).orders.map(({ id, ...order }) => order),
});
await prisma.$disconnect();
