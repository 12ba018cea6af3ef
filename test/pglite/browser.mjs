// The checks in Chromium, which loads the packages from here and keeps a database in IndexedDB. Prints TAP.
import { createServer } from 'node:http';
import { readFile, mkdtemp } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { files, print } from './input.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const modules = '/node_modules/@electric-sql/pglite/dist';
const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports: {
  '@electric-sql/pglite': `${modules}/index.js`,
  '@electric-sql/pglite/live': `${modules}/live/index.js`,
  'postgresql-ulid-pglite': '/node_modules/postgresql-ulid-pglite/index.js',
} })}</script>`;
const server = createServer(async (request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname;
  const body = path === '/' ? html : await readFile(resolve(`.${path}`)).catch(() => undefined);
  response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': types[extname(path) || '.html'] ?? 'application/octet-stream' });
  response.end(body);
});
await new Promise(done => server.listen(0, '127.0.0.1', done));

const context = await chromium.launchPersistentContext(await mkdtemp('./chromium-'), {
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
try {
  const tab = await context.newPage();
  tab.on('pageerror', error => console.log(`# ${error}`));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  const { results } = await tab.evaluate(async (files) => {
    const [{ PGlite }, { live }, { ulid }, { checks }] = await Promise.all(
      ['@electric-sql/pglite', '@electric-sql/pglite/live', 'postgresql-ulid-pglite', '/checks.mjs'].map(name => import(name)));
    return checks({ PGlite, live, ulid }, 'idb://stored', files);
  }, files);
  print(results, await tab.evaluate(() => navigator.userAgent));
} finally {
  await context.close();
  server.close();
}
