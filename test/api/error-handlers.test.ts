import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask, openRun } from '../helpers/runs.ts';

onBothStores('error handlers of tasks', (app) => {
  const tasks = () => app().client.ai_tasks;
  const handlersOf = async (taskId: number) =>
    (await tasks().list_runs(taskId)).filter(({ started_by }) => started_by.startsWith('handler:')).reverse();
  async function handled(handlerId?: number) {
    const handler = handlerId ?? (await makeTask(app()));
    return { handler, taskId: await makeTask(app(), {}, { error_handler: { task_id: handler } }) };
  }
  async function endAs(status: string, taskId: number, runId?: number): Promise<number> {
    const id = runId ?? (await openRun(app(), { executor: 'external' }, taskId)).runId;
    await tasks().append_run_events(taskId, id, { events: [{ kind: 'finalize', status }] });
    return id;
  }

  test('a run that ends badly starts the handler once, with what happened as its parameter; other ends do not', async () => {
    const { handler, taskId } = await handled();
    const failed = await endAs('failed', taskId);
    const interrupted = await endAs('interrupted', taskId);
    for (const status of ['success', 'cancelled']) await endAs(status, taskId);
    const dry = await claimedRun(app(), { dry_run: true }, taskId);
    await dry.report([{ kind: 'finalize', status: 'failed', end_reason: 'script_error' }]);
    const runs = await handlersOf(handler);
    assert.deepEqual(
      runs.map(({ started_by }) => started_by),
      [`handler:${failed}`, `handler:${interrupted}`],
    );
    const { event } = JSON.parse(runs[0]?.parameters ?? '');
    assert.deepEqual(
      [event.type, event.data],
      ['task.run_failed', { task_id: taskId, run_id: failed, status: 'failed', end_reason: null }],
    );
    assert.deepEqual([typeof event.id, typeof event.at], ['number', 'string']);
    await tasks().update(taskId, { settings: { error_handler: null } });
    await endAs('failed', taskId);
    assert.equal((await handlersOf(handler)).length, 2);
    await tasks().cancel_runs(handler);
  });

  test('no loops: the bad end of a handler starts none, nor that of a run to which the handler led', async () => {
    const { handler, taskId } = await handled();
    await tasks().update(handler, { settings: { error_handler: { task_id: taskId } } });
    await endAs('failed', taskId);
    const [run] = await handlersOf(handler);
    assert.ok(run);
    await endAs('failed', handler, run.id);
    assert.deepEqual([(await handlersOf(handler)).length, (await handlersOf(taskId)).length], [1, 0]);
    await endAs('failed', handler);
    assert.equal((await handlersOf(taskId)).length, 1, 'by itself it is a task like others');
    await tasks().cancel_runs(taskId);
  });

  test('a handler that does not exist, is deleted or is the task itself is refused', async () => {
    const { handler, taskId } = await handled();
    const set = (task_id: number) => tasks().update(taskId, { settings: { error_handler: { task_id } } });
    for (const id of [taskId, 999_999]) {
      const { problem } = await refused(set(id), 422, 'invalid_value');
      assert.equal(problem?.errors?.[0]?.pointer, '/settings/error_handler/task_id');
    }
    await tasks().delete(handler);
    await refused(set(handler), 422, 'invalid_value');
    const failed = await endAs('failed', taskId);
    assert.deepEqual(await handlersOf(handler), []);
    const { notifications } = await app().client.notifications.list({ limit: 100 });
    const [news] = notifications.filter(({ metadata }) => metadata?.['handled_run_id'] === failed);
    assert.match(news?.message ?? '', new RegExp(`handler of run ${failed} opened no run: Task ${handler} was deleted`));
    assert.equal((await tasks().get_run(taskId, failed)).status, 'failed', 'the run has ended all the same');
  });

  test('it acts for the admin who set it, and opens nothing when that admin may not start tasks any more', async () => {
    const { client, clientFor } = app();
    const ada = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const { handler, taskId } = await handled();
    await clientFor(ada.token).ai_tasks.update(taskId, { settings: { error_handler: { task_id: handler } } });
    await endAs('failed', taskId);
    assert.equal((await handlersOf(handler)).length, 1);
    await client.admins.update(ada.adminId, { active: false });
    await endAs('failed', taskId);
    assert.equal((await handlersOf(handler)).length, 1);
    const { logs } = await client.logs.list({ source: 'ai_task' });
    assert.match(logs.find(({ action }) => action === 'handler.failed')?.summary ?? '', /is deactivated or may not start tasks any more/);
  });
});
