import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../contract/run-events.ts';
import { onBothStores } from '../helpers/app.ts';
import { openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, emptyQueue, field, lapse, makeTask, openRun } from '../helpers/runs.ts';
import { letChainHaveStarted } from '../helpers/stored-rows/automation.ts';

onBothStores('runs that runs start', (app) => {
  const tasks = () => app().client.ai_tasks;
  const child = (values = {}, settings?: Parameters<typeof makeTask>[2]) =>
    makeTask(app(), { permissions: [], parameters: [{ name: 'n', kind: 'number' }], ...values }, settings);
  const parentOf = (may_start: number[], values = {}) =>
    makeTask(app(), { permissions: ['tasks_start'], may_start, ...values }, { on_interrupt: 'resume' });
  const start = (run: Pick<ClaimedRun, 'call'>, task: number | string, parameters: JsonObject = {}, options = {}) =>
    run.call('POST', '/task-runs', { task, parameters }, options);
  const runIdOf = (answer: Awaited<ReturnType<typeof start>>): number => {
    assert.equal(answer.status, 201, answer.text);
    return Number(field(answer.body, 'run_id'));
  };

  const claimStarted = (taskId: number, runId: number) =>
    claimRun(app(), { taskId, runId, path: `/admin/api/ai-tasks/${taskId}/runs/${runId}` });
  const openedOf = (taskId: number): Promise<number> => until('a run is opened', async () => (await tasks().list_runs(taskId))[0]?.id);

  test('a task is started by name or id, with its own permissions, for the admin of the run that starts it', async () => {
    const taskId = await child({ name: 'The report', permissions: ['admin_api.orders.read'] });
    const run = await claimedRun(app(), {}, await parentOf([taskId]));
    const answer = await start(run, 'The report', { n: 1 });
    assert.deepEqual(answer.body, { run_id: runIdOf(answer), task_id: taskId });
    const byId = runIdOf(await start(run, taskId, { n: 2 }));
    const started = await tasks().get_run(taskId, byId);
    assert.deepEqual([started.status, started.started_by, JSON.parse(started.parameters)], ['running', `run:${run.runId}`, { n: 2 }]);
    assert.deepEqual(
      (await tasks().list_all_runs({ started_by: `run:${run.runId}` })).data.map(({ id }) => id).sort(),
      [runIdOf(answer), byId].sort(),
    );
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await tasks().cancel_run(taskId, runIdOf(answer));
    const side = await claimStarted(taskId, byId);
    assert.equal((await side.call('GET', '/orders')).status, 200, 'its own version may read orders');
    assert.deepEqual(codeOf(await start(side, taskId)), [403, 'forbidden'], 'its own version may start nothing');
  });

  test('only tasks in may_start of the run’s version are started, whatever the script says', async () => {
    const [allowed, other] = [await child({ name: 'Allowed' }), await child({ name: 'Other' })];
    const run = await claimedRun(app(), {}, await parentOf([allowed]));
    for (const task of [other, 'Other', 'allowed', 999_999]) {
      const answer = await start(run, task);
      assert.deepEqual(codeOf(answer), [403, 'task_start_not_allowed'], `${task}`);
      assert.match(String(field(answer.body, 'detail')), new RegExp(`it may start ${allowed} \\("Allowed"\\)`));
    }
    const none = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['tasks_start'] }));
    assert.match(String(field((await start(none, allowed)).body, 'detail')), /it may start none/);
    const twins = [await child({ name: 'Twin' }), await child({ name: 'Twin' })];
    const both = await claimedRun(app(), {}, await parentOf(twins));
    assert.match(String(field((await start(both, 'Twin')).body, 'detail')), /name the task by its id/);
    for (const task of [allowed, other, ...twins]) assert.deepEqual(await tasks().list_runs(task), []);
    const direct = await app().request({ method: 'POST', path: '/admin/api/task-runs', body: { task: allowed } });
    assert.deepEqual(codeOf(direct), [403, 'forbidden'], 'an admin is no run');
  });

  test('bad input and the rules of the started task give clear errors, and nothing is started', async () => {
    const [busy, gone] = [await child({}, { concurrency: { limit: 1, overflow: 'skip' } }), await child()];
    const run = await claimedRun(app(), {}, await parentOf([busy, gone]));
    const bad: [JsonObject, pointer: string][] = [
      [{ task: busy, parameters: { n: 'x' } }, '/parameters/n'],
      [{ task: busy, parameters: [] }, '/parameters'],
      [{ parameters: {} }, '/task'],
      [{ task: '' }, '/task'],
    ];
    for (const [body, pointer] of bad) {
      const answer = await run.call('POST', '/task-runs', body);
      assert.equal(answer.status, 422, answer.text);
      assert.ok(answer.text.includes(`"pointer":"${pointer}"`), answer.text);
    }
    await tasks().delete(gone);
    assert.deepEqual(codeOf(await start(run, gone)), [409, 'task_deleted']);
    runIdOf(await start(run, busy, { n: 1 }));
    assert.deepEqual(codeOf(await start(run, busy, { n: 2 })), [409, 'concurrency_limit']);
    assert.equal((await tasks().list_runs(busy)).length, 1);
  });

  test('a run with those that resume it starts 100 at most; a start that was refused does not count', async () => {
    const taskId = await child();
    const run = await claimedRun(app(), {}, await parentOf([taskId]));
    assert.equal((await start(run, taskId, { n: 'x' })).status, 422);
    for (let n = 0; n < 99; n += 1) runIdOf(await start(run, taskId, { n }));
    const last = await Promise.all([99, 100, 101].map((n) => start(run, taskId, { n })));
    assert.deepEqual(last.map(codeOf).sort(), [
      [201, null],
      [409, 'start_limit_reached'],
      [409, 'start_limit_reached'],
    ]);
    await emptyQueue(app());
    await lapse(app(), run);
    const again = await claimRun(app(), run);
    for (const n of ['x', ...Array.from({ length: 102 }, (_, i) => i)])
      assert.equal((await start(again, taskId, { n })).headers['idempotency-replayed'], 'true', `${n}`);
    assert.deepEqual(codeOf(await start(again, taskId, { n: 102 })), [409, 'start_limit_reached']);
    const { data, next_cursor } = await tasks().list_all_runs({ started_by: `run:${run.runId}`, limit: 100 });
    assert.deepEqual([data.length, next_cursor], [100, null]);
  });

  test('all runs to which one has led start 1,000 at most together, whether a start, a trigger or a handler led to them', async () => {
    const taskId = await child();
    const starter = (values = {}) => parentOf([taskId], values);
    const [started, listening, handling] = [await starter(), await starter(), await starter()];
    const first = await makeTask(
      app(),
      { permissions: ['tasks_start', 'admin_api.customers.write'], may_start: [started, taskId] },
      { on_interrupt: 'resume', error_handler: { task_id: handling } },
    );
    await tasks().create_trigger(listening, { event: 'customer.created' });
    const run = await claimedRun(app(), {}, first);
    const below = await claimStarted(started, runIdOf(await start(run, started)));
    assert.equal((await run.call('POST', '/customers', { name: 'Ann', email: `ann-${run.runId}@example.com` })).status, 201);
    const heard = await claimStarted(listening, await openedOf(listening));
    await letChainHaveStarted(app().store, run.claim.lineage_id, 997);
    for (const one of [run, below]) runIdOf(await start(one, taskId, { n: 1 }));
    runIdOf(await start(heard, taskId, { n: 2 }));
    await emptyQueue(app());
    await run.report([{ kind: 'finalize', status: 'failed', end_reason: 'script_error' }]);
    const handler = await claimStarted(handling, await openedOf(handling));
    for (const one of [below, heard, handler]) {
      const answer = await start(one, taskId, { n: 3 });
      assert.deepEqual([...codeOf(answer), field(answer.body, 'limit')], [409, 'start_limit_reached', 1000]);
    }
    const other = await claimedRun(app(), {}, await starter());
    runIdOf(await start(other, taskId, { n: 4 }));
  });

  test('at most 5 runs stand above a run', async () => {
    // Each task may start the one before it; the first is the last of the chain.
    const chain = [await child({ permissions: ['tasks_start'] })];
    for (let n = 1; n <= 6; n += 1) chain.push(await parentOf(chain.slice(-1)));
    const [taskId = 0, ...above] = chain;
    const [first = 0, ...between] = above.reverse();
    let run: Pick<ClaimedRun, 'call'> = await claimedRun(app(), {}, first);
    for (const next of between) {
      const runId = runIdOf(await start(run, next));
      run = await claimStarted(next, runId);
    }
    const answer = await start(run, taskId);
    assert.deepEqual(codeOf(answer), [409, 'start_depth_reached']);
    assert.match(String(field(answer.body, 'detail')), /5 runs stand above run/);
    assert.deepEqual(await tasks().list_runs(taskId), []);
  });

  test('a run starts neither its own task nor one whose run has led to it', async () => {
    const taskId = await child({ permissions: ['tasks_start'] });
    const parent = await parentOf([taskId]);
    await tasks().create_version(taskId, {
      source_code: 'log(1);',
      permissions: ['tasks_start'],
      parameters: [],
      may_start: [taskId, parent],
    });
    const run = await claimedRun(app(), {}, parent);
    const runId = runIdOf(await start(run, taskId));
    const below = await claimStarted(taskId, runId);
    for (const circular of [taskId, parent]) {
      const answer = await start(below, circular);
      assert.deepEqual(codeOf(answer), [409, 'start_circular']);
      assert.match(String(field(answer.body, 'detail')), new RegExp(`Task ${circular} is the task of run`));
    }
    assert.deepEqual([(await tasks().list_runs(taskId)).length, (await tasks().list_runs(parent)).length], [1, 1]);
  });

  test('whoever may not read what the starting run could read does not see the output of the started run', async () => {
    const taskId = await child();
    const run = await claimedRun(app(), {}, await parentOf([taskId], { permissions: ['tasks_start', 'admin_api.customers.read'] }));
    const runId = runIdOf(await start(run, taskId, { n: 1 }));
    const staff = await person(app(), { permissions: ['admin_api.ai_tasks.read'] });
    const seen = await app().clientFor(staff.token).ai_tasks.get_run(taskId, runId);
    assert.ok(seen.withheld.includes('admin_api.customers.read'), JSON.stringify(seen.withheld));
    await refused(app().clientFor(staff.token).ai_tasks.list_effects(taskId, runId), 403, 'forbidden');
    assert.equal(seen.parameters, '{}', 'its parameters are what the starting run chose to give');
    assert.equal((await tasks().get_run(taskId, runId)).parameters, '{"n":1}');
    await tasks().cancel_run(taskId, runId);
    const bulk = { action: 'retry' as const, ids: [runId] };
    const retrier = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const { results } = await app().clientFor(retrier.token).ai_tasks.bulk_runs(bulk);
    assert.deepEqual(
      results.map(({ code }) => code),
      ['forbidden'],
    );
    const mine = (await app().client.ai_tasks.bulk_runs(bulk)).results[0]?.new_run_id ?? 0;
    const again = await app().clientFor(staff.token).ai_tasks.get_run(taskId, mine);
    assert.ok(again.withheld.includes('admin_api.customers.read'), JSON.stringify(again.withheld));
    await tasks().cancel_run(taskId, mine);
    const third = (await app().client.ai_tasks.bulk_runs({ action: 'retry', ids: [mine] })).results[0]?.new_run_id ?? 0;
    const { withheld } = await app().clientFor(staff.token).ai_tasks.get_run(taskId, third);
    assert.ok(withheld.includes('admin_api.customers.read'), 'also when the new run is started again');
  });

  test('a run starts nothing once its admin may not start tasks any more', async () => {
    const taskId = await child();
    const parent = await parentOf([taskId]);
    const ann = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'tasks_start'] });
    await emptyQueue(app());
    const { run_id: runId } = await app().clientFor(ann.token).ai_tasks.start_run(parent, {});
    const run = await claimStarted(parent, runId);
    await app().client.admins.update(ann.adminId, { permissions: ['admin_api.ai_tasks.read'] });
    const answer = await start(run, taskId);
    assert.equal(answer.status, 403, answer.text);
    assert.deepEqual(await tasks().list_runs(taskId), []);
  });

  test('a dry run starts nothing: its plan has the start, and applying the plan starts the task', async () => {
    const taskId = await child();
    const run = await claimedRun(app(), { dry_run: true }, await parentOf([taskId]));
    const answers = [await start(run, taskId, { n: 1 }), await start(run, taskId, { n: 2 })];
    assert.equal(new Set(answers.map(runIdOf)).size, 2);
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    assert.deepEqual(await tasks().list_runs(taskId), []);
    const effects = await tasks().list_effects(run.taskId, run.runId);
    assert.deepEqual(
      effects.map(({ path, changes }) => [path, changes['task_id'], changes['parameters']]),
      [1, 2].map((n) => ['/task-runs', [null, taskId], [null, { n }]]),
    );
    const applied = await app().request({ method: 'POST', path: `${run.path}/apply` });
    assert.equal(applied.status, 201, applied.text);
    const started = await tasks().list_runs(taskId);
    assert.deepEqual(started.map(({ parameters }) => parameters).sort(), ['{"n":1}', '{"n":2}']);
    assert.deepEqual(new Set(started.map(({ started_by }) => started_by)), new Set([`run:${field(applied.body, 'run_id')}`]));
  });

  test('a worker that is killed before or after the answer starts the task once, and a replay not at all', async () => {
    const taskId = await child({ source_code: 'export default () => null;' });
    const source_code = `export default async () => (await tasks.start(${taskId}, { n: 7 })).run_id;`;
    const parent = await parentOf([taskId], { source_code });
    await emptyQueue(app());
    const runner = openInProcessRunner(app());
    try {
      const { runId } = await openRun(app(), { record: true, priority: 1000 }, parent);
      const seen: string[] = [];
      const ended = await runner.finish(parent, runId, ({ type }) => {
        if (seen.includes(type)) return false;
        seen.push(type);
        return 'runner';
      });
      const started = await tasks().list_runs(taskId);
      assert.deepEqual([ended.status, seen, ended.result], ['success', ['call', 'answer'], started[0]?.id], ended.error_message ?? '');
      const replay = await app().client.replays.start(parent, runId, {});
      const again = await runner.finish(parent, replay.run_id);
      assert.deepEqual([again.status, again.result], ['success', ended.result], again.error_message ?? '');
      assert.equal((await tasks().list_runs(taskId)).length, 1);
    } finally {
      await runner.close();
    }
  });
});
