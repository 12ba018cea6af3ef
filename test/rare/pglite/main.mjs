// Runs the checks in Node, or with the argument `browser` in Chromium, which loads the packages from here and keeps a
// database in IndexedDB. Writes back.copy, for the server.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { checks } from './checks.mjs';

const packages = ['@electric-sql/pglite', 'postgresql-ulid-pglite'];

async function inChromium(files) {
  const [pglite, ulid] = ['@electric-sql/pglite/dist/index.js', 'postgresql-ulid-pglite/index.js']
    .map(file => `/node_modules/${file}`);
  const imports = { [packages[0]]: pglite, [packages[1]]: ulid };
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;
  const context = await chromium.launchPersistentContext(await mkdtemp('./chromium-'),
    { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const tab = await context.newPage();
    // Playwright knows the types of files.
    await tab.route('**/*', route => {
      const path = `.${new URL(route.request().url()).pathname}`;
      return path === './' ? route.fulfill({ contentType: 'text/html', body: html })
        : existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404 });
    });
    tab.on('pageerror', error => console.log(`# ${error}`));
    await tab.goto('http://localhost/');
    console.log(`# ${await tab.evaluate(() => navigator.userAgent)}`);
    return await tab.evaluate(async ({ files, names }) => {
      const [{ PGlite }, { ulid }, { checks }] = await Promise.all(names.map(name => import(name)));
      return checks({ PGlite, ulid }, 'idb://stored', files);
    }, { files, names: [...packages, '/checks.mjs'] });
  } finally {
    await context.close();
  }
}

async function inNode(files) {
  const [{ PGlite }, { ulid }] = await Promise.all(packages.map(name => import(name)));
  return checks({ PGlite, ulid }, await mkdtemp('./stored-'), files);
}

// What run has written.
const [copy, inserts, texts] = await Promise.all(
  ['message.copy', 'message.sql', 'texts'].map(file => readFile(file, 'utf8')));
const run = process.argv[2] === 'browser' ? inChromium : inNode;
const { results, back } = await run({ copy, inserts, texts: texts.trimEnd() });
await writeFile('back.copy', back);
results.forEach(([name, got, expected], i) => {
  console.log(`${got === expected ? 'ok' : 'not ok'} ${i + 1} - ${name}`);
  if (got === expected) return;
  console.log(`# got ${got}\n# expected ${expected}`);
  process.exitCode = 1;
});
