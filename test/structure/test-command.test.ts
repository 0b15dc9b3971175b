import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

const COMMAND = new URL('../../scripts/test.ts', import.meta.url).pathname;

describe('the test command', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backroom-command-'));
    for (const name of ['a', 'b', 'c']) {
      await writeFile(join(folder, `${name}.test.ts`), `import { test } from 'node:test';\ntest('${name}', () => {});\n`);
    }
  });
  after(() => rm(folder, { recursive: true }));

  function run(...args: string[]) {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', COMMAND, ...args], { env, encoding: 'utf8' });
  }
  const filesIn = (stdout: string): string[] => [...stdout.matchAll(/(\w+\.test\.ts) \(/g)].map(([, name = '']) => name).sort();

  test('of any kind runs the given files alone, and one part of them', () => {
    const { status, stdout } = run('--faults', '--shard=1/2', folder);
    assert.equal(status, 0, stdout);
    assert.deepEqual(filesIn(stdout), ['a.test.ts', 'c.test.ts']);
  });

  test('names a file that is not there, and a part that cannot be', () => {
    const unknown = run('--faults', 'no-such-file.test.ts');
    assert.deepEqual(
      [unknown.status, unknown.stderr],
      [1, '"no-such-file.test.ts" is not a test file, and not a folder or pattern with test files\n'],
    );
    const part = run('--shard=3/2', folder);
    assert.deepEqual([part.status, part.stderr], [1, '"--shard=3/2" is not a part: --shard=1/2 is the first of two\n']);
  });
});
