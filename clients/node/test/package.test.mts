// The package as a user installs it, in empty projects.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import ts from 'typescript';

const root = new URL('..', import.meta.url).pathname;
const run = (cwd: string, command: string, ...words: string[]) => {
  const { stdout, stderr, status } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  return { status, text: stdout + stderr };
};
const folders: string[] = [];
after(() => folders.forEach(folder => rmSync(folder, { recursive: true })));
function project(parent: string, settings = {}) {
  const folder = mkdtempSync(parent);
  folders.push(folder);
  writeFileSync(`${folder}/package.json`, JSON.stringify({ name: 'user', private: true, ...settings }));
  const { text, status } = run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  assert.equal(status, 0, text);
  return folder;
}
const packed = mkdtempSync(`${tmpdir()}/pgulid-`);
folders.push(packed);
const [{ filename, files }]: any[] = Object.values(JSON.parse( // an array until npm 11
  spawnSync('npm', ['pack', '--json', '--silent', '--pack-destination', packed],
    { cwd: root, encoding: 'utf8' }).stdout));
const tarball = `${packed}/${filename}`;

test('the archive has the modules, their types and the texts', () => {
  const modules = readdirSync(`${root}src`).map(name => `src/${name}`);
  assert.deepEqual(files.map((file: any) => file.path).sort(),
    [...modules, 'LICENSE', 'README.md', 'package.json'].sort());
  assert.equal(modules.filter(name => name.endsWith('.d.ts')).length * 2, modules.length);
});
test('without any other package: ESM, CommonJS', () => {
  const folder = project(`${tmpdir()}/pgulid-`);
  assert.deepEqual(readdirSync(`${folder}/node_modules`).filter(name => name[0] !== '.'), ['pgulid']);
  writeFileSync(`${folder}/a.mjs`,
    `import { parse } from 'pgulid'; console.log(parse('018f3406-9e00-0123-4567-89abcdef0101'));`);
  writeFileSync(`${folder}/b.cjs`, `console.log(require('pgulid').parse('018f3406-9e00-0123-4567-89abcdef0101'));`);
  for (const file of ['a.mjs', 'b.cjs']) {
    const { text } = run(folder, process.execPath, '--no-warnings', file);
    assert.equal(text, '01HWT0D7G004HMASW9NF6YY081\n', file);
  }
  writeFileSync(`${folder}/c.mjs`, "import 'pgulid/drizzle';");
  assert.ok(run(folder, process.execPath, 'c.mjs').text.includes("Cannot find package 'drizzle-orm'"));
});
test('CommonJS, with the other build of Drizzle, and each module', () => {
  const folder = project(`${root}test/types/made-`, { type: 'commonjs' }); // the other packages are those of `root`
  writeFileSync(`${folder}/d.cjs`, `
    const { ulid } = require('pgulid/drizzle');
    const table = require('drizzle-orm/pg-core').pgTable('message', { ids: ulid('ids').array() });
    require('pgulid/pg'), require('pgulid/prisma'), require('pgulid/zod').ulid().parse('01HWT0D7G004HMASW9NF6YY081');
    console.log(require.resolve('pgulid'), table.ids.getSQLType(), table.ids.mapFromDriverValue('[2:3]={A,NULL}'));`);
  const { text } = run(folder, process.execPath, '--no-warnings', 'd.cjs');
  assert.equal(text, `${folder}/node_modules/pgulid/src/index.js ulid[] [ 'A', null ]\n`);
});
test('the declarations have no error, also without skipLibCheck', () => {
  const names = files.map(({ path }: { path: string }) => root + path).filter((name: string) => name.endsWith('.d.ts'));
  const program = ts.createProgram(names,
    { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 });
  const errors = names.flatMap((name: string) => ts.getPreEmitDiagnostics(program, program.getSourceFile(name)));
  assert.deepEqual(errors.map((error: ts.Diagnostic) => error.messageText), []);
});
for (const [type, module, resolution, file] of [['module', 'nodenext', 'nodenext', 'user.ts'],
  ['commonjs', 'nodenext', 'nodenext', 'user.ts'], ['module', 'esnext', 'bundler', 'user.ts']]) {
  test(`tsc --strict, ${type}, ${module}, ${resolution}`, () => {
    const folder = project(`${root}test/types/made-`, { type }); // the other packages are those of `root`
    copyFileSync(`${root}test/types/user.ts`, `${folder}/user.ts`);
    const { text } = run(folder, process.execPath, `${root}node_modules/typescript/bin/tsc`, '--noEmit', '--strict',
      '--skipLibCheck', '--target', 'es2022', '--module', module, '--moduleResolution', resolution,
      '--traceResolution', file);
    assert.ok(/'pgulid\/drizzle' was successfully resolved to '[^']*made-[^']*\/drizzle\.d\.ts'/.test(text),
      text.slice(-2000));
    assert.deepEqual(text.match(/^.*error TS.*$/gm), null);
  });
}
