import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFingerprint } from '../../runner/call-key.ts';
import { grantGrace } from '../../server/automation/runs/life/recovery.ts';
import { tellStuck } from '../../server/automation/runs/life/stuck.ts';
import { onBothStores } from '../helpers/app.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask, openRun } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { letQuestionsBeOld, letRunBeQuiet } from '../helpers/stored-rows/runs.ts';
import { triggers } from '../helpers/triggers.ts';

onBothStores('runs that may be stuck', (app) => {
  const tasks = () => app().client.ai_tasks;
  const { make, runsOf, eventIn, dealtWith, switchOff } = triggers(app);
  const watched = (values = {}) => makeTask(app(), values, { stuck_minutes: 10 });
  const look = async () => tellStuck(await servicesOf(app().store));
  const toldOf = async (runId: number) => {
    const { notifications } = await app().client.notifications.list({ limit: 100 });
    return notifications.filter(({ type, metadata }) => type === 'ai_task_run_stuck' && metadata?.['run_id'] === runId);
  };

  async function ask({ runId, claim }: Awaited<ReturnType<typeof claimedRun>>): Promise<void> {
    const question = { label: 'Go on?', fields: [{ name: 'sure', kind: 'boolean' }] };
    const asked = await app().request({
      method: 'POST',
      path: `/admin/api/runner/runs/${runId}/prompts`,
      token: claim.report_token,
      body: { key: `0/${callFingerprint('PROMPT', '/prompts', question)}/0`, ...question },
    });
    assert.equal(asked.status, 200, asked.text);
  }

  test('a run without a sign is told of once, by one of several servers, and goes on', async () => {
    const taskId = await watched();
    const listening = await make({ event: 'task.run_stuck', filter: { task_id: taskId } });
    const run = await claimedRun(app(), {}, taskId);
    await letRunBeQuiet(app().store, run.runId, 9);
    await look();
    assert.deepEqual(await toldOf(run.runId), []);
    await letRunBeQuiet(app().store, run.runId, 2);
    assert.equal((await run.report([])).status, 204, 'a heartbeat is no sign of progress');
    const servers = await Promise.all([1, 2, 3].map(() => servicesOf(app().store)));
    await Promise.all(servers.map(tellStuck));
    await look();
    const [told, ...others] = await toldOf(run.runId);
    assert.deepEqual(others, []);
    assert.match(told?.message ?? '', /Run \d+ of "Task \d+" is running, but has given no sign of progress for 10 minutes/);
    assert.equal((await tasks().get_run(taskId, run.runId)).status, 'running');
    await dealtWith();
    const events = (await runsOf(listening)).map(eventIn);
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.task_id, data.run_id, data.quiet_since]),
      [['task.run_stuck', taskId, run.runId, told?.metadata?.['quiet_since']]],
    );
    assert.equal((await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }])).status, 204);
    await switchOff(listening);
  });

  test('a line, progress, a checkpoint and a call are signs; after each, silence is told of again', async () => {
    const run = await claimedRun(app(), {}, await watched());
    const signs: [string, () => Promise<{ status: number }>][] = [
      ['a line', () => run.report([{ kind: 'log', line: 'still here' }])],
      ['progress', () => run.report([{ kind: 'progress', current: 1, total: 9, label: 'counting' }])],
      ['a result', () => run.report([{ kind: 'result', status: 'done', item: 'x', details: {} }])],
      ['a checkpoint', () => run.report([{ kind: 'checkpoint', state: { n: 1 } }])],
      ['a call', () => run.call('GET', '/orders', undefined, { epoch: 1 })],
    ];
    let told = 0;
    const count = async () => (await toldOf(run.runId)).reduce((sum, one) => sum + one.count, 0);
    for (const [name, give] of signs) {
      await letRunBeQuiet(app().store, run.runId, 9);
      const { status } = await give();
      assert.ok(status === 204 || status === 200, name);
      await letRunBeQuiet(app().store, run.runId, 9);
      await look();
      assert.equal(await count(), told, `${name} is a sign`);
      await letRunBeQuiet(app().store, run.runId, 2);
      await look();
      told += 1;
      assert.equal(await count(), told, `silence after ${name}`);
    }
  });

  test('nobody is told of runs that wait for a runner or a person, of dry runs, of ended runs and of tasks without the setting', async () => {
    const taskId = await watched({ permissions: ['prompt_input'] });
    const asking = await claimedRun(app(), {}, taskId);
    await ask(asking);
    const ended = await openRun(app(), { executor: 'external' }, taskId);
    await tasks().append_run_events(taskId, ended.runId, { events: [{ kind: 'finalize', status: 'success' }] });
    const runs = [
      asking.runId,
      (await claimedRun(app(), { dry_run: true }, taskId)).runId,
      (await claimedRun(app(), {}, await makeTask(app()))).runId,
      ended.runId,
      (await openRun(app(), {}, taskId)).runId,
    ];
    for (const runId of runs) await letRunBeQuiet(app().store, runId, 11);
    await look();
    for (const runId of runs) assert.deepEqual(await toldOf(runId), [], `run ${runId}`);
    const [{ id } = { id: 0 }] = await tasks().list_prompts(taskId, asking.runId);
    await tasks().answer_prompt(taskId, asking.runId, id, { answers: { sure: true } });
    await look();
    assert.deepEqual(await toldOf(asking.runId), [], 'the answer is a sign');
    await letRunBeQuiet(app().store, asking.runId, 11);
    await look();
    assert.equal((await toldOf(asking.runId)).length, 1);
  });

  test('a run that asks a question and keeps its worker does more than wait for the answer, and is told of', async () => {
    const taskId = await watched({ permissions: ['prompt_input'] });
    const run = await claimedRun(app(), {}, taskId);
    await ask(run);
    await letRunBeQuiet(app().store, run.runId, 11);
    await letQuestionsBeOld(app().store, run.runId, 1);
    await look();
    assert.deepEqual(await toldOf(run.runId), [], 'its worker may be given back yet');
    await letQuestionsBeOld(app().store, run.runId, 3);
    await look();
    assert.equal((await toldOf(run.runId)).length, 1);
  });

  test('a run that a client drives gives signs with its events; a start of the server leaves it five minutes', async () => {
    const taskId = await watched();
    const run = await openRun(app(), { executor: 'external' }, taskId);
    await letRunBeQuiet(app().store, run.runId, 9);
    await tasks().append_run_events(taskId, run.runId, { events: [{ kind: 'log', line: 'here' }] });
    await letRunBeQuiet(app().store, run.runId, 9);
    await tasks().append_run_events(taskId, run.runId, { events: [] });
    await grantGrace(app().store, 1000);
    await letRunBeQuiet(app().store, run.runId, 4);
    await look();
    assert.deepEqual(await toldOf(run.runId), []);
    await letRunBeQuiet(app().store, run.runId, 2);
    await look();
    assert.equal((await toldOf(run.runId)).length, 1);
    await grantGrace(app().store, 1000);
    await letRunBeQuiet(app().store, run.runId, 11);
    await look();
    assert.equal((await toldOf(run.runId)).length, 1, 'the silence is the one that was told of');
  });

  test('stuck_minutes is null or 1 to 10,080, and null until it is set', async () => {
    const taskId = await makeTask(app());
    const setting = async () => (await tasks().get(taskId)).task.settings.stuck_minutes;
    assert.equal(await setting(), null);
    for (const stuck_minutes of [0, 10_081, 1.5])
      await refused(tasks().update(taskId, { settings: { stuck_minutes } }), 422, stuck_minutes === 1.5 ? 'invalid_type' : 'out_of_range');
    await tasks().update(taskId, { settings: { stuck_minutes: 10_080 } });
    await tasks().update(taskId, { settings: { max_attempts: 4 } });
    assert.equal(await setting(), 10_080);
    await tasks().update(taskId, { settings: { stuck_minutes: null } });
    assert.equal(await setting(), null);
  });
});
