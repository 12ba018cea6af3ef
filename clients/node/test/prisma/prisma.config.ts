import { defineConfig } from 'prisma/config';

export default defineConfig({
  experimental: { externalTables: true },
  tables: { external: ['public.message'] }, // every table that has a ulid column
  migrations: { initShadowDb: 'CREATE EXTENSION IF NOT EXISTS ulid' },
});
