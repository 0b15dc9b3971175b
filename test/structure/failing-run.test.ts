import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAlive, until } from '../helpers/machines.ts';

const cluster = new URL('../helpers/postgres.ts', import.meta.url).href;

test('a process that has loaded the tests’ PostgreSQL keeps its own exit code', () => {
  const { status } = spawnSync(process.execPath, [
    '--input-type=module',
    '-e',
    `process.exitCode = 3; await (await import('${cluster}')).loadPostgres()`,
  ]);
  assert.equal(status, 3);
});

test('a process that handles a signal itself ends as it decides, and leaves neither its PostgreSQL nor the files of it', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `process.once('SIGTERM', () => setTimeout(() => process.exit(7), 500));
       const { startCluster } = await import('${cluster}');
       const { pid, url } = await startCluster({ ownSignals: true });
       console.log(JSON.stringify([await pid(), decodeURIComponent(url)]));`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const [pid, url]: [number, string] = JSON.parse(String(line));
  const folder = /@(\/.*)\/data:/.exec(url)?.[1] ?? assert.fail(url);
  assert.ok(isAlive(pid) && existsSync(folder));
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [7, null]);
  await until('PostgreSQL has ended', () => !isAlive(pid));
  assert.ok(!existsSync(folder));
});

test('the report of a failed test run ends with name, place and difference of each failed test, then the counts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-failing-'));
  const file = join(folder, 'failing.test.ts');
  await writeFile(
    file,
    `import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
describe('of a suite', () => {
  test('this one holds', () => {});
  test('this one fails', () => assert.deepEqual({ a: 1 }, { a: 2 }));
  test('and this one', () => assert.match('abc', /x/, 'of the test itself'));
});
`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test', `--test-reporter=${REPORTER}`, file], { env, encoding: 'utf8' });
  await rm(folder, { recursive: true });
  assert.equal(status, 1);
  const [progress = '', end = ''] = stdout.split('failed tests:');
  assert.match(progress, /^✖ of a suite › this one fails\n✖ of a suite › and this one\n/);
  assert.doesNotMatch(stdout, /holds/);
  assert.match(end, /✖ of a suite › this one fails\n.*failing\.test\.ts:5\n[^✖]*\+ {3}a: 1\n *- {3}a: 2/);
  assert.match(end, /✖ of a suite › and this one\n.*failing\.test\.ts:6\n[^✖]*of the test itself[^✖]*actual: 'abc'\n *expected: \/x\//);
  assert.match(end, /ℹ tests 3\n(ℹ .*\n)*ℹ pass 1\nℹ fail 2\n/);
});

const REPORTER = new URL('../../tools/test-reporter.ts', import.meta.url).href;
