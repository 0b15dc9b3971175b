import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('tasks.start sends one request with task and parameters, and returns the run', async () => {
  const answer = { run_id: 7, task_id: 3 };
  const { calls, result, done } = await runScript(
    `export default async ({ tasks: same }: any) => {
       const started = await tasks.start('Report', { day: 1 });
       const plain = await tasks.start(3);
       const wrong = [];
       for (const args of [[], [null], ['Report', 1], ['Report', []]] as any[])
         wrong.push(await (tasks as any).start(...args).catch((error: any) => error.name));
       return [started, plain, wrong, same === tasks, Object.isFrozen(tasks)];
     };`,
    { respond: () => ({ value: JSON.stringify({ status: 201, body: answer }) }) },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [answer, answer, ['TypeError', 'TypeError', 'TypeError', 'TypeError'], true, true]);
  assert.deepEqual(
    calls.map(({ payload }) => payload),
    [
      { method: 'POST', path: '/task-runs', body: { task: 'Report', parameters: { day: 1 } } },
      { method: 'POST', path: '/task-runs', body: { task: 3, parameters: {} } },
    ],
  );
});
