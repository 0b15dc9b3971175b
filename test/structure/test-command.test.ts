import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Which tests `npm test -- FILE…` runs, and what it reports. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STORES = new URL('../helpers/stores.ts', import.meta.url).href;
const POSTGRES = new URL('../helpers/postgres.ts', import.meta.url).href;

const files: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'one/first.test.ts': `
    let isOpen = false;
    before(() => { isOpen = true; });
    after(() => { isOpen = false; });
    test('its hook was first', () => assert.ok(isOpen));
    test('no hook of another file is run', () => assert.equal(globalThis.hooksOfSecond ?? 0, 0));`,
  'one/second.test.ts': `
    beforeEach(() => { globalThis.hooksOfSecond = (globalThis.hooksOfSecond ?? 0) + 1; });
    describe('second', () => test('its own hook is', () => assert.equal(globalThis.hooksOfSecond, 1)));`,
  'two/waits.test.ts': `
    const value: number = await new Promise((resolve) => setTimeout(resolve, 1, 7));
    test('before the second wait', () => assert.equal(value, 7));
    await new Promise((resolve) => setTimeout(resolve, 1));
    test('after the second wait', () => assert.fail('seen after the wait'));`,
  'two/throws.test.ts': `
    test('before the throw', () => {});
    throw new Error('this file does not load');`,
  'two/stores.test.ts': `
    import { createDatabase, stopPostgres } from '${STORES}';
    import { loadPostgres } from '${POSTGRES}';
    after(stopPostgres);
    test('a database is made', async () => {
      await loadPostgres();
      const { url, drop } = await createDatabase('postgres');
      assert.match(url, /^postgres:/);
      await drop();
    });
    test('and one fails', () => assert.fail('after the database'));`,
  'loose.test.ts': `
    test('passes', async () => {
      await null;
      void Promise.reject(new Error('nobody awaits this'));
      await new Promise((resolve) => setTimeout(resolve, 1));
    });`,
  'ends/late.test.ts': `
    process.on('exit', () => { process.exitCode = 5; });
    test('passes, but its process fails', () => {});`,
  'engines/both.test.ts': `
    import { engines } from '${STORES}';
    test(engines.join(' and '), () => {});
    test('fails, to be shown', () => assert.fail(engines.join(' and ')));`,
  'engines/none.test.ts': `test('needs no database', () => {});`,
  ...Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`many/${n}.test.ts`, `test('passes', () => {});`])),
  'two/no-test.ts': `throw new Error('nobody chose this file');`,
};

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backroom-chosen-'));
  const imports = `import assert from 'node:assert/strict';\nimport { after, before, beforeEach, describe, test } from 'node:test';\n`;
  for (const [name, source] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), name.endsWith('.test.ts') ? imports + source : source);
  }
});
after(() => rm(folder, { recursive: true }));

function npmTest(env: Record<string, string>, ...names: string[]) {
  const { NODE_TEST_CONTEXT: _, TEST_ENGINES: _engines, ...inherited } = process.env;
  const args = [
    '--disable-warning=ExperimentalWarning',
    'tools/test.ts',
    ...names.map((name) => (name.startsWith('--') ? name : join(folder, name))),
  ];
  return spawnSync(process.execPath, args, { cwd: ROOT, env: { ...inherited, ...env }, encoding: 'utf8' });
}

for (const [groups, env] of [
  ['each file in a process', {}],
  ['all files in one process', { TEST_GROUPS: '1' }],
] as const) {
  test(`the files of patterns and folders are run, and every failure is reported: ${groups}`, () => {
    const { status, stdout, stderr } = npmTest(env, '{one,none}/*.test.ts', 'two', 'two/waits.test.ts');
    assert.deepEqual([status, stderr], [1, '']);
    const [, failed = ''] = stdout.split('failed tests:');
    assert.match(failed, /stores\.test\.ts › and one fails\n[^✖]*after the database/);
    assert.match(failed, /after the second wait\n[^✖]*waits\.test\.ts:\d+\n[^✖]*seen after the wait/);
    assert.match(failed, /two\/throws\.test\.ts\n[^✖]*this file does not load\n/);
    for (const name of ['first', 'second']) assert.match(stdout, new RegExp(`^✔ \\S+/one/${name}\\.test\\.ts \\(\\d+ ms\\)$`, 'm'));
    // The file that throws had declared one test, which is not run.
    assert.match(failed, /ℹ tests 8\n(ℹ .*\n)*ℹ pass 5\nℹ fail 2\nℹ cancelled 1\n/);
  });
}

test('an error that no test awaits fails the run, and its file is named', () => {
  const { status, stdout } = npmTest({}, 'loose.test.ts');
  assert.equal(status, 1);
  assert.match(stdout, /✖ while \S*loose\.test\.ts ran: Error: nobody awaits this\n +at .*loose\.test\.ts:\d+/);
});

test('files that failed are left to be run again, alone, unless the failure is of no file', async () => {
  const list = join(folder, 'again');
  const leave = (...names: string[]) => npmTest({ TEST_GROUPS: '1' }, `--again=${list}`, ...names);
  const { status, stdout } = leave('one/first.test.ts', 'two/waits.test.ts', 'two/throws.test.ts', 'loose.test.ts');
  assert.equal(status, 0, stdout);
  const failed = ['two/waits.test.ts', 'two/throws.test.ts', 'loose.test.ts'].map((name) => relative(ROOT, join(folder, name)));
  assert.deepEqual((await readFile(list, 'utf8')).trim().split('\n').sort(), failed.sort());
  assert.match(stdout, /^left to be run again, alone:\n( {2}\S+\n){3}/m);
  await rm(list);

  const ended = leave('one/first.test.ts', 'ends/late.test.ts');
  assert.deepEqual([ended.status, existsSync(list)], [1, false], ended.stdout);
  assert.equal(leave('one').status, 0);
  assert.equal(existsSync(list), false, 'nothing is left where nothing failed');
});

test('a missing file or pattern is named, and no test is run', () => {
  const { status, stdout, stderr } = npmTest({}, 'one/first.test.ts', 'one/third.test.ts', 'none/*.test.ts');
  const told = ['one/third.test.ts', 'none/*.test.ts'].map(
    (name) => `"${join(folder, name)}" is not a test file, and not a folder or pattern with test files\n`,
  );
  assert.deepEqual([status, stdout, stderr], [1, '', told.join('')]);
});

test('where no named file has a test of the kind, that is told, and no other test is run', () => {
  const { status, stdout, stderr } = npmTest({}, '--postgres', 'one/first.test.ts');
  assert.deepEqual([status, stdout, stderr], [1, '', 'none of these files has a test of this kind\n']);
  const emptyPart = npmTest({}, '--shard=2/2', 'one/first.test.ts');
  assert.deepEqual([emptyPart.status, emptyPart.stdout, emptyPart.stderr], [0, '', '']);
});

test('tests of any kind are run from the given files alone, and one part of them', () => {
  const { status, stdout } = npmTest({}, '--faults', '--shard=1/2', 'one/first.test.ts', 'two/throws.test.ts');
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^✔ \S+\/one\/first\.test\.ts \(\d+ ms\)$/m);
  assert.match(stdout, /ℹ tests 2\n/);
});

test('a named file runs on both engines; with --postgres on that one, and not if it needs none', () => {
  const both = npmTest({}, 'engines');
  assert.match(both.stdout, /fails, to be shown\n[^✖]*sqlite and postgres/);
  assert.match(both.stdout, /ℹ tests 3\n/);
  const one = npmTest({}, '--postgres', 'engines');
  assert.match(one.stdout, /fails, to be shown\n[^✖]*: postgres\n/);
  assert.match(one.stdout, /ℹ tests 2\n/);
});

test('a run of many files tells at its end which ten took longest', () => {
  const { status, stdout } = npmTest({ TEST_GROUPS: '1' }, 'many');
  assert.equal(status, 0, stdout);
  assert.match(stdout, /\nthe slowest files:\n( +\d+\.\d s {2}\S+\/many\/\d+\.test\.ts\n){10}ℹ tests 11\n/);
});

test('a part that cannot be is named, and no test is run', () => {
  const { status, stdout, stderr } = npmTest({}, '--shard=3/2', 'one');
  assert.deepEqual([status, stdout, stderr], [1, '', '"--shard=3/2" is not a part: --shard=1/2 is the first of two\n']);
});
