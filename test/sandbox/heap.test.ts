import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript, withWorker } from '../helpers/worker.ts';

test('a script that fills its heap ends with heap', async () => {
  const { done } = await runScript('const kept = []; for (;;) kept.push("x".repeat(100) + kept.length)', { heapMib: 32 });
  assert.equal(done.end_reason, 'heap');
  assert.equal(done.error_message, 'the script used more than 32 MiB of memory');
  assert.equal(done.reusable, false);
});

test('buffers count', async () => {
  const { done } = await runScript('const kept = []; for (;;) kept.push(new Uint8Array(1e6).fill(1))', { heapMib: 32 });
  assert.ok(done.end_reason === 'heap' || /Array buffer allocation failed/.test(done.error_message ?? ''));
});

test('a bomb that V8 can not contain takes at most its own process down', async () => {
  await withWorker(async (worker) => {
    const how = await worker.run('"x".repeat(2 ** 28).split("")', { heapMib: 64 }).then(
      ({ done }) => done.end_reason,
      () => 'died',
    );
    assert.ok(how === 'heap' || how === 'died' || how === 'script_error', how);
  });
});
