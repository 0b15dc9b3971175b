import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withWorker } from '../helpers/worker.ts';

test('nothing of a run is left in the next one of the same worker', async () => {
  await withWorker(async (worker) => {
    const first = await worker.run(`
      (globalThis as any).leftBehind = 'left behind';
      (parameters as any).extra = 1; (URL as any).mine = 1; (admin.orders as any);
      try { (Array.prototype as any).evil = 1 } catch {}
      crypto.randomUUID();
      export default () => 'first';`);
    assert.equal(first.done.reusable, true);
    const second = await worker.run(
      `export default () => [(globalThis as any).leftBehind, parameters, (URL as any).mine, 'evil' in [], crypto.randomUUID()]`,
    );
    const third = await worker.run(`export default () => crypto.randomUUID()`);
    assert.ok(Array.isArray(second.result));
    assert.deepEqual(second.result.slice(0, 4), [null, {}, null, false]);
    assert.equal(second.result[4], third.result);
  });
});

test('a worker whose script failed is not offered again', async () => {
  await withWorker(async (worker) => {
    const { done } = await worker.run('throw new Error("no")');
    assert.equal(done.reusable, false);
  });
});

test('a late answer to the last run does not reach the next', async () => {
  await withWorker(async (worker) => {
    const { promise: held, resolve: release } = Promise.withResolvers<null>();
    const first = await worker.run('void admin_api.get("/slow"); export default () => 1', { respond: () => held });
    release(null);
    assert.equal(first.done.reusable, false);
    assert.deepEqual(first.logs, ['1 call was still open when the task ended: pending work is dropped']);
  });
});
