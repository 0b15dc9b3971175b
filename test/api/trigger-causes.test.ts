import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { claimedRun, claimRun, codeOf, makeTask, openRun } from '../helpers/runs.ts';
import { putFirst } from '../helpers/stored-rows/runs.ts';
import { triggers as triggersOf } from '../helpers/triggers.ts';

const WRITER = { permissions: ['admin_api.orders.write' as const] };

onBothStores('triggers on events that runs cause', (app) => {
  const { make, runsOf, eventIn, waiting, dealtWith, switchOff } = triggersOf(app);

  test('TG2: an event of a run starts neither its own task nor a task whose runs led to it', async () => {
    const tasks = [await makeTask(app(), WRITER), await makeTask(app(), WRITER), await makeTask(app(), WRITER)];
    const [a, b, c] = await Promise.all(tasks.map((taskId) => make({ event: 'order.status_changed' }, taskId)));
    assert.ok(a && b && c);
    const { id: orderId } = await makeOrder(app());
    const counts = async () => [(await runsOf(a)).length, (await runsOf(b)).length, (await runsOf(c)).length];
    /** Lets the open run of the task change the order and succeed. */
    const act = async (taskId: number, status: string): Promise<void> => {
      const runs = (await app().client.ai_tasks.list_runs(taskId)).filter((run) => run.status === 'running');
      const [run] = runs;
      assert.ok(run && runs.length === 1);
      await putFirst(app().store, run.id);
      const side = await claimRun(app(), { taskId, runId: run.id, path: `/admin/api/ai-tasks/${taskId}/runs/${run.id}` });
      assert.equal((await side.call('PATCH', `/orders/${orderId}/status`, { status })).status, 204);
      await side.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
      await dealtWith();
    };
    const first = await claimedRun(app(), {}, tasks[0]);
    assert.equal((await first.call('PATCH', `/orders/${orderId}/status`, { status: 'processing' })).status, 204);
    await first.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await dealtWith();
    assert.deepEqual(await counts(), [0, 1, 1], 'a person’s run of A starts B and C');
    await switchOff(c);
    await act(b.task_id, 'shipped');
    assert.deepEqual(await counts(), [0, 1, 1], 'B, started by A, starts neither A nor B');
    await app().client.ai_tasks.update_trigger(c.task_id, c.id, { enabled: true });
    await act(c.task_id, 'delivered');
    assert.deepEqual(await counts(), [0, 2, 1], 'C, started by A, starts B, because B did not lead to C');
    await act(b.task_id, 'processing');
    assert.deepEqual(await counts(), [0, 2, 1], 'this run of B, which A and C led to, starts nothing');
    await app().client.orders.update_status(orderId, { status: 'shipped' });
    await dealtWith();
    assert.deepEqual(await counts(), [1, 3, 2], 'a change by a person starts all three');
    await switchOff(a, b, c);
  });

  test('TG2: a task triggered by failed runs is not started by its own', async () => {
    const trigger = await make({ event: 'task.run_failed' });
    const fail = (taskId: number, runId: number) =>
      app().request({
        method: 'PATCH',
        path: `/admin/api/ai-tasks/${taskId}/runs/${runId}`,
        body: { events: [{ kind: 'finalize', status: 'failed' }] },
      });
    const failing = await openRun(app(), { executor: 'external' });
    assert.equal(codeOf(await fail(failing.taskId, failing.runId))[0], 204);
    await dealtWith();
    const [run] = await runsOf(trigger);
    assert.ok(run);
    assert.equal(eventIn(run).data.run_id, failing.runId);
    assert.equal((await fail(trigger.task_id, run.id)).status, 204);
    await dealtWith();
    assert.equal((await runsOf(trigger)).length, 1);
    await switchOff(trigger);
  });

  test('DR1, TG1: a dry run makes no events, not even of its failure; applying its plan does', async () => {
    const own = await makeTask(app(), WRITER);
    const triggers = [
      await make({ event: 'order.status_changed' }),
      await make({ event: 'order.status_changed' }, own),
      await make({ event: 'task.run_failed' }),
    ];
    const counts = () => Promise.all(triggers.map(async (trigger) => (await runsOf(trigger)).length));
    const dryRun = async (end: 'success' | 'failed') => {
      const { id } = await makeOrder(app());
      const run = await claimedRun(app(), { dry_run: true }, own);
      assert.equal((await run.call('PATCH', `/orders/${id}/status`, { status: 'shipped' })).status, 204);
      await run.report([{ kind: 'finalize', status: end }]);
      return run;
    };
    await dryRun('failed');
    const planned = await dryRun('success');
    assert.equal(await waiting(), 0);
    await dealtWith();
    assert.deepEqual(await counts(), [0, 0, 0]);
    await app().client.ai_tasks.apply_run(own, planned.runId);
    await dealtWith();
    assert.deepEqual(await counts(), [1, 0, 0], 'applying the plan does not start the task that planned it');
    await switchOff(...triggers);
  });
});
