import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import {
  type ClaimedRun,
  claim,
  claimedRun,
  claimRun,
  codeOf,
  emptyQueue,
  field,
  makeTask,
  openRun,
  passRetryDelay,
} from '../helpers/runs.ts';

const KEY = 'a'.repeat(64);

onBothStores('scripts that wait for other tasks (tasks.run)', (app) => {
  const tasks = () => app().client.ai_tasks;
  type Values = NonNullable<Parameters<typeof makeTask>[1]>;
  const child = (source_code: string, values: Values = {}, settings?: Parameters<typeof makeTask>[2]) =>
    makeTask(app(), { permissions: [], parameters: [{ name: 'n', kind: 'number' }], source_code, ...values }, settings);
  const parentOf = (may_start: number[], source_code: string, values: Values = {}) =>
    makeTask(app(), { permissions: ['tasks_start'], may_start, source_code, ...values }, { on_interrupt: 'resume' });
  const logOf = async (taskId: number, runId: number) =>
    (await tasks().get_run(taskId, runId)).log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => String(field(JSON.parse(line), 'line')));

  let runner: InProcessRunner | undefined;
  // The worker is given back at once, so that each wait is a new attempt of the script.
  const inProcess = () => (runner ??= openInProcessRunner(app(), { promptHoldMs: () => 0 }));
  after(() => runner?.close());
  async function outcome(parent: number, body = {}, fate?: Fate) {
    await emptyQueue(app());
    const { runId } = await openRun(app(), { priority: 1000, ...body }, parent);
    return inProcess().finish(parent, runId, fate);
  }

  /** A run that has started another one and waits for its end, as a runner would do it. */
  async function waitingRun(taskId: number, values: Values = {}) {
    const run = await claimedRun(app(), {}, await parentOf([taskId], 'log(1)', values));
    const started = await run.call('POST', '/task-runs', { task: taskId, parameters: { n: 1 } });
    const startedId = Number(field(started.body, 'run_id'));
    const answer = await wait(run, startedId);
    return { run, startedId, waitId: Number(field(answer.body, 'id')) };
  }
  const wait = ({ runId, claim: { report_token, epoch } }: ClaimedRun, started_run_id: number, more = {}) =>
    app().request({
      method: 'POST',
      path: `/admin/api/runner/runs/${runId}/awaited-runs`,
      token: report_token,
      body: { key: `${epoch}/${KEY}/0`, started_run_id, ...more },
    });
  const park = (run: ClaimedRun, id: number) => run.report([{ kind: 'wait', prompt_ids: [id] }]);

  test('the script gets what the other script returned, goes on from there, and each task ran once', async () => {
    const square = await child('export default () => ({ square: parameters.n ** 2 });', { name: 'Square' });
    const source = `export default async () => {
      const both = last_checkpoint?.both ?? await Promise.all([tasks.run('Square', { n: 3 }), tasks.run(${square}, { n: 4 })]);
      if (!last_checkpoint) await checkpoint({ both });
      return [...both, await tasks.run('Square', { n: 5 })];
    };`;
    const parent = await parentOf([square], source);
    const ended = await outcome(parent);
    assert.deepEqual([ended.status, ended.error_message], ['success', null]);
    assert.deepEqual(ended.result, [{ square: 9 }, { square: 16 }, { square: 25 }]);
    const started = await tasks().list_runs(square);
    assert.deepEqual(started.map(({ parameters }) => parameters).sort(), ['{"n":3}', '{"n":4}', '{"n":5}']);
    const lines = await logOf(parent, ended.id);
    for (const { id } of started) assert.ok(lines.includes(`waits for the end of run ${id}`), lines.join('\n'));
  });

  test('any other end throws an error that says which run ended how', async () => {
    const bad = await child("export default () => { throw new Error('no luck'); };");
    const source = `export default async () => tasks.run(${bad}).catch((error) => [error.name, error.status, error.end_reason, error.message, error.run_id, error.task_id]);`;
    const ended = await outcome(await parentOf([bad], source));
    const [{ id } = { id: 0 }] = await tasks().list_runs(bad);
    const message = `run ${id} of task ${bad} ended failed: Error: no luck`;
    assert.deepEqual(ended.result, ['TaskRunError', 'failed', 'script_error', message, id, bad], ended.error_message ?? '');
  });

  test('wherever worker and runner are killed, the other task runs once and the script gets its end', async () => {
    const once = await child('export default () => parameters.n + 1;');
    const parent = await parentOf(
      [once],
      `export default async () => [await tasks.run(${once}, { n: 1 }), await tasks.run(${once}, { n: 2 })];`,
    );
    let isOver = false;
    for (let at = 0; !isOver; at += 1) {
      let seen = 0;
      const before = (await tasks().list_runs(once)).length;
      const ended = await outcome(parent, {}, () => {
        seen += 1;
        return seen === at + 1 && (at % 2 === 0 ? 'runner' : true);
      });
      isOver = seen <= at;
      assert.deepEqual([ended.status, ended.result], ['success', [2, 3]], `killed at message ${at}: ${ended.error_message}`);
      assert.equal((await tasks().list_runs(once)).length - before, 2, `killed at message ${at}`);
    }
  });

  test('while it waits the run shows so, gives its worker back, and is offered again when the other one ends, however that ends', async () => {
    const taskId = await child('log(1)');
    for (const end of ['success', 'cancelled', 'failed'] as const) {
      await emptyQueue(app());
      const { run, startedId, waitId } = await waitingRun(taskId);
      assert.equal((await tasks().get_run(run.taskId, run.runId)).waiting_reason, 'task');
      assert.deepEqual(await tasks().list_prompts(run.taskId, run.runId), [], 'nobody is asked');
      assert.ok((await tasks().list_open_prompts({})).every(({ run_id }) => run_id !== run.runId));
      await refused(tasks().answer_prompt(run.taskId, run.runId, waitId, { answers: {} }), 404, 'not_found');
      assert.equal((await park(run, waitId)).status, 204);
      const shown = async (waiting_reason: 'task' | 'prompt') =>
        (await tasks().list_all_runs({ waiting_reason, task_id: run.taskId })).data.map(({ id }) => id);
      assert.deepEqual([await shown('task'), await shown('prompt')], [[run.runId], []]);
      const path = `/admin/api/ai-tasks/${taskId}/runs/${startedId}`;
      if (end === 'cancelled') await tasks().cancel_run(taskId, startedId);
      else {
        const side = await claimRun(app(), { taskId, runId: startedId, path });
        const reason = end === 'success' ? 'completed' : 'script_error';
        await side.report([{ kind: 'finalize', status: end, end_reason: reason, ...(end === 'success' && { result: { n: 2 } }) }]);
      }
      const again = { ...run, ...(await claimRun(app(), run)) };
      assert.equal(again.claim.run.attempt, 1, 'no attempt is counted');
      const { body } = await wait(again, startedId);
      assert.equal(field(field(body, 'end'), 'status'), end);
      assert.deepEqual(field(field(body, 'end'), 'result'), end === 'success' ? { n: 2 } : null);
      assert.ok((await logOf(run.taskId, run.runId)).includes(`run ${startedId} ended ${end}: the run goes on from checkpoint 0`));
    }
  });

  test('an end that comes while the worker is still kept, or before it is waited for, is not missed', async () => {
    const taskId = await child('log(1)');
    await emptyQueue(app());
    const { run, startedId, waitId } = await waitingRun(taskId);
    await tasks().cancel_run(taskId, startedId);
    assert.equal((await park(run, waitId)).status, 204);
    assert.ok((await logOf(run.taskId, run.runId)).some((line) => line.startsWith(`run ${startedId} ended meanwhile`)));
    const again = { ...run, ...(await claimRun(app(), run)) };
    assert.equal(field(field((await wait(again, startedId)).body, 'end'), 'status'), 'cancelled');
    const late = await claimedRun(app(), {}, await parentOf([taskId], 'log(1)'));
    const lateId = Number(field((await late.call('POST', '/task-runs', { task: taskId })).body, 'run_id'));
    await tasks().cancel_run(taskId, lateId);
    assert.equal(field(field((await wait(late, lateId)).body, 'end'), 'status'), 'cancelled');
  });

  test('a run that waits for its own next attempt has not ended', async () => {
    const taskId = await child('log(1)', {}, { retry: { attempts: 2, first_ms: 3_600_000 } });
    await emptyQueue(app());
    const { run, startedId, waitId } = await waitingRun(taskId);
    await park(run, waitId);
    const open = { taskId, runId: startedId, path: `/admin/api/ai-tasks/${taskId}/runs/${startedId}` };
    const failed = [{ kind: 'finalize' as const, status: 'failed', end_reason: 'script_error' as const, error_message: 'Error: 1' }];
    await (await claimRun(app(), open)).report(failed);
    assert.equal((await tasks().get_run(run.taskId, run.runId)).waiting_reason, 'task');
    assert.deepEqual(await claim(app()), []);
    await passRetryDelay(app(), open);
    await (await claimRun(app(), open)).report(failed);
    assert.equal((await tasks().get_run(run.taskId, run.runId)).waiting_reason, 'runners_busy');
  });

  test('only a run that it has started is waited for; cancelling the one that waits leaves the other one', async () => {
    const taskId = await child('log(1)');
    await emptyQueue(app());
    const stranger = await claimedRun(app(), {}, await parentOf([taskId], 'log(1)'));
    const { run, startedId, waitId } = await waitingRun(taskId);
    for (const id of [startedId, run.runId, 999_999]) assert.deepEqual(codeOf(await wait(stranger, id)), [422, 'run_not_found']);
    assert.deepEqual(codeOf(await wait({ ...run, claim: { ...run.claim, epoch: 3 } }, startedId)), [409, 'run_fenced']);
    await park(run, waitId);
    await tasks().cancel_run(run.taskId, run.runId);
    assert.equal((await tasks().get_run(taskId, startedId)).status, 'running');
    await tasks().cancel_run(taskId, startedId);
    assert.equal((await tasks().get_run(run.taskId, run.runId)).status, 'cancelled');
  });

  test('whoever may not read what the other run could read does not see the output of the run that waits for it', async () => {
    const taskId = await child('log(1)', { permissions: ['admin_api.customers.read'] });
    await emptyQueue(app());
    const { run } = await waitingRun(taskId);
    const staff = await person(app(), { permissions: ['admin_api.ai_tasks.read', 'tasks_start'] });
    const seen = await app().clientFor(staff.token).ai_tasks.get_run(run.taskId, run.runId);
    assert.ok(seen.withheld.includes('admin_api.customers.read'), JSON.stringify(seen.withheld));
    assert.deepEqual(codeOf(await run.call('GET', '/customers')), [403, 'forbidden'], 'its script may read no more than before');
  });

  test('what a run has learnt from those that it waited for counts for the one that waits for it', async () => {
    const bottom = await child('export default () => 7;', { permissions: ['admin_api.orders.read'] });
    const other = await child('export default () => 8;', { permissions: ['admin_api.customers.read'] });
    const middle = await child(`export default async () => [...await Promise.all([tasks.run(${bottom}), tasks.run(${other})])];`, {
      ...{ permissions: ['tasks_start'], may_start: [bottom, other] },
    });
    const ended = await outcome(await parentOf([middle], `export default () => tasks.run(${middle});`));
    assert.deepEqual(ended.result, [7, 8], ended.error_message ?? '');
    const staff = await person(app(), { permissions: ['admin_api.ai_tasks.read', 'tasks_start'] });
    const { withheld } = await app().clientFor(staff.token).ai_tasks.get_run(ended.task_id, ended.id);
    for (const needed of ['admin_api.orders.read', 'admin_api.customers.read'])
      assert.ok(withheld.includes(needed), JSON.stringify(withheld));
  });

  test('a dry run goes on with the sample and starts nothing; without one it says so; a replay gets the recorded end', async () => {
    const taskId = await child('export default () => parameters.n;');
    const sampled = await parentOf([taskId], `export default async () => tasks.run(${taskId}, { n: 2 }, { sample: { made: 'up' } });`);
    const dry = await outcome(sampled, { dry_run: true });
    assert.deepEqual([dry.status, dry.result], ['success', { made: 'up' }], dry.error_message ?? '');
    assert.deepEqual(await tasks().list_runs(taskId), []);
    const bare = await parentOf([taskId], `export default async () => tasks.run(${taskId}, { n: 2 }).catch((error) => error.code);`);
    assert.equal((await outcome(bare, { dry_run: true })).result, 'sample_required');
    const recorded = await outcome(sampled, { record: true });
    assert.equal(recorded.result, 2, 'an ordinary run takes no sample');
    const replay = await app().client.replays.start(sampled, recorded.id, {});
    const again = await inProcess().finish(sampled, replay.run_id);
    assert.deepEqual([again.status, again.result], ['success', 2], again.error_message ?? '');
    assert.equal((await tasks().list_runs(taskId)).length, 1);
  });
});
