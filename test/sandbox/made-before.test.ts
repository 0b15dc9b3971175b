import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withWorker } from '../helpers/worker.ts';

/** With a heap of 128 MiB a script gets the isolate that its worker has made before; with any other heap, one that is made for it. */
const MADE_BEFORE = {};
const MADE_NOW = { heapMib: 127 };

const LOOK = `
  log('first');
  const drawn = [Math.random(), crypto.randomUUID(), Date.now(), new Date().toString()];
  await sleep(5);
  export default () => [drawn, Math.random(), Date.now(), parameters, last_checkpoint, Object.getOwnPropertyNames(globalThis).sort()];`;

test('a script sees the same in an isolate that was made before as in one that is made for it', async () => {
  await withWorker(async (worker) => {
    const options = { parameters: { a: 1 }, checkpoint: { b: 2 }, nowMs: 1_765_000_000_000 };
    const before = await worker.run(LOOK, { ...options, ...MADE_BEFORE });
    const now = await worker.run(LOOK, { ...options, ...MADE_NOW });
    const again = await worker.run(LOOK, { ...options, ...MADE_BEFORE });
    assert.equal(before.done.end_reason, 'completed', before.done.error_message ?? '');
    assert.deepEqual([before.result, before.logs], [now.result, now.logs]);
    assert.deepEqual([again.result, again.logs], [now.result, now.logs]);
  });
});

test('nothing of a run is seen by the next one, whose isolate its worker makes between them', async () => {
  await withWorker(async (worker) => {
    const leave = `globalThis.left = 1; Array.prototype.left = 2; Object.prototype.left = 3; Math.random = () => 4; Date.now = () => 5; log('left');`;
    await worker.run(leave);
    const { result } = await worker.run(
      `export default () => [typeof left, [].left, ({}).left, Math.random() === 4, Date.now() === 5].map(String)`,
    );
    assert.deepEqual(result, ['undefined', 'undefined', 'undefined', 'false', 'false']);
  });
});

test('the isolate of a source that is not valid is dropped, and the next run has its own', async () => {
  await withWorker(async (worker) => {
    const { done } = await worker.run('const = 1');
    assert.equal(done.end_reason, 'script_error');
    assert.deepEqual((await worker.run('export default () => 1', MADE_NOW)).result, 1);
    assert.deepEqual((await worker.run('export default () => 2', MADE_BEFORE)).result, 2);
  });
});
