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

test('tasks.run starts a task, asks for its end, and gives its result or throws; bad options start nothing', async () => {
  const ends = [
    { status: 'success', end_reason: 'completed', error_message: null, result: [1] },
    { status: 'cancelled', end_reason: 'cancelled', error_message: null, result: null },
  ];
  const { calls, result, done } = await runScript(
    `export default async () => {
       const wrong = [];
       for (const args of [[], ['Report', 1], ['Report', {}, 1], ['Report', {}, { sample: 'x'.repeat(70000) }], ['Report', {}, { sample: () => 1 }]] as any[])
         wrong.push(await (tasks as any).run(...args).catch((error: any) => error.name));
       const good = await tasks.run('Report', { day: 1 }, { sample: { any: 'thing' } });
       const bad = await tasks.run(3).catch((error: any) => [error.name, error.message, error.run_id, error.task_id, error.status, error.end_reason]);
       return [wrong, good, bad];
     };`,
    {
      respond: ({ operation }) => ({
        value: JSON.stringify(operation === 'task_end' ? ends.shift() : { status: 201, body: { run_id: 7, task_id: 3 } }),
      }),
    },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [
    ['TypeError', 'TypeError', 'TypeError', 'RangeError', 'TypeError'],
    [1],
    ['TaskRunError', 'run 7 of task 3 ended cancelled: cancelled', 7, 3, 'cancelled', 'cancelled'],
  ]);
  assert.deepEqual(
    calls.map(({ operation, payload }) => [operation, operation === 'task_end' ? payload : undefined]),
    [
      ['admin_api', undefined],
      ['task_end', { run_id: 7, sample: { any: 'thing' } }],
      ['admin_api', undefined],
      ['task_end', { run_id: 7 }],
    ],
  );
});
