import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('a process that has had the PostgreSQL of the tests ends with the code that it was to end with', () => {
  const cluster = new URL('../helpers/postgres.ts', import.meta.url).href;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', `process.exitCode = 3; await import('${cluster}')`]);
  assert.equal(status, 3);
});
