import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript, withWorker } from '../helpers/worker.ts';

test('a script that fills its heap ends with the reason heap', async () => {
  const { done } = await runScript('const kept = []; for (;;) kept.push("x".repeat(100) + kept.length)', { heapMib: 32 });
  assert.equal(done.end_reason, 'heap');
  assert.equal(done.error_message, 'the script used more than 32 MiB of memory');
  assert.equal(done.reusable, false);
});

test('a script whose buffers exceed its heap limit ends with the reason heap', async () => {
  for (const source of ['const kept = []; for (;;) kept.push(new Uint8Array(1e6).fill(1))', 'new ArrayBuffer(2 ** 30)']) {
    const { done } = await runScript(source, { heapMib: 32 });
    assert.equal(done.end_reason, 'heap', done.error_message ?? '');
  }
});

test('a script that throws its own RangeError ends with script_error, even if the error cannot be inspected', async () => {
  const untouchable = 'new Proxy(new RangeError(), { getPrototypeOf() { throw 1; }, get() { throw 2; } })';
  for (const thrown of ['new RangeError("Invalid array length")', untouchable]) {
    const { done } = await runScript(`throw ${thrown}`);
    assert.equal(done.end_reason, 'script_error', done.error_message ?? '');
  }
});

test('a script that V8 cannot stop ends at most its own worker process', async () => {
  await withWorker(async (worker) => {
    const how = await worker.run('"x".repeat(2 ** 28).split("")', { heapMib: 64 }).then(
      ({ done }) => done.end_reason,
      () => 'died',
    );
    assert.ok(how === 'heap' || how === 'died' || how === 'script_error', how);
  });
});
