import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { hooks } from '../helpers/hooks.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, makeTask, openRun } from '../helpers/runs.ts';
import { scheduleTools } from '../helpers/schedules.ts';

type Settings = NonNullable<Parameters<typeof makeTask>[2]>;

onBothStores('TV1: a new version on trial', (app) => {
  const tasks = () => app().client.ai_tasks;
  const schedules = scheduleTools(app);
  const hooksOf = hooks(app);
  const PERMISSIONS = ['admin_api.customers.write' as const];
  async function end(taskId: number, status: 'success' | 'failed' = 'success', body = {}): Promise<number> {
    const { runId } = await openRun(app(), { executor: 'external', ...body }, taskId);
    await tasks().append_run_events(taskId, runId, { events: [{ kind: 'finalize', status }] });
    return runId;
  }
  const times = async (count: number, work: () => Promise<unknown>) => {
    for (let n = 0; n < count; n += 1) await work();
  };
  const addVersion = (taskId: number) =>
    tasks().create_version(taskId, { source_code: 'log("again");', permissions: PERMISSIONS, parameters: [] });
  /** A task whose first version ran well five times, and whose second is new. */
  async function onTrial(trial: Settings['trial'] = {}, how: () => Promise<void> = () => Promise.resolve()): Promise<number> {
    const taskId = await makeTask(app(), { permissions: PERMISSIONS }, { trial });
    await times(5, () => end(taskId));
    await how();
    await addVersion(taskId);
    return taskId;
  }
  const trialOf = async (taskId: number) => (await tasks().get(taskId)).trial;
  const told = async (taskId: number) =>
    (await app().client.notifications.list({ limit: 100 })).notifications.filter(
      ({ type, metadata }) => type === 'ai_task_paused' && metadata?.['task_id'] === taskId,
    );

  test('TK10: the setting is off, has defaults, and changes field by field', async () => {
    const taskId = await makeTask(app());
    const trial = async (change: Settings['trial']) => (await tasks().update(taskId, { settings: { trial: change } })).settings.trial;
    assert.equal((await tasks().get(taskId)).task.settings.trial, null);
    assert.deepEqual(await trial({}), { runs: 20, failure_points: 20, effects_factor: 2 });
    assert.deepEqual(await trial({ runs: 30, effects_factor: null }), { runs: 30, failure_points: 20, effects_factor: null });
    await refused(trial({ failure_points: null }), 422, 'invalid_value');
    await refused(trial({ runs: 4 }), 422, 'out_of_range');
    assert.equal(await trial(null), null);
  });

  test('a version that fails more pauses its task once, also when its runs end at the same time; people are told', async () => {
    const taskId = await onTrial();
    await times(3, () => end(taskId));
    assert.deepEqual((await trialOf(taskId))?.figures, { runs: 3, failures: 0, effects: null });
    const runs = await Promise.all(Array.from({ length: 6 }, () => openRun(app(), { executor: 'external' }, taskId)));
    await Promise.all(
      runs.map(({ runId }) => tasks().append_run_events(taskId, runId, { events: [{ kind: 'finalize', status: 'failed' }] })),
    );
    const trial = await trialOf(taskId);
    assert.deepEqual(
      [trial?.state, trial?.reason, trial?.figures, trial?.before.version],
      ['paused', 'failures', { runs: 5, failures: 2, effects: null }, 1],
    );
    assert.equal((await tasks().list({ search: '' })).tasks.find(({ id }) => id === taskId)?.paused, true);
    const [note, ...others] = await told(taskId);
    assert.deepEqual([note?.metadata?.['run_id'], note?.metadata?.['version_id'], others], [trial?.run_id, trial?.version_id, []]);
    assert.match(note?.message ?? '', /did worse than version 1: 2 of 5 runs failed, before 0 of 5 runs failed/);
    await refused(tasks().start_run(taskId, {}), 409, 'task_paused');
    const dry = await tasks().start_run(taskId, { dry_run: true });
    assert.ok(dry.run_id);
  });

  test('one that goes on runs again, and is not paused a second time', async () => {
    const taskId = await onTrial();
    await times(5, () => end(taskId, 'failed'));
    const versionId = (await trialOf(taskId))?.version_id ?? 0;
    const { token } = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const path = `/admin/api/ai-tasks/${taskId}/versions/${versionId}/continue`;
    assert.equal(codeOf(await app().request({ method: 'POST', path, token }))[0], 403, 'who may approve decides');
    await tasks().continue_version(taskId, versionId, { comment: 'It is the supplier' });
    assert.equal((await trialOf(taskId))?.state, 'continued');
    await times(3, () => end(taskId, 'failed'));
    assert.equal((await told(taskId)).length, 1);
    await refused(tasks().continue_version(taskId, versionId), 409, 'not_paused');
  });

  test('one that is revoked steps back to the version before, which runs at once', async () => {
    const taskId = await onTrial();
    await times(5, () => end(taskId, 'failed'));
    const trial = await trialOf(taskId);
    await tasks().revoke_version(taskId, trial?.version_id ?? 0);
    assert.deepEqual([(await tasks().get(taskId)).current_version?.version, await trialOf(taskId)], [1, null]);
    await end(taskId);
  });

  test('SD6: what would start a run of a paused task tells why it did not', async () => {
    const taskId = await onTrial();
    const schedule = await schedules.make({}, taskId);
    const hook = await hooksOf.make({ parameter: null }, taskId);
    await times(5, () => end(taskId, 'failed'));
    await schedules.letBeDue(schedule);
    assert.match((await schedules.dealtWith(schedule)).last_error ?? '', /did worse in its trial/);
    assert.deepEqual(codeOf(await hooksOf.call(hook.address)), [409, 'run_not_opened']);
    const missed = (await app().client.notifications.list({ limit: 100 })).notifications.filter(
      ({ type, metadata }) => type === 'ai_task_not_started' && metadata?.['task_id'] === taskId,
    );
    assert.deepEqual(
      missed.map(({ metadata }) => metadata?.['reason_code']),
      ['task_paused', 'task_paused'],
    );
  });

  test('more effects of the run in the middle pause; one run with many, dry runs and replays do not', async () => {
    const { id } = await makeCustomer(app());
    const write = async (taskId: number, writes: number) => {
      const run = await claimedRun(app(), {}, taskId);
      for (let n = 0; n < writes; n += 1) await run.call('POST', `/customers/${id}/notes`, { body: 'x' }, { occurrence: n });
      assert.equal((await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }])).status, 204);
    };
    const taskId = await makeTask(app(), { permissions: PERMISSIONS }, { trial: {} });
    await times(5, () => write(taskId, 1));
    await addVersion(taskId);
    await write(taskId, 9);
    await times(4, () => write(taskId, 1));
    const dry = await claimedRun(app(), { dry_run: true }, taskId);
    await dry.report([{ kind: 'finalize', status: 'failed', end_reason: 'script_error' }]);
    assert.deepEqual((await trialOf(taskId))?.figures, { runs: 5, failures: 0, effects: 1 });
    await times(3, () => write(taskId, 2));
    assert.equal((await trialOf(taskId))?.state, 'watching');
    await write(taskId, 2);
    const trial = await trialOf(taskId);
    assert.deepEqual([trial?.state, trial?.reason, trial?.figures.effects], ['paused', 'more_effects', 2]);
  });

  test('without the setting, or without enough runs of an earlier version, nothing is watched; who passes is watched no more', async () => {
    const plain = await onTrial(null);
    await times(5, () => end(plain, 'failed'));
    const young = await makeTask(app(), { permissions: PERMISSIONS }, { trial: {} });
    await times(4, () => end(young));
    await addVersion(young);
    await times(5, () => end(young, 'failed'));
    assert.deepEqual([await trialOf(plain), await trialOf(young)], [null, null]);
    const good = await onTrial({ runs: 5 });
    await times(5, () => end(good));
    assert.equal((await trialOf(good))?.state, 'passed');
    await times(5, () => end(good, 'failed'));
    assert.deepEqual([(await trialOf(good))?.state, await told(good)], ['passed', []]);
  });
});
