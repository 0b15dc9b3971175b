import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { buildApp } from '../../ops/missing-builds.ts';
import { npmStart } from '../helpers/npm-start.ts';

/** The build that `npm start` runs: made of the present sources alone, and the same program as they are. */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const node = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { cwd: PROJECT });
  return stdout;
};

test('a program of the build does what its source does, and has its options', async () => {
  assert.equal(await buildApp(), 0);
  const { builtFolder } = await import('../../ops/built-app.js');
  assert.ok(builtFolder() !== null, 'the build is there');
  assert.equal(await node('ops/run.js', 'cli/main', 'task', 'run', '--help'), await node('cli/main.ts', 'task', 'run', '--help'));
});

test('a build is used only for the sources that it was made of', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'backroom-built-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['contract', 'client', 'server/db', 'runner', 'sandbox-lib', 'cli', 'ops', 'tools', 'tracing', 'dist/app'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'tools/app-bundle.ts', 'server/db/open.ts', 'runner/main.ts'])
    writeFileSync(join(root, file), '{"type":"module"}');
  for (const file of ['built-app.js', 'run.js']) cpSync(join(PROJECT, 'ops', file), join(root, 'ops', file));
  const own: typeof import('../../ops/built-app.js') = await import(pathToFileURL(join(root, 'ops/built-app.js')).href);

  assert.equal(own.builtFolder(), null);
  const changed = new Date(1_700_000_000_000);
  writeFileSync(join(root, 'runner/main.ts'), "process.stdout.write('source')");
  utimesSync(join(root, 'server/db/open.ts'), changed, changed);
  const folder = join(root, 'dist/app', own.stampOfSources());
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'runner-main.js'), "process.stdout.write('build ' + process.argv.slice(2))");
  assert.equal(own.builtFolder(), folder);
  assert.equal(await node(join(root, 'ops/run.js'), 'runner/main', 'an argument'), 'build an argument');

  writeFileSync(join(root, 'server/db/open.ts'), '{ }');
  assert.equal(own.builtFolder(), null, 'a changed file');
  assert.equal(await node(join(root, 'ops/run.js'), 'runner/main'), 'source');
  writeFileSync(join(root, 'server/db/open.ts'), '{"type":"module"}');
  utimesSync(join(root, 'server/db/open.ts'), changed, changed);
  assert.equal(own.builtFolder(), folder, 'the file as it was');
  writeFileSync(join(root, 'server/db/new.ts'), '');
  assert.equal(own.builtFolder(), null, 'a new file');
});

test('with the flags of each command Node runs TypeScript, because a fresh copy has no build yet', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-flags-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'one.ts');
  writeFileSync(file, 'const one: number = 1; process.stdout.write(String(one));');
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  const commands = Object.values(scripts).map(String);
  const flags = commands.filter((command) => command.startsWith('node ')).map((command) => command.match(/(?<= )--\S+(?=.* \S+\/)/g) ?? []);
  assert.ok(flags.length > 10);
  for (const some of new Set(flags.map((each) => each.join(' ')))) assert.equal(await node(...some.split(' '), file), '1', some);
});

/** The texts of the file of a build and of all that it loads at once. */
function loadedText(folder: string, file: string): string {
  const found = new Set([file]);
  const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
  for (const name of found) for (const [, path = ''] of textOf(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) found.add(path);
  return [...found].map(textOf).join('\n');
}

test('the start makes no build where there is one, and the runner bundles nothing that was bundled for it', {
  timeout: 300_000,
}, async (t) => {
  await node('tools/build-app.ts');
  const { builtFolder } = await import('../../ops/built-app.js');
  const runner = loadedText(builtFolder() ?? '', 'runner-main.js');
  assert.ok(
    runner.includes('runner-worker-main.js') && runner.includes('prelude.txt') && !runner.includes('from"esbuild"'),
    'the runner reads what was bundled',
  );
  const folder = mkdtempSync(join(tmpdir(), 'backroom-start-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { child, exited, line, output } = npmStart(t, { DATA_DIR: folder });
  await line(/^Backroom is at/);
  assert.doesNotMatch(output(), /^Preparing the server/m);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});
