import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, claimRun, lapse, makeTask } from '../helpers/runs.ts';

onBothStores('the course of a run', (app) => {
  const tasks = () => app().client.ai_tasks;
  const call = (path: string) => ({ kind: 'admin_api', method: 'GET', path, status: 200, duration_ms: 3 });

  test('it is made of start, attempts, calls, checkpoints, questions and end, by time, and read page by page', async () => {
    const taskId = await makeTask(app(), {}, { on_interrupt: 'resume' });
    const first = await claimedRun(app(), {}, taskId);
    const { runId } = first;
    await first.report([call('/orders/1'), { kind: 'checkpoint', state: { n: 1 } }]);
    await lapse(app(), first);
    await emptyQueueBut(runId);
    const second = await claimRun(app(), first);
    await second.report([call('/orders/2'), call('/orders/3')]);
    await second.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);

    const { data, next_cursor } = await tasks().get_timeline(taskId, runId);
    assert.equal(next_cursor, null);
    const [opened, ...later] = data;
    assert.equal(opened?.kind === 'opened' && opened.started_by, 'admin:1');
    assert.deepEqual(
      data.map(({ at }) => at),
      data.map(({ at }) => at).toSorted(),
    );
    assert.deepEqual(
      data.flatMap((one) => (one.kind === 'claimed' ? [[one.attempt, one.runner, one.duration_ms !== null && one.duration_ms >= 0]] : [])),
      [
        [1, 'runner-1', true],
        [2, 'runner-1', true],
      ],
    );
    assert.deepEqual(
      data.flatMap((one) => (one.kind === 'call' ? [[one.call, one.method, one.path, one.status]] : [])),
      [
        [1, 'GET', '/orders/1', 200],
        [2, 'GET', '/orders/2', 200],
        [3, 'GET', '/orders/3', 200],
      ],
    );
    assert.deepEqual(
      data.flatMap((one) => (one.kind === 'checkpoint' ? [[one.epoch, one.bytes]] : [])),
      [[1, 7]],
    );
    const end = later.at(-1);
    assert.deepEqual(end?.kind === 'ended' && [end.status, end.end_reason], ['success', 'completed']);

    const paged = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await tasks().get_timeline(taskId, runId, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      assert.ok(page.data.length <= 2);
      paged.push(...page.data);
      cursor = page.next_cursor;
    }
    assert.deepEqual(paged, data);
  });

  test('whoever may not read what the script could gets 403, an unknown run 404, a wrong cursor 422', async () => {
    const { taskId, runId } = await claimedRun(app());
    const reader = app().clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read'] })).token);
    await refused(reader.ai_tasks.get_timeline(taskId, runId), 403, 'forbidden');
    await refused(tasks().get_timeline(taskId, 999_999), 404, 'not_found');
    await refused(tasks().get_timeline(taskId, runId, { cursor: 'x' }), 422, 'invalid_value');
    assert.deepEqual((await tasks().get_timeline(taskId, runId, { cursor: '2999-01-01T00:00:00.000Z/0/0' })).data, []);
  });

  /** Cancels what waits for a runner besides this run. */
  async function emptyQueueBut(runId: number): Promise<void> {
    const { data } = await tasks().list_all_runs({ status: 'running' });
    if (data.every(({ id }) => id === runId)) return;
    await tasks().bulk_runs({ action: 'cancel', ids: data.map(({ id }) => id).filter((id) => id !== runId) });
  }
});
