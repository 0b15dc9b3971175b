import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOutPrompts } from '../../server/automation/run-prompts/domain.ts';
import { recoverLapsed } from '../../server/automation/runs/life/recovery.ts';
import { onBothStores } from '../helpers/app.ts';
import { claimedRun, claimRun, codeOf, lapse, makeTask, type OpenRun, openRun } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { letLeaseEnd } from '../helpers/stored-rows/runs.ts';

const DAY_MS = 86_400_000;

onBothStores('notifications about ended runs', (app) => {
  const tasks = () => app().client.ai_tasks;
  const toldOf = async ({ runId }: OpenRun) => {
    const { notifications } = await app().client.notifications.list({ limit: 100 });
    return notifications.filter(({ type, metadata }) => type.startsWith('ai_task_run_') && metadata?.['run_id'] === runId);
  };
  const typesOf = async (run: OpenRun) => (await toldOf(run)).map(({ type, severity }) => [type, severity]);
  const finalize = (status: string, end_reason?: string) => [{ kind: 'finalize', status, error_message: 'why', end_reason }];

  test('every end that a runner reports makes one notification, except success and cancelled', async () => {
    const interrupted = ['ai_task_run_interrupted', 'warning'];
    const failed = ['ai_task_run_failed', 'error'];
    const ends: [status: string, reason: string, told: string[][]][] = [
      ['success', 'completed', []],
      ['cancelled', 'cancelled', []],
      ['failed', 'script_error', [failed]],
      ['failed', 'heap', [failed]],
      ['failed', 'sandbox', [failed]],
      ['timed_out', 'wall', [failed]],
      ['interrupted', 'budget', [interrupted]],
      ['interrupted', 'resume_mismatch', [interrupted]],
      ['interrupted', 'lost_worker', [interrupted]],
      ['interrupted', 'drained', [interrupted]],
    ];
    for (const [status, reason, told] of ends) {
      const run = await claimedRun(app());
      const end = finalize(status, reason);
      const answers = await Promise.all([run.report(end, `"end-${run.runId}"`), run.report(end, `"end-${run.runId}"`)]);
      assert.ok(
        answers.some((answer) => answer.status === 204),
        answers.map(({ text }) => text).join(),
      );
      await run.report(end);
      assert.deepEqual(await typesOf(run), told, `${status} ${reason}`);
      const [note] = await toldOf(run);
      if (!note) continue;
      const { name } = (await app().client.ai_tasks.get(run.taskId)).task;
      const { error_id } = await tasks().get_run(run.taskId, run.runId);
      const ofError = error_id === null ? {} : { error_id };
      assert.deepEqual(note.metadata, {
        ...{ task_id: run.taskId, run_id: run.runId, status, end_reason: reason, task_name: name },
        ...ofError,
      });
      assert.equal(note.message, `Run ${run.runId} of "${name}" ended ${status} (${reason})`);
    }
  });

  test('every end that a client reports makes one notification, except success and cancelled', async () => {
    for (const [status, told] of [
      ['success', []],
      ['cancelled', []],
      ['failed', ['ai_task_run_failed']],
      ['interrupted', ['ai_task_run_interrupted']],
      ['error', ['ai_task_run_ended']],
    ] as const) {
      const run = await openRun(app(), { executor: 'external' });
      const patch = { method: 'PATCH', path: run.path, body: { events: finalize(status) } };
      assert.equal((await app().request(patch)).status, 204);
      assert.deepEqual(codeOf(await app().request(patch)), [409, 'run_not_running']);
      assert.deepEqual(
        (await toldOf(run)).map(({ type }) => type),
        told,
        status,
      );
    }
  });

  test('a lost runner makes one notification, and none if the run is offered again', async () => {
    const run = await claimedRun(app(), {}, await makeTask(app(), {}, { on_interrupt: 'resume', max_attempts: 2 }));
    await lapse(app(), run);
    assert.deepEqual(await toldOf(run), []);
    await claimRun(app(), run);
    const { store } = app();
    await letLeaseEnd(store, run.runId);
    const services = await servicesOf(store);
    await Promise.all([recoverLapsed(services), recoverLapsed(services)]);
    const [note, ...more] = await toldOf(run);
    assert.deepEqual([note?.metadata?.['end_reason'], more], ['lost_runner', []]);
    await tasks().start_run(run.taskId, { resume_run_id: run.runId });
    assert.equal((await toldOf(run)).length, 1);
  });

  test('an unanswered question makes one notification when its time is over', async () => {
    const run = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['prompt_input'] }));
    const key = `${run.claim.epoch}/${'a'.repeat(64)}/0`;
    const path = `/admin/api/runner/runs/${run.runId}/prompts`;
    const asked = await app().request({ method: 'POST', path, token: run.claim.report_token, body: { key, label: 'Sure?', fields: [] } });
    assert.equal(asked.status, 200, asked.text);
    const { store } = app();
    const later = Date.now() + 2 * DAY_MS;
    const services = await servicesOf(store);
    await Promise.all([timeOutPrompts(services, later), timeOutPrompts(services, later)]);
    const [note, ...more] = await toldOf(run);
    assert.deepEqual([note?.type, note?.metadata?.['end_reason'], more], ['ai_task_run_interrupted', 'prompt_timeout', []]);
  });

  test('revoking a version makes one notification that counts the runs which it ends; cancelling a run makes none', async () => {
    const taskId = await makeTask(app());
    const [first, second, cancelled] = [
      await openRun(app(), {}, taskId),
      await openRun(app(), { executor: 'external' }, taskId),
      await openRun(app(), {}, taskId),
    ];
    await tasks().cancel_run(taskId, cancelled.runId);
    const { current_version } = await tasks().get(taskId);
    assert.ok(current_version);
    await tasks().revoke_version(taskId, current_version.id);
    assert.deepEqual(await typesOf(second), [['ai_task_run_ended', 'warning']]);
    assert.deepEqual([(await toldOf(second))[0]?.count, await toldOf(first)], [2, []]);
    assert.deepEqual(await toldOf(cancelled), []);
  });

  test('a dry run that fails makes no notification', async () => {
    const run = await claimedRun(app(), { dry_run: true });
    assert.equal((await run.report(finalize('failed', 'script_error'))).status, 204);
    assert.deepEqual(await toldOf(run), []);
  });
});
