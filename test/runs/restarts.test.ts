import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { KEPT_CHECKPOINTS } from '../../contract/run-checkpoints.ts';
import type { JsonObject } from '../../contract/run-events.ts';
import { secretMark } from '../../contract/secret-mark.ts';
import { placeholderOf } from '../../contract/secret-rules.ts';
import { sweepOld } from '../../server/background/retention.ts';
import { connectAgent } from '../helpers/agents.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, claimRun, emptyQueue, makeTask } from '../helpers/runs.ts';
import { putFirst } from '../helpers/stored-rows/runs.ts';
import { triggers as triggersOf } from '../helpers/triggers.ts';

const DAY_MS = 24 * 3600 * 1000;
const PERMISSIONS: Permission[] = ['admin_api.customers.write'];

/** Makes one note before its checkpoints, one in each of four rounds, and fails in the round that is told. */
const ROUNDS = `
const note = (body) => admin_api.post('/customers/' + parameters.id + '/notes', { body });
const first = await once('first', async () => (await note('first ' + Math.random())).body.id);
for (let i = last_checkpoint?.i ?? 0; i < 4; i++) {
  await note('n' + i);
  await checkpoint({ i: i + 1, first });
  if (i === parameters.fails) throw new Error('no more');
}
export default last_checkpoint?.first ?? first;
`;

onBothStores('runs that start again from a checkpoint', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());

  const tasks = () => app().client.ai_tasks;
  const bodies = async (id: number) => (await app().client.customers.list_notes(id)).map(({ body }) => body.split(' ')[0]).reverse();

  async function rounds(more: JsonObject = {}) {
    const { id } = await makeCustomer(app());
    await emptyQueue(app());
    const taskId = await makeTask(app(), { source_code: ROUNDS, permissions: PERMISSIONS });
    const { run_id: runId } = await tasks().start_run(taskId, { parameters: { id, fails: 2 }, ...more });
    const run = await runner.finish(taskId, runId);
    assert.equal(run.error_message?.split('\n')[0], 'Error: no more', `${run.error_message}`);
    return { customerId: id, taskId, runId };
  }

  test('the new run has the state and what once kept, and writes anew; the answer shows what came after the checkpoint', async () => {
    const { customerId, taskId, runId } = await rounds();
    assert.deepEqual(await bodies(customerId), ['first', 'n0', 'n1', 'n2']);
    const listed = await tasks().list_checkpoints(taskId, runId);
    assert.deepEqual(
      listed.map(({ epoch, kept, effects_after }) => [epoch, kept, effects_after]),
      [
        [1, true, 2],
        [2, true, 1],
        [3, true, 0],
      ],
    );
    const { state, effects, ...shown } = await tasks().get_checkpoint_state(taskId, runId, 1);
    assert.deepEqual([JSON.parse(state).i, shown], [1, listed[0]]);
    const body = { checkpoint: 1, parameters: { id: customerId, fails: 9 }, record: true };
    const once = { headers: { 'idempotency-key': `restart-${taskId}` } };
    const made = await tasks().restart_run(taskId, runId, body, once);
    assert.deepEqual([made.effects_after.total, made.effects_after.data], [2, effects.data]);
    assert.deepEqual(
      effects.data.map(({ path, changes }) => [path, changes['body']]),
      [1, 2].map((n) => [`/customers/${customerId}/notes`, [null, `n${n}`]]),
    );
    assert.deepEqual(await tasks().restart_run(taskId, runId, body, once), made);

    const run = await runner.finish(taskId, made.run_id);
    assert.deepEqual([run.status, run.result, run.resumed_from_run_id], ['success', JSON.parse(state).first, null], `${run.error_message}`);
    assert.deepEqual(await bodies(customerId), ['first', 'n0', 'n1', 'n2', 'n1', 'n2', 'n3']);
    assert.match(run.log, new RegExp(`"restarted from run ${runId} at checkpoint 1"`));
    const restarted_from = { run_id: runId, checkpoint: 1 };
    assert.deepEqual(run.restarted_from, restarted_from);
    const [row] = (await tasks().list_all_runs({ run_id: run.id })).data;
    assert.deepEqual(row?.restarted_from, restarted_from);
    const [opened] = (await tasks().get_timeline(taskId, run.id)).data;
    assert.ok(opened?.kind === 'opened');
    assert.deepEqual(opened.restarted_from, restarted_from);
    const { data: audited } = await app().client.audit_log.list({ resource_type: 'run', resource_id: run.id });
    assert.deepEqual(
      audited.flatMap(({ action, changes }) => (action === 'ai_tasks.restart_run' ? [changes['restarted_from']] : [])),
      [[null, restarted_from]],
      JSON.stringify(audited),
    );
    assert.equal((await tasks().get_run(taskId, runId)).status, 'failed', 'the first run stays as it was');
    assert.equal((await tasks().list_effects(taskId, run.id)).length, 3);
    assert.deepEqual(
      (await tasks().list_checkpoints(taskId, run.id)).map(({ epoch, effects_after }) => [epoch, effects_after]),
      [
        [2, 2],
        [3, 1],
        [4, 0],
      ],
      'its checkpoints are counted on',
    );
    const { run_id: replayId } = await app().client.replays.start(taskId, run.id);
    await runner.finish(taskId, replayId);
    const report = await app().client.replays.get(taskId, replayId);
    assert.ok(report.identical, JSON.stringify(report));
    await refused(tasks().restart_run(taskId, replayId, { checkpoint: 2 }), 409, 'not_applicable');
  });

  test('effects of runs that were resumed count, and a lineage that goes on is not restarted', async () => {
    const { id } = await makeCustomer(app());
    const taskId = await makeTask(app());
    const first = await claimedRun(app(), {}, taskId);
    const noteOf = (run: typeof first, body: string, epoch: number) => run.call('POST', `/customers/${id}/notes`, { body }, { epoch });
    await first.report([{ kind: 'checkpoint', state: {}, epoch: 0 }]);
    await noteOf(first, 'a', 1);
    await refused(tasks().restart_run(taskId, first.runId, { checkpoint: 1 }), 409, 'run_not_ended');
    await first.report([{ kind: 'finalize', status: 'interrupted', end_reason: 'budget' }]);
    const second = await claimedRun(app(), { resume_run_id: first.runId }, taskId);
    await noteOf(second, 'a', 1);
    await noteOf(second, 'b', 1);
    await refused(tasks().restart_run(taskId, first.runId, { checkpoint: 1 }), 409, 'run_not_ended');
    await second.report([
      { kind: 'checkpoint', state: { two: 2 }, epoch: 1 },
      { kind: 'finalize', status: 'success', end_reason: 'completed' },
    ]);
    const { effects_after } = await tasks().restart_run(taskId, first.runId, { checkpoint: 1 });
    assert.equal(effects_after.total, 2);
    await refused(tasks().restart_run(taskId, first.runId, { checkpoint: 2 }), 422, 'checkpoint_not_found');
    await refused(tasks().get_checkpoint_state(taskId, first.runId, 2), 404, 'not_found');
    const { run_id } = await tasks().restart_run(taskId, second.runId, { checkpoint: 2 });
    assert.equal((await tasks().get_run(taskId, run_id)).last_checkpoint, '{"two":2}');
    await tasks().cancel_runs(taskId);
  });

  test('TG2: what led to the first run led to the new one, too', async () => {
    const { make, runsOf, dealtWith, changedOrder, switchOff } = triggersOf(app);
    const event = 'order.status_changed';
    const writer = { permissions: ['admin_api.orders.write' as const] };
    const [a, b] = [await makeTask(app(), writer), await makeTask(app(), writer)];
    const order = await changedOrder();
    await emptyQueue(app());
    const back = await make({ event }, a);
    const forth = await make({ event }, b);
    const first = await claimedRun(app(), {}, a);
    assert.equal((await first.call('PATCH', `/orders/${order}/status`, { status: 'shipped' })).status, 204);
    await dealtWith();
    const [led] = await runsOf(forth);
    assert.ok(led);
    const claimed = async (runId: number) => {
      await putFirst(app().store, runId);
      return claimRun(app(), { taskId: b, runId, path: `/admin/api/ai-tasks/${b}/runs/${runId}` });
    };
    const second = await claimed(led.id);
    await second.report([
      { kind: 'checkpoint', state: {}, epoch: 0 },
      { kind: 'finalize', status: 'failed', end_reason: 'script_error' },
    ]);
    const { run_id } = await tasks().restart_run(b, led.id, { checkpoint: 1 });
    const third = await claimed(run_id);
    assert.equal((await third.call('PATCH', `/orders/${order}/status`, { status: 'delivered' }, { epoch: 1 })).status, 204);
    await dealtWith();
    assert.deepEqual(await runsOf(back), [], 'a run of A led to it');
    await switchOff(back, forth);
  });

  test('the last twenty states are kept, of these 16 MiB, until the journal goes', async () => {
    const taskId = await makeTask(app());
    const run = await claimedRun(app(), {}, taskId);
    const kept = async () => (await tasks().list_checkpoints(taskId, run.runId)).filter((one) => one.kept).map(({ epoch }) => epoch);
    for (let epoch = 0; epoch < KEPT_CHECKPOINTS + 2; epoch++) await run.report([{ kind: 'checkpoint', state: { epoch }, epoch }]);
    assert.deepEqual(
      await kept(),
      Array.from({ length: KEPT_CHECKPOINTS }, (_, n) => n + 3),
    );
    const large = 'x'.repeat(1000 * 1024);
    for (let epoch = KEPT_CHECKPOINTS + 2; epoch < KEPT_CHECKPOINTS + 19; epoch++)
      await run.report([{ kind: 'checkpoint', state: { large, epoch }, epoch }]);
    assert.deepEqual(
      await kept(),
      Array.from({ length: 16 }, (_, n) => n + 24),
    );
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await refused(tasks().restart_run(taskId, run.runId, { checkpoint: 23 }), 409, 'checkpoint_expired');
    await refused(tasks().get_checkpoint_state(taskId, run.runId, 23), 409, 'checkpoint_expired');
    assert.ok((await tasks().list_checkpoints(taskId, run.runId)).length === KEPT_CHECKPOINTS + 19, 'that there were others is still told');
    await sweepOld(app().store, Date.now() + 31 * DAY_MS);
    assert.deepEqual(await kept(), []);
    await refused(tasks().restart_run(taskId, run.runId, { checkpoint: 39 }), 409, 'checkpoint_expired');
  });

  test('a placeholder for a secret in the state is one of the new run', async () => {
    const taskId = await makeTask(app());
    const run = await claimedRun(app(), {}, taskId);
    const held = placeholderOf('key', secretMark(run.claim.seed));
    await run.report([
      { kind: 'checkpoint', state: { held }, epoch: 0 },
      { kind: 'finalize', status: 'failed', end_reason: 'script_error' },
    ]);
    assert.equal((await tasks().get_checkpoint_state(taskId, run.runId, 1)).state, '{"held":"{{secret:key}}"}');
    await emptyQueue(app());
    const { run_id: runId } = await tasks().restart_run(taskId, run.runId, { checkpoint: 1, priority: 1000 });
    const { claim } = await claimRun(app(), { taskId, runId, path: `/admin/api/ai-tasks/${taskId}/runs/${runId}` });
    assert.notEqual(claim.seed, run.claim.seed);
    assert.deepEqual(claim.checkpoint, { held: placeholderOf('key', secretMark(claim.seed)) });
    assert.equal(claim.epoch, 1);
  });

  test('a dry run restarts as a dry run, whose plan begins with what was planned before the checkpoint', async () => {
    const { customerId, taskId, runId } = await rounds({ dry_run: true });
    assert.deepEqual(
      (await tasks().list_checkpoints(taskId, runId)).map(({ effects_after }) => effects_after),
      [0, 0, 0],
    );
    await refused(tasks().restart_run(taskId, runId, { checkpoint: 2, dry_run: false }), 422, 'invalid_value');
    await refused(tasks().restart_run(taskId, runId, { checkpoint: 2, executor: 'external' }), 422, 'invalid_value');
    const made = await tasks().restart_run(taskId, runId, { checkpoint: 2, parameters: { id: customerId, fails: 9 } });
    assert.deepEqual(made.effects_after, { total: 0, data: [] });
    const run = await runner.finish(taskId, made.run_id);
    assert.deepEqual([run.status, run.dry_run], ['success', true], `${run.error_message}`);
    const planned = (await tasks().list_effects(taskId, run.id)).map(({ changes }) => `${changes['body']?.[1]}`.split(' ')[0]);
    assert.deepEqual(planned, ['first', 'n0', 'n1', 'n2', 'n3']);
    assert.deepEqual(await bodies(customerId), []);
    await tasks().apply_run(taskId, run.id);
    assert.deepEqual(await bodies(customerId), ['first', 'n0', 'n1', 'n2', 'n3']);

    const real = await rounds();
    const tried = await tasks().restart_run(real.taskId, real.runId, { checkpoint: 3, dry_run: true });
    assert.equal((await runner.finish(real.taskId, tried.run_id)).status, 'success');
    assert.deepEqual(await bodies(real.customerId), ['first', 'n0', 'n1', 'n2'], 'a restart can be tried');
  });

  test('RU22: another version must be allowed to get the state, and who restarts must be allowed to read it', async () => {
    const { taskId, runId } = await rounds();
    const at = { checkpoint: 1 };
    const as = async (...permissions: Permission[]) => app().clientFor((await person(app(), { permissions })).token).ai_tasks;
    const starter = await as('admin_api.ai_tasks.write');
    await refused(starter.restart_run(taskId, runId, at), 403, 'forbidden');
    await refused((await as('admin_api.ai_tasks.read', 'admin_api.customers.read')).restart_run(taskId, runId, at), 403, 'forbidden');
    const reader = await as('admin_api.ai_tasks.write', 'admin_api.customers.read');
    const theirs = await reader.restart_run(taskId, runId, { ...at, dry_run: true });
    await tasks().cancel_run(taskId, theirs.run_id);
    await refused(tasks().restart_run(taskId, runId, { ...at, version: 999_999 }), 422, 'version_not_found');

    const other = { source_code: 'export default last_checkpoint.i;', parameters: [] };
    const next = await tasks().create_version(taskId, { ...other, permissions: PERMISSIONS });
    const old = await tasks().restart_run(taskId, runId, at);
    assert.equal((await tasks().get(taskId)).current_version?.id, next.version_id);
    assert.notEqual(old.version_id, next.version_id, 'the version of the run stays although it is not the current one');
    await tasks().cancel_run(taskId, old.run_id);
    for (const version of ['current', next.version_id] as const) {
      const { run_id, version_id } = await tasks().restart_run(taskId, runId, { ...at, version });
      assert.equal(version_id, next.version_id);
      assert.equal((await runner.finish(taskId, run_id)).result, 1);
    }
    await tasks().revoke_version(taskId, old.version_id);
    await refused(tasks().restart_run(taskId, runId, at), 409, 'version_not_approved');
    await refused(tasks().restart_run(taskId, runId, { ...at, dry_run: true }), 409, 'version_not_approved');
  });

  test('an agent restarts dry runs alone, and a blind one none that may know people', async () => {
    const { taskId, runId } = await rounds();
    const agent = await connectAgent(app(), { permissions: [...PERMISSIONS, 'admin_api.ai_tasks.write'] });
    const theirs = app().clientFor(agent.token).ai_tasks;
    await refused(theirs.restart_run(taskId, runId, { checkpoint: 1 }), 403, 'forbidden');
    await refused(theirs.restart_run(taskId, runId, { checkpoint: 1, dry_run: true }), 403, 'forbidden');
    await agent.client.close();
  });

  test('a task whose runs are limited refuses or queues a restart like any other run', async () => {
    const { taskId, runId } = await rounds();
    await tasks().update(taskId, { settings: { concurrency: { limit: 1, overflow: 'skip' } } });
    const one = await tasks().restart_run(taskId, runId, { checkpoint: 1 });
    await refused(tasks().restart_run(taskId, runId, { checkpoint: 1 }), 409, 'concurrency_limit');
    await tasks().cancel_run(taskId, one.run_id);
  });
});
