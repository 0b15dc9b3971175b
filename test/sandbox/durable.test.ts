import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('once asks for a stored value, runs its function only if there is none, and stores the result', async () => {
  const stored = new Map<string, unknown>();
  const { result, calls } = await runScript(
    `let made = 0;
     const both = await Promise.all([once('list', () => { made += 1; return [1, 2] }), once('list', () => { made += 1; return [3] })]);
     export default async () => [both, await once('list', () => [9]), await once('nothing', () => undefined), made];`,
    {
      respond({ payload }) {
        assert.ok(typeof payload === 'object' && payload !== null && 'name' in payload);
        const name = String(payload.name);
        if ('value' in payload && !stored.has(name)) stored.set(name, payload.value);
        return { value: JSON.stringify({ stored: stored.has(name), value: stored.get(name) ?? null }) };
      },
    },
  );
  assert.deepEqual(result, [
    [
      [1, 2],
      [1, 2],
    ],
    [1, 2],
    null,
    1,
  ]);
  assert.equal(calls.length, 5);
});

test('parameters and last_checkpoint are what the run was started with', async () => {
  const { result } = await runScript('export default () => [parameters, last_checkpoint]', {
    parameters: { a: 1 },
    checkpoint: { done: [1, 2] },
  });
  assert.deepEqual(result, [{ a: 1 }, { done: [1, 2] }]);
});

test('there is no last_checkpoint at the first start', async () => {
  const { result } = await runScript('export default () => last_checkpoint === null');
  assert.equal(result, true);
});

test('work that is still open when the run ends is dropped, and a log line says so', async () => {
  const { done, logs } = await runScript('void sleep(1000); void sleep(1000); export default () => 5', { respond: () => null });
  assert.equal(done.end_reason, 'completed');
  assert.equal(done.result, '5');
  assert.deepEqual(logs, ['2 calls were still open when the task ended: pending work is dropped']);
});

test('a loop that still runs after the main function does not keep the run from ending', async () => {
  const { done } = await runScript('(async () => { for (;;) await null })(); export default () => 6');
  assert.equal(done.result, '6');
  assert.equal(done.reusable, false);
});
