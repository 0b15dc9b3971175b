import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf, msOf } from '../../server/automation/runs/health/rules.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { claimedRun, codeOf, makeTask, openRun } from '../helpers/runs.ts';
import { storeTokens } from '../helpers/stored-rows/runs.ts';

onBothStores('health of a task', (app) => {
  const tasks = () => app().client.ai_tasks;
  const WRITE = 'admin_api.customers.write' as const;

  /** Ends a run of the task by a client. */
  async function external(taskId: number, status: string): Promise<void> {
    const run = await openRun(app(), { executor: 'external' }, taskId);
    await tasks().append_run_events(run.taskId, run.runId, { events: [{ kind: 'finalize', status, error_message: null }] });
  }

  test('RU25: ends, times, effects and tokens are counted by day and version; dry runs, replays and open runs are not', async () => {
    const taskId = await makeTask(app(), { permissions: [WRITE] });
    const empty = await tasks().get_health(taskId, {});
    assert.deepEqual(
      [empty.runs, empty.success_rate, empty.duration_ms, empty.effects_per_run, empty.days, empty.versions],
      [0, null, null, null, [], []],
    );
    const { id } = await makeCustomer(app());
    const run = await claimedRun(app(), { record: true }, taskId);
    for (const body of ['a', 'b']) await run.call('POST', `/customers/${id}/notes`, { body });
    await app().request({
      method: 'PATCH',
      path: run.path,
      token: run.claim.report_token,
      body: {
        events: [{ kind: 'finalize', status: 'success', end_reason: 'completed', error_message: null }],
        used: { cpu_ms: 5, wall_ms: 1000, host_calls: 2 },
      },
    });
    for (const status of ['success', 'failed', 'failed', 'timed_out', 'shipped']) await external(taskId, status);
    const cancelled = await openRun(app(), { executor: 'external' }, taskId);
    await tasks().cancel_run(taskId, cancelled.runId);
    const dry = await claimedRun(app(), { dry_run: true }, taskId);
    await dry.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', error_message: null }]);
    await openRun(app(), { executor: 'external' }, taskId);
    const { run_id } = await app().client.replays.start(taskId, run.runId, {});
    await tasks().cancel_run(taskId, run_id);

    const health = await tasks().get_health(taskId, {});
    const { runs, succeeded, failed, other, success_rate, effects_per_run, tokens_per_run } = health;
    assert.deepEqual([runs, succeeded, failed, health.cancelled, other], [7, 2, 3, 1, 1]);
    assert.deepEqual([success_rate, effects_per_run, tokens_per_run], [0.4, 0.29, 0]);
    // Six runs of clients take no time, the one of the runner a second.
    assert.ok(Math.abs((health.duration_ms?.p95 ?? 0) - 1000) <= 50, JSON.stringify(health.duration_ms));
    assert.ok((health.waiting_ms?.p50 ?? -1) >= 0);
    assert.deepEqual([health.days.length, health.days[0]?.day, health.days[0]?.runs], [1, health.to, 7]);

    const { version_id } = await tasks().create_version(taskId, { source_code: 'log("two");', permissions: [], parameters: [] });
    await external(taskId, 'success');
    const { versions } = await tasks().get_health(taskId, { days: 1 });
    assert.deepEqual(
      versions.map((one) => [one.version, one.runs, one.success_rate, one.days.map(({ runs: n }) => n)]),
      [
        [2, 1, 1, [1]],
        [1, 7, 0.4, [7]],
      ],
    );
    assert.equal(versions[0]?.version_id, version_id);
    assert.deepEqual(codeOf(await app().request({ path: `/admin/api/ai-tasks/${taskId}/health?days=91` })), [422, 'out_of_range']);
    assert.equal((await app().request({ path: '/admin/api/ai-tasks/999999/health' })).status, 404);
  });

  test('RU25: a run that resumes another counts the tokens that it used itself', async () => {
    const taskId = await makeTask(app(), { permissions: ['llm'] });
    const first = await claimedRun(app(), {}, taskId);
    await storeTokens(app().store, first.runId, 300);
    await first.report([{ kind: 'finalize', status: 'interrupted', end_reason: 'drained', error_message: null }]);
    const second = await claimedRun(app(), { resume_run_id: first.runId }, taskId);
    await storeTokens(app().store, first.runId, 1000);
    await second.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', error_message: null }]);
    const { runs, success_rate, tokens_per_run } = await tasks().get_health(taskId, {});
    assert.deepEqual([runs, success_rate, tokens_per_run], [2, 0.5, 500]);
  });
});

test('a bucket is at most 5 percent from each time in it', () => {
  for (const ms of [0, 1, 7, 99, 1000, 12_345, 600_000, 86_400_000, 31_536_000_000]) {
    const middle = msOf(bucketOf(ms));
    assert.ok(Math.abs(middle - ms) <= Math.max(1, ms * 0.05), `${ms}: ${middle}`);
  }
});
