import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantGrace, interruptAbandoned } from '../../server/automation/runs/life/recovery.ts';
import { sweepOld } from '../../server/background/retention.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claim, claimedRun, claimRun, codeOf, emptyQueue, field, lapse, makeTask, type OpenRun, openRun } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { letClientBeSilent } from '../helpers/stored-rows/runs.ts';

onBothStores('cancelling and resuming runs', (app) => {
  const tasks = () => app().client.ai_tasks;

  /** Makes a run whose client has interrupted it after a checkpoint. */
  async function interrupted(body: Parameters<typeof openRun>[1] = {}, taskId?: number): Promise<OpenRun> {
    const run = await openRun(app(), { executor: 'external', ...body }, taskId);
    await tasks().append_run_events(run.taskId, run.runId, {
      events: [
        { kind: 'checkpoint', state: { n: 7 } },
        { kind: 'finalize', status: 'interrupted', error_message: null },
      ],
    });
    return run;
  }

  /** Lets the run look as if its client had been silent so much longer; then two servers look for abandoned runs. */
  async function later(run: OpenRun, minutes: number): Promise<void> {
    const { store } = app();
    await letClientBeSilent(store, run.runId, minutes);
    const services = await servicesOf(store);
    await Promise.all([interruptAbandoned(services), interruptAbandoned(services)]);
  }
  const statusOf = async ({ taskId, runId }: OpenRun) => (await tasks().get_run(taskId, runId)).status;

  test('RU5: a run that a client drives is interrupted after an hour without a PATCH, and the next run may start', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    const run = await openRun(app(), { executor: 'external' }, taskId);
    const next = await openRun(app(), {}, taskId);
    await later(run, 59);
    assert.deepEqual([await statusOf(run), await claim(app())], ['running', []]);
    await tasks().append_run_events(taskId, run.runId, { events: [] });
    await later(run, 59);
    assert.equal(await statusOf(run), 'running', 'an empty PATCH counts');
    await later(run, 2);
    const ended = await tasks().get_run(taskId, run.runId);
    assert.deepEqual([ended.status, ended.end_reason], ['interrupted', 'lost_runner']);
    assert.match(ended.error_message ?? '', /sent no request for 60 minutes/);
    const { notifications } = await app().client.notifications.list({ limit: 100 });
    assert.equal(notifications.filter(({ metadata }) => metadata?.['run_id'] === run.runId).length, 1);
    await claimRun(app(), next);
    await refused(tasks().append_run_events(taskId, run.runId, { events: [] }), 409, 'run_not_running');
    await tasks().start_run(taskId, { resume_run_id: run.runId });
    await tasks().cancel_runs(taskId);
  });

  test('RU5: this holds for a run that a client took over, not for a runner’s; a server start gives five minutes', async () => {
    const claimed = await claimedRun(app());
    await later(claimed, 61);
    const run = await openRun(app());
    await later(run, 61);
    await tasks().append_run_events(run.taskId, run.runId, { events: [] });
    await later(run, 30);
    assert.deepEqual([await statusOf(run), await statusOf(claimed)], ['running', 'running']);
    await letClientBeSilent(app().store, run.runId, Infinity);
    await grantGrace(app().store, 1000);
    await later(run, 4);
    assert.equal(await statusOf(run), 'running');
    await later(run, 2);
    assert.equal(await statusOf(run), 'interrupted');
  });

  test('Cancel: the run ends at once, its tokens are fenced, and a second cancel is 409', async () => {
    const run = await claimedRun(app());
    await tasks().cancel_run(run.taskId, run.runId);
    const ended = await tasks().get_run(run.taskId, run.runId);
    assert.deepEqual([ended.status, ended.end_reason], ['cancelled', 'cancelled']);
    assert.ok(ended.finished_at);
    assert.deepEqual(codeOf(await run.report([])), [409, 'run_fenced']);
    await refused(tasks().cancel_run(run.taskId, run.runId), 409, 'run_not_running');
  });

  test('Cancel: cancelling all runs of a task ends its open runs and no others', async () => {
    const taskId = await makeTask(app());
    const runs = [
      await openRun(app(), {}, taskId),
      await openRun(app(), { executor: 'external' }, taskId),
      await openRun(app(), {}, taskId),
    ];
    await tasks().cancel_run(taskId, runs[2]?.runId ?? 0);
    const other = await openRun(app());
    assert.deepEqual(await tasks().cancel_runs(taskId), { cancelled: 2 });
    assert.deepEqual(await tasks().cancel_runs(taskId), { cancelled: 0 });
    assert.deepEqual(
      (await tasks().list_runs(taskId)).map(({ status }) => status),
      ['cancelled', 'cancelled', 'cancelled'],
    );
    assert.equal((await tasks().get_run(other.taskId, other.runId)).status, 'running');
  });

  test('RU2, C6: resuming opens a new run with the old checkpoint and parameters; the old run becomes resumed', async () => {
    const old = await interrupted({ parameters: { a: 1 } });
    const { run_id, version_id } = await tasks().start_run(old.taskId, { resume_run_id: old.runId });
    const [before, after] = [await tasks().get_run(old.taskId, old.runId), await tasks().get_run(old.taskId, run_id)];
    assert.deepEqual([before.status, before.resumed_by_run_id], ['resumed', run_id]);
    assert.deepEqual(
      [after.status, after.resumed_from_run_id, after.last_checkpoint, after.parameters, version_id],
      ['running', old.runId, '{"n":7}', '{"a":1}', before.version_id],
    );
    const own = await interrupted({ parameters: { a: 1 } });
    const next = await tasks().start_run(own.taskId, { resume_run_id: own.runId, parameters: { b: 2 } });
    assert.equal((await tasks().get_run(own.taskId, next.run_id)).parameters, '{"b":2}', 'parameters that are sent replace the old ones');
  });

  test('RU2: a resume is refused for an unknown, unfinished, resumed or expired run, a revoked version or a deleted task', async () => {
    const old = await interrupted();
    const other = await makeTask(app());
    await refused(tasks().start_run(other, { resume_run_id: old.runId }), 422, 'run_not_found');
    await refused(tasks().start_run(old.taskId, { resume_run_id: 999_999 }), 422, 'run_not_found');
    await refused(tasks().start_run(old.taskId, { resume_run_id: -1 }), 422, 'out_of_range');
    const running = await openRun(app(), { executor: 'external' }, old.taskId);
    await refused(tasks().start_run(old.taskId, { resume_run_id: running.runId }), 409, 'not_interrupted');
    await tasks().cancel_run(old.taskId, running.runId);
    await refused(tasks().start_run(old.taskId, { resume_run_id: running.runId }), 409, 'not_interrupted');
    assert.equal((await tasks().get_run(old.taskId, old.runId)).status, 'interrupted');
    await tasks().start_run(old.taskId, { resume_run_id: old.runId });
    await refused(tasks().start_run(old.taskId, { resume_run_id: old.runId }), 409, 'already_resumed');
    const expired = await interrupted();
    const { journal_days } = await app().client.settings.get();
    await sweepOld(app().store, Date.now() + (journal_days + 1) * 86_400_000);
    await refused(tasks().start_run(expired.taskId, { resume_run_id: expired.runId }), 409, 'journal_expired');
    const revoked = await interrupted();
    const { version_id } = await tasks().get_run(revoked.taskId, revoked.runId);
    await tasks().revoke_version(revoked.taskId, version_id);
    await refused(tasks().start_run(revoked.taskId, { resume_run_id: revoked.runId }), 409, 'version_not_approved');
    await refused(tasks().start_run(revoked.taskId), 409, 'version_not_approved');
    await tasks().delete(expired.taskId);
    await refused(tasks().start_run(expired.taskId, { resume_run_id: expired.runId }), 409, 'task_deleted');
  });

  test('RU2: of simultaneous resumes of a run one succeeds', async () => {
    const old = await interrupted();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        app().request({ method: 'POST', path: `/admin/api/ai-tasks/${old.taskId}/runs`, body: { resume_run_id: old.runId } }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
    assert.equal((await tasks().list_runs(old.taskId)).length, 2);
  });

  test('RU10: a run acts with the permissions of its version and in the name of the admin who started it', async () => {
    const { id } = await makeCustomer(app());
    const taskId = await makeTask(app(), { permissions: ['admin_api.customers.write', 'admin_api.access_groups.write'] });
    const starter = await person(app(), { name: 'Stella Starter', permissions: ['admin_api.ai_tasks.write'] });
    const reader = await person(app(), { permissions: ['admin_api.ai_tasks.read', 'admin_api.customers.write'] });
    await refused(app().clientFor(reader.token).ai_tasks.start_run(taskId), 403, 'forbidden');
    await emptyQueue(app());
    const { run_id } = await app().clientFor(starter.token).ai_tasks.start_run(taskId);
    const run = await claimRun(app(), { taskId, runId: run_id, path: `/admin/api/ai-tasks/${taskId}/runs/${run_id}` });
    const note = await run.call('POST', `/customers/${id}/notes`, { body: 'by the run' });
    assert.deepEqual([note.status, field(note.body, 'author')], [201, 'Stella Starter']);
    const group = await app().client.access_groups.create({ name: 'Group', slug: `group-of-run-${run_id}` });
    const grant = await run.call('POST', `/access-groups/${group.id}/grants`, { customer_id: id, expires_at: null });
    assert.deepEqual([grant.status, field(grant.body, 'granted_by')], [201, starter.adminId]);
    assert.equal((await tasks().get_run(taskId, run_id)).started_by, `admin:${starter.adminId}`);
    const { data } = await app().client.audit_log.list();
    assert.deepEqual(
      data.filter(({ actor }) => actor.type === 'task' && actor.run_id === run_id).map(({ actor }) => actor.id),
      [starter.adminId, starter.adminId],
    );
  });

  test('Resume: "version":"current" uses the current version and drops the journal since the checkpoint', async () => {
    const { id } = await makeCustomer(app());
    const run = await claimedRun(app());
    await run.call('POST', `/customers/${id}/notes`, { body: 'once' });
    await lapse(app(), run);
    const { version_id: current } = await tasks().create_version(run.taskId, {
      source_code: 'log(2)',
      permissions: ['admin_api.customers.write'],
      parameters: [],
    });
    await emptyQueue(app());
    const { run_id, version_id } = await tasks().start_run(run.taskId, { resume_run_id: run.runId, version: 'current' });
    assert.equal(version_id, current);
    assert.match((await tasks().get_run(run.taskId, run_id)).log, /dropped/);
    const next = await claimRun(app(), { taskId: run.taskId, runId: run_id, path: `/admin/api/ai-tasks/${run.taskId}/runs/${run_id}` });
    assert.equal((await next.call('POST', `/customers/${id}/notes`, { body: 'once' })).headers['idempotency-replayed'], undefined);
    assert.equal((await app().client.customers.list_notes(id)).length, 2);
  });

  test('Resume: a run that keeps its version keeps its journal and its lineage', async () => {
    const { id } = await makeCustomer(app());
    const run = await claimedRun(app());
    await run.call('POST', `/customers/${id}/notes`, { body: 'once' });
    await lapse(app(), run);
    await tasks().create_version(run.taskId, { source_code: 'log(2)', permissions: ['admin_api.customers.write'], parameters: [] });
    await emptyQueue(app());
    const { run_id, version_id } = await tasks().start_run(run.taskId, { resume_run_id: run.runId });
    assert.equal(version_id, run.claim.version.id);
    const next = await claimRun(app(), { taskId: run.taskId, runId: run_id, path: `/admin/api/ai-tasks/${run.taskId}/runs/${run_id}` });
    assert.deepEqual([next.claim.lineage_id, next.claim.seed, next.claim.epoch], [run.claim.lineage_id, run.claim.seed, run.claim.epoch]);
    assert.equal((await next.call('POST', `/customers/${id}/notes`, { body: 'once' })).headers['idempotency-replayed'], 'true');
    assert.equal((await app().client.customers.list_notes(id)).length, 1);
  });

  test('Concurrency: with `skip` a run over the limit of its key is refused; runs without the key share one limit', async () => {
    const limited = await makeTask(app(), {}, { concurrency: { limit: 1, key: 'shop', overflow: 'skip' } });
    await tasks().start_run(limited, { parameters: { shop: 'a' } });
    await refused(tasks().start_run(limited, { parameters: { shop: 'a' } }), 409, 'concurrency_limit');
    await tasks().start_run(limited, { parameters: { shop: 'b' } });
    await tasks().start_run(limited);
    await refused(tasks().start_run(limited, { parameters: { shop: null } }), 409, 'concurrency_limit');
    const odd = await makeTask(app(), {}, { concurrency: { limit: 1, key: 'constructor', overflow: 'skip' } });
    await tasks().start_run(odd);
    await refused(tasks().start_run(odd), 409, 'concurrency_limit');
  });

  test('Concurrency: with `skip` simultaneous starts keep the limit', async () => {
    const limited = await makeTask(app(), {}, { concurrency: { limit: 2, overflow: 'skip' } });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app().request({ method: 'POST', path: `/admin/api/ai-tasks/${limited}/runs`, body: {} })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409]);
  });
});
