import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { hooks } from '../helpers/hooks.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, lapse, makeTask, openRun } from '../helpers/runs.ts';

onBothStores('counts of runs, and acts on many of them', (app) => {
  const tasks = () => app().client.ai_tasks;
  const external = { executor: 'external' } as const;
  const end = (run: { taskId: number; runId: number }, event: object) =>
    tasks().append_run_events(run.taskId, run.runId, { events: [{ kind: 'finalize', ...event }] as never });
  const statusOf = async (taskId: number, runId: number) => (await tasks().get_run(taskId, runId)).status;

  test('runs are found by the reason of their end, by what started them and by a time', async () => {
    const { make, call, runOf } = hooks(app);
    const hook = await make();
    const byHook = runOf(await call(hook.address, '{}'));
    const cancelled = await openRun(app(), external, hook.taskId);
    await tasks().cancel_run(cancelled.taskId, cancelled.runId);
    const done = await openRun(app(), external, hook.taskId);
    await end(done, { status: 'success', end_reason: 'completed' });
    const idsOf = async (query: object) => (await tasks().list_all_runs({ task_id: hook.taskId, ...query })).data.map(({ id }) => id);
    assert.deepEqual(await idsOf({ end_reason: 'cancelled' }), [cancelled.runId]);
    assert.deepEqual(await idsOf({ started_by: `hook:${hook.id}` }), [byHook]);
    assert.deepEqual(await idsOf({ started_by: 'admin:1' }), [done.runId, cancelled.runId]);
    const { started_at: since } = await tasks().get_run(done.taskId, done.runId);
    assert.deepEqual((await idsOf({ since })).at(0), done.runId);
    assert.ok(!(await idsOf({ since })).includes(byHook) || (await tasks().get_run(hook.taskId, byHook)).started_at === since);
    assert.deepEqual(await idsOf({ since: '2999-01-01T00:00:00+02:00' }), []);
    await refused(tasks().list_all_runs({ started_by: 'me' }), 422, 'invalid_value');
    await refused(tasks().list_all_runs({ since: 'yesterday' }), 422, 'invalid_timestamp');
    await refused(tasks().list_all_runs({ end_reason: 'bored' as never }), 422, 'invalid_enum');
    assert.deepEqual(await tasks().count_runs({ task_id: hook.taskId }), {
      counts: [
        { status: 'cancelled', count: 1 },
        { status: 'running', count: 1 },
        { status: 'success', count: 1 },
      ],
      total: 3,
      is_complete: true,
    });
    assert.equal((await tasks().count_runs({ task_id: hook.taskId, started_by: `hook:${hook.id}`, dry_run: false })).total, 1);
  });

  test('open runs are cancelled by filter after a preview; a run that has ended meanwhile changes the number', async () => {
    const taskId = await makeTask(app());
    const runs = await Promise.all([1, 2, 3].map(() => openRun(app(), external, taskId)));
    const filter = { task_id: taskId };
    assert.deepEqual(await tasks().preview_bulk_runs({ action: 'cancel', filter }), { count: 3, is_complete: true });
    await tasks().cancel_run(taskId, runs[0]?.runId ?? 0);
    await refused(tasks().bulk_runs({ action: 'cancel', filter, expected_count: 3 }), 409, 'selection_changed');
    assert.equal(await statusOf(taskId, runs[1]?.runId ?? 0), 'running');
    const { results, done } = await tasks().bulk_runs({ action: 'cancel', filter, expected_count: 2 });
    assert.deepEqual([done, results.map(({ code }) => code)], [2, [null, null]]);
    for (const { runId } of runs) assert.equal(await statusOf(taskId, runId), 'cancelled');
    assert.deepEqual(await tasks().bulk_runs({ action: 'cancel', filter, expected_count: 0 }), { results: [], done: 0 });
  });

  test('each run of a list has its own outcome: cancelled, refused or unknown', async () => {
    const [one, ended] = [await openRun(app(), external), await openRun(app(), external)];
    await end(ended, { status: 'success' });
    const { results, done } = await tasks().bulk_runs({ action: 'cancel', ids: [one.runId, ended.runId, 999_999] });
    assert.equal(done, 1);
    assert.deepEqual(
      results.map(({ run_id, code }) => [run_id, code]),
      [
        [one.runId, null],
        [ended.runId, 'run_not_running'],
        [999_999, 'not_found'],
      ],
    );
    assert.match(results[1]?.detail ?? '', /is success/);
  });

  test('interrupted runs are resumed, each once', async () => {
    const taskId = await makeTask(app());
    const run = await claimedRun(app(), { parameters: { n: 7 } }, taskId);
    await lapse(app(), run);
    const request = { action: 'resume', filter: { task_id: taskId } } as const;
    const { results } = await tasks().bulk_runs(request);
    const [resumed] = results;
    assert.equal(resumed?.run_id, run.runId);
    const opened = await tasks().get_run(taskId, resumed?.new_run_id ?? 0);
    assert.deepEqual([opened.resumed_from_run_id, opened.parameters, opened.started_by], [run.runId, '{"n":7}', 'admin:1']);
    assert.deepEqual((await tasks().bulk_runs(request)).results, []);
    const again = await tasks().bulk_runs({ action: 'resume', ids: [run.runId] });
    assert.equal(again.results[0]?.code, 'already_resumed');
  });

  test('ended runs are started again with their version and parameters, unless another version is the current one', async () => {
    const taskId = await makeTask(app());
    const run = await openRun(app(), { ...external, parameters: { n: 1 }, priority: 5 }, taskId);
    const request = { action: 'retry' as const, ids: [run.runId] };
    assert.equal((await tasks().bulk_runs(request)).results[0]?.code, 'run_not_ended');
    await end(run, { status: 'failed', error_message: 'x' });
    const { results } = await tasks().bulk_runs({ action: 'retry', filter: { task_id: taskId, status: 'failed' } });
    const opened = await tasks().get_run(taskId, results[0]?.new_run_id ?? 0);
    const before = await tasks().get_run(taskId, run.runId);
    assert.deepEqual([opened.parameters, opened.version_id, opened.executor], ['{"n":1}', before.version_id, 'external']);
    await tasks().create_version(taskId, { source_code: 'log(2)', permissions: [], parameters: [] });
    assert.equal((await tasks().bulk_runs(request)).results[0]?.code, 'invalid_value');
    assert.equal((await tasks().list_runs(taskId)).length, 2);
    const replayed = await tasks().bulk_runs({ action: 'replay', ids: [run.runId] });
    assert.equal(replayed.results[0]?.code, 'not_recorded');
  });

  test('recorded runs are replayed', async () => {
    const taskId = await makeTask(app());
    const run = await claimedRun(app(), { record: true }, taskId);
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    assert.equal((await tasks().preview_bulk_runs({ action: 'replay', filter: { task_id: taskId } })).count, 1);
    const { results } = await tasks().bulk_runs({ action: 'replay', filter: { task_id: taskId } });
    assert.equal((await tasks().get_run(taskId, results[0]?.new_run_id ?? 0)).replay_of_run_id, run.runId);
  });

  test('what is missing or too much is refused; to look needs another permission than to act', async () => {
    const ids = Array.from({ length: 1001 }, (_, n) => n + 1);
    await refused(tasks().bulk_runs({ action: 'cancel' }), 422, 'required');
    await refused(tasks().bulk_runs({ action: 'cancel', ids: [1], filter: {} }), 422, 'invalid_value');
    await refused(tasks().bulk_runs({ action: 'cancel', ids }), 422, 'too_long');
    await refused(tasks().bulk_runs({ action: 'cancel', ids: [1, 1] }), 422, 'duplicate');
    await refused(tasks().bulk_runs({ action: 'delete' as never, ids: [1] }), 422, 'invalid_enum');
    const reader = app().clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read'] })).token);
    assert.equal((await reader.ai_tasks.count_runs({ task_id: 999_999 })).total, 0);
    await refused(reader.ai_tasks.bulk_runs({ action: 'cancel', ids: [1] }), 403, 'forbidden');
    assert.equal((await reader.ai_tasks.preview_bulk_runs({ action: 'cancel', ids: [1] })).count, 1);
  });
});
