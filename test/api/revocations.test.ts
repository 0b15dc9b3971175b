import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onBothStores, startApp, type TestApp } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { claim, claimRun, codeOf, emptyQueue } from '../helpers/runs.ts';

onBothStores('revoked versions and simultaneous decisions (AP5)', (app, engine) => {
  const { tasks, policy, author, approver, makeTask, addVersion, seen, stateOf, revoke } = approvals(app);
  let second: TestApp | undefined;

  before(async () => {
    if (engine === 'postgres') second = await startApp(engine, { databaseUrl: app().databaseUrl });
  });
  after(() => second?.close());

  test('revoke: all open runs of the version are cancelled, also queued and external ones; other runs continue', async () => {
    await policy('author');
    const customer = await makeCustomer(app());
    const { id: taskId, versionId: first } = await makeTask(['admin_api.customers.write']);
    await emptyQueue(app());
    const started = async (body: object = {}) => {
      const { run_id: runId } = await tasks(author().token).start_run(taskId, body);
      return { taskId, runId, path: `/admin/api/ai-tasks/${taskId}/runs/${runId}` };
    };
    const claimed = await started();
    const side = await claimRun(app(), claimed);
    assert.equal((await side.call('POST', `/customers/${customer.id}/notes`, { body: 'before' })).status, 201);
    const [queued, external, interrupted] = [
      await started(),
      await started({ executor: 'external' }),
      await started({ executor: 'external' }),
    ];
    await tasks().append_run_events(taskId, interrupted.runId, {
      events: [{ kind: 'finalize', status: 'interrupted', error_message: null }],
    });
    const next = await addVersion(taskId, ['admin_api.customers.write']);
    const other = await started();

    await revoke(taskId, first);
    assert.deepEqual(codeOf(await side.call('POST', `/customers/${customer.id}/notes`, { body: 'after' })), [409, 'run_fenced']);
    assert.deepEqual(codeOf(await side.report([])), [409, 'run_fenced']);
    assert.equal((await app().client.customers.list_notes(customer.id)).length, 1);
    for (const { runId } of [claimed, queued, external]) {
      const run = await tasks().get_run(taskId, runId);
      assert.deepEqual([run.status, run.end_reason], ['cancelled', 'revoked']);
      const { data } = await app().client.audit_log.list({ resource_type: 'run', resource_id: runId, action: 'ai_tasks.revoke_version' });
      assert.equal(data.length, 1);
    }
    assert.equal((await tasks().get_run(taskId, other.runId)).status, 'running');
    assert.deepEqual(
      (await claim(app(), { slots: 10 })).map(({ run }) => run.id),
      [other.runId],
    );
    const resume = { resume_run_id: interrupted.runId };
    await refused(tasks().start_run(taskId, resume), 409, 'version_not_approved');
    assert.equal((await tasks().start_run(taskId, { ...resume, version: 'current' })).version_id, next.version_id);
  });

  test('of simultaneous approvals and rejections one succeeds', async () => {
    await policy('second_admin');
    const server = second ?? app();
    for (let round = 0; round < 4; round++) {
      const task = await makeTask();
      const body = await seen(task.id, task.versionId);
      const path = `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}`;
      const answers = await Promise.all([
        app().request({ method: 'POST', path: `${path}/approve`, body }),
        server.request({ method: 'POST', path: `${path}/approve`, body, token: approver().token }),
        app().request({ method: 'POST', path: `${path}/reject`, body: { reason: 'no' } }),
        server.request({ method: 'POST', path: `${path}/reject`, body: { reason: 'no' }, token: approver().token }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      const [record, ...others] = await tasks().list_approvals(task.id);
      assert.deepEqual(others, []);
      assert.equal((await stateOf(task.id, task.versionId))[0], record?.decision);
    }
  });

  test('no run stays open on a revoked version, even if it started at the same moment', async () => {
    await policy('author');
    const server = second ?? app();
    for (let round = 0; round < 4; round++) {
      const task = await makeTask();
      const start = (from: TestApp) => from.request({ method: 'POST', path: `/admin/api/ai-tasks/${task.id}/runs`, body: {} });
      const answers = await Promise.all([start(app()), start(server), revoke(task.id, task.versionId), start(server), start(app())]);
      for (const answer of answers) if (answer && answer.status !== 201) assert.deepEqual(codeOf(answer), [409, 'version_not_approved']);
      for (const run of await tasks().list_runs(task.id)) assert.deepEqual([run.status, run.end_reason], ['cancelled', 'revoked']);
    }
  });
});
