import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores, RUNNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { insertCustomer } from '../helpers/builders.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claim, claimedRun, claimRun, codeOf, emptyQueue } from '../helpers/runs.ts';

const StringList = z.array(z.string());
type Policy = 'author' | 'added_permissions' | 'second_admin';

onBothStores('approval of versions (§2)', (app, engine) => {
  const VERSION = { source_code: 'log(1);', parameters: [] };
  const READ: Permission = 'admin_api.orders.read';
  const WRITE: Permission = 'admin_api.orders.write';
  const tasks = (token?: string) => (token === undefined ? app().client : app().clientFor(token)).ai_tasks;
  const policy = (approval_policy: Policy) => app().client.settings.update({ approval_policy });
  let author: Person;
  let approver: Person;
  let second: TestApp | undefined;

  before(async () => {
    const permissions: Permission[] = ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', 'admin_api.customers.write', WRITE];
    author = await person(app(), { permissions });
    approver = await person(app(), { permissions });
    if (engine === 'postgres') second = await startApp(engine, { databaseUrl: app().databaseUrl });
  });
  after(() => second?.close());

  async function makeTask(permissions: Permission[] = [READ], token = author.token) {
    const made = await tasks(token).create({ name: 'n', description: '', ...VERSION, permissions });
    return { id: made.task_id, versionId: made.version_id, approval: made.approval };
  }
  const addVersion = (id: number, permissions: Permission[] = [READ], token = author.token) =>
    tasks(token).create_version(id, { ...VERSION, permissions });
  async function seen(id: number, versionId: number) {
    const { source_sha256, permissions } = await tasks().get_version(id, versionId);
    return { source_sha256, permissions: StringList.parse(JSON.parse(permissions)) };
  }
  const approve = async (id: number, versionId: number, token = approver.token) =>
    tasks(token).approve_version(id, versionId, await seen(id, versionId));
  const current = async (id: number) => (await tasks().get(id)).task.current_version_id;
  const stateOf = async (id: number, versionId: number) => {
    const { approval, approved_by } = await tasks().get_version(id, versionId);
    return [approval, approved_by];
  };
  const revoke = (id: number, versionId: number) => tasks(approver.token).revoke_version(id, versionId);

  test('`approval_policy` is changed by owners alone; whoever else may change settings keeps it as it is', async () => {
    const staff = app().clientFor((await person(app(), { permissions: ['admin_api.settings.write'] })).token).settings;
    await refused(staff.update({ approval_policy: 'second_admin', shop_name: 'Taken' }), 403, 'forbidden');
    const { approval_policy, shop_name } = await app().client.settings.get();
    assert.deepEqual([approval_policy, shop_name], ['author', 'Backroom']);
    assert.equal((await staff.update({ approval_policy: 'author', shop_name: 'Kiosk' })).shop_name, 'Kiosk');
    const owner = await person(app(), { role: 'owner' });
    assert.equal((await app().clientFor(owner.token).settings.update({ approval_policy: 'author' })).approval_policy, 'author');
  });

  test('`author`: to create a version is to approve it, and that is a record', async () => {
    await policy('author');
    const task = await makeTask();
    assert.equal(task.approval, 'approved');
    assert.deepEqual([await current(task.id), await stateOf(task.id, task.versionId)], [task.versionId, ['approved', author.adminId]]);
    const [record, ...others] = await tasks().list_approvals(task.id);
    const { source_sha256 } = await tasks().get_version(task.id, task.versionId);
    assert.ok(record?.at);
    assert.deepEqual(
      { ...record, at: '' },
      {
        version_id: task.versionId,
        source_sha256,
        permissions: [READ],
        decision: 'approved',
        admin_id: author.adminId,
        comment: null,
        at: '',
      },
    );
    assert.deepEqual(others, []);
  });

  test('`second_admin`: the version waits; a new task cannot run, an approved version stays current and runs on', async () => {
    await policy('author');
    const old = await makeTask();
    await policy('second_admin');
    const task = await makeTask();
    assert.deepEqual([task.approval, await current(task.id)], ['pending', null]);
    const told = (await app().client.notifications.list()).notifications.filter(({ type }) => type === 'ai_task_version_pending');
    assert.deepEqual(
      told.map(({ severity, metadata }) => [severity, metadata]),
      [['info', { task_id: task.id, version_id: task.versionId }]],
    );
    assert.deepEqual(await stateOf(task.id, task.versionId), ['pending', null]);
    assert.equal((await tasks().get(task.id)).current_version, null);
    assert.deepEqual(await tasks().list_approvals(task.id), []);
    await refused(tasks().start_run(task.id), 409, 'version_not_approved');

    const next = await addVersion(old.id);
    assert.deepEqual([next.approval, await current(old.id)], ['pending', old.versionId]);
    assert.equal((await tasks().start_run(old.id)).version_id, old.versionId);
    assert.equal((await approve(old.id, next.version_id)).approval, 'approved');
    assert.equal((await tasks().start_run(old.id)).version_id, next.version_id);

    const { token } = await person(app(), { role: 'owner' });
    assert.equal((await makeTask([], token)).approval, 'pending', 'owners need another admin too');
  });

  test('`added_permissions`: what adds nothing to the approved version is approved with it; what adds waits', async () => {
    await policy('added_permissions');
    const task = await makeTask([WRITE]);
    assert.equal(task.approval, 'pending', 'the first version adds all that it declares');
    await approve(task.id, task.versionId);
    assert.equal((await addVersion(task.id, [WRITE])).approval, 'approved');
    assert.equal((await addVersion(task.id, [READ])).approval, 'approved', 'write implies read');
    const wider = await addVersion(task.id, [WRITE]);
    assert.equal(wider.approval, 'pending', 'against the approved one, not against one before it');
    assert.deepEqual(wider.permissions_diff, { added: [WRITE], removed: [READ] });
    assert.equal((await addVersion(task.id, [WRITE])).approval, 'pending', 'a pending one grants nothing');
    assert.equal((await makeTask([])).approval, 'approved', 'nothing is granted to it');
  });

  test('a changed policy approves nothing that waits, and takes nothing back', async () => {
    await policy('second_admin');
    const task = await makeTask();
    await policy('author');
    assert.deepEqual(await stateOf(task.id, task.versionId), ['pending', null]);
    await refused(tasks().start_run(task.id), 409, 'version_not_approved');
    await refused(approve(task.id, task.versionId, author.token), 403, 'self_approval');
    const next = await addVersion(task.id);
    assert.equal(await current(task.id), next.version_id);
    await policy('second_admin');
    assert.equal((await tasks().start_run(task.id)).version_id, next.version_id);
  });

  test('approving grants: the approver, what was approved and his comment are kept, in the audit log too', async () => {
    await policy('second_admin');
    const task = await makeTask([WRITE, READ]);
    const { source_sha256 } = await seen(task.id, task.versionId);
    const version = await tasks(approver.token).approve_version(task.id, task.versionId, {
      source_sha256: source_sha256.toUpperCase(),
      permissions: [READ, WRITE],
      comment: ' read line by line ',
    });
    assert.deepEqual([version.id, version.approval, version.approved_by], [task.versionId, 'approved', approver.adminId]);
    assert.equal(await current(task.id), task.versionId);
    const records = await tasks().list_approvals(task.id);
    assert.deepEqual(
      records.map(({ decision, admin_id, comment, permissions }) => [decision, admin_id, comment, permissions]),
      [['approved', approver.adminId, 'read line by line', [WRITE, READ]]],
    );
    const { data } = await app().client.audit_log.list({ resource_type: 'task_version', resource_id: task.versionId });
    assert.deepEqual(
      data.map(({ action, actor, changes }) => [action, actor.id, changes['approval'], changes['current_version_id']]),
      [['ai_tasks.approve_version', approver.adminId, ['pending', 'approved'], [null, task.versionId]]],
    );
  });

  test('who may not approve: the author, whoever lacks the permission or one of those granted, runs, runners, no admin', async () => {
    await policy('second_admin');
    const task = await makeTask([WRITE]);
    const path = `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}/approve`;
    const body = await seen(task.id, task.versionId);
    await refused(approve(task.id, task.versionId, author.token), 403, 'self_approval');
    const own = await person(app(), { permissions: ['admin_api.ai_tasks.write', WRITE] });
    await refused(approve(task.id, task.versionId, own.token), 403, 'forbidden');
    const narrow = await person(app(), { permissions: ['admin_api.ai_tasks.approve', READ] });
    const error = await refused(approve(task.id, task.versionId, narrow.token), 403, 'permission_not_held');
    assert.match(error.message, /orders\.write/);
    const list: Permission[] = ['admin_api.ai_tasks.approve', READ];
    const narrowToken = await person(app(), { role: 'owner', list });
    await refused(approve(task.id, task.versionId, narrowToken.token), 403, 'permission_not_held');

    await policy('author');
    const run = await claimedRun(app());
    for (const action of ['approve', 'reject', 'revoke']) {
      for (const token of [run.claim.token, RUNNER_TOKEN]) {
        const answer = await app().request({
          method: 'POST',
          path: path.replace('approve', action),
          body: { ...body, reason: 'x' },
          token,
        });
        assert.deepEqual(codeOf(answer), [403, 'forbidden']);
      }
    }
    assert.equal((await app().request({ method: 'POST', path, body, token: null })).status, 401);
    assert.deepEqual(await stateOf(task.id, task.versionId), ['pending', null]);
    assert.equal((await approve(task.id, task.versionId)).approved_by, approver.adminId);
  });

  test('what was not seen is not approved: 409 version_changed for another source or other permissions, and bad bodies', async () => {
    await policy('second_admin');
    const task = await makeTask([READ, WRITE]);
    const body = await seen(task.id, task.versionId);
    const attempt = (values: object) =>
      app().request({
        method: 'POST',
        path: `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}/approve`,
        body: { ...body, ...values },
        token: approver.token,
      });
    for (const values of [
      { source_sha256: '0'.repeat(64) },
      { permissions: [READ] },
      { permissions: [READ, WRITE, 'llm'] },
      { permissions: [] },
    ])
      assert.deepEqual(codeOf(await attempt(values)), [409, 'version_changed'], JSON.stringify(values));
    for (const values of [
      { source_sha256: undefined },
      { permissions: undefined },
      { permissions: 'x' },
      { permissions: [7] },
      { permissions: Array.from({ length: 201 }, () => READ) },
      { comment: 'x'.repeat(2001) },
    ])
      assert.equal((await attempt(values)).status, 422, JSON.stringify(values).slice(0, 60));
    await refused(tasks().approve_version(task.id + 1000, task.versionId, body), 404, 'not_found');
    assert.deepEqual(await stateOf(task.id, task.versionId), ['pending', null]);
    assert.deepEqual(await tasks().list_approvals(task.id), []);
  });

  test('each decision is made once: approved, rejected and revoked versions are told apart', async () => {
    await policy('second_admin');
    const task = await makeTask();
    await refused(revoke(task.id, task.versionId), 409, 'version_not_approved');
    await approve(task.id, task.versionId);
    assert.match((await refused(approve(task.id, task.versionId), 409, 'already_decided')).message, /approved by admin/);
    await refused(tasks(approver.token).reject_version(task.id, task.versionId, { reason: 'late' }), 409, 'already_decided');
    await revoke(task.id, task.versionId);
    assert.deepEqual(await stateOf(task.id, task.versionId), ['revoked', null]);
    assert.match((await refused(approve(task.id, task.versionId), 409, 'already_decided')).message, /revoked/);
    await refused(revoke(task.id, task.versionId), 409, 'already_decided');

    const { version_id: other } = await addVersion(task.id);
    const reject = (body: { reason: string }) => tasks(approver.token).reject_version(task.id, other, body);
    await refused(reject({ reason: ' ' }), 422, 'blank');
    const rejected = await reject({ reason: 'deletes too much' });
    assert.deepEqual([rejected.approval, rejected.approved_by], ['rejected', null]);
    assert.match((await refused(approve(task.id, other), 409, 'already_decided')).message, /rejected/);
    await refused(revoke(task.id, other), 409, 'version_not_approved');
    await refused(tasks().start_run(task.id), 409, 'version_not_approved');
    assert.deepEqual(
      (await tasks().list_approvals(task.id)).map(({ version_id, decision, comment }) => [version_id, decision, comment]),
      [
        [other, 'rejected', 'deletes too much'],
        [task.versionId, 'revoked', null],
        [task.versionId, 'approved', null],
      ],
    );
    assert.deepEqual(
      (await tasks().list_version_approvals(task.id, task.versionId)).map(({ decision }) => decision),
      ['revoked', 'approved'],
    );
    assert.equal((await tasks().list_approvals(task.id, { limit: 1 })).length, 1);
    const { data } = await app().client.audit_log.list({ resource_type: 'task_version', resource_id: other });
    assert.deepEqual(
      data.map(({ action }) => action),
      ['ai_tasks.reject_version'],
    );
  });

  test('an author may withdraw a version; a deleted task takes no approval, but its approval can be taken back', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const { version_id: next } = await addVersion(task.id);
    assert.equal((await tasks(author.token).reject_version(task.id, next, { reason: 'withdrawn' })).approval, 'rejected');
    await approve(task.id, task.versionId);
    const { version_id: last } = await addVersion(task.id);
    await tasks().delete(task.id);
    await refused(approve(task.id, last), 409, 'task_deleted');
    await revoke(task.id, task.versionId);
  });

  test('the newest approved version is current: an older one that is approved late stands behind it', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const [second, third] = [await addVersion(task.id), await addVersion(task.id)];
    await approve(task.id, third.version_id);
    await approve(task.id, second.version_id);
    assert.equal(await current(task.id), third.version_id);
    await revoke(task.id, third.version_id);
    assert.equal(await current(task.id), second.version_id, 'the newest other approved one');
    await approve(task.id, task.versionId);
    await revoke(task.id, second.version_id);
    assert.equal((await tasks().start_run(task.id)).version_id, task.versionId);
    await revoke(task.id, task.versionId);
    assert.equal(await current(task.id), null);
    await refused(tasks().start_run(task.id), 409, 'version_not_approved');
  });

  test('revoke: its runs are cancelled with their tokens, queued and driven by a client too; no other is', async () => {
    await policy('author');
    const customer = await insertCustomer(app().store);
    const { id: taskId, versionId: first } = await makeTask(['admin_api.customers.write']);
    await emptyQueue(app());
    const started = async (body: object = {}) => {
      const { run_id: runId } = await tasks(author.token).start_run(taskId, body);
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

  test('of two admins who decide at once one is heard', async () => {
    await policy('second_admin');
    const server = second ?? app();
    for (let round = 0; round < 4; round++) {
      const task = await makeTask();
      const body = await seen(task.id, task.versionId);
      const path = `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}`;
      const answers = await Promise.all([
        app().request({ method: 'POST', path: `${path}/approve`, body }),
        server.request({ method: 'POST', path: `${path}/approve`, body, token: approver.token }),
        app().request({ method: 'POST', path: `${path}/reject`, body: { reason: 'no' } }),
        server.request({ method: 'POST', path: `${path}/reject`, body: { reason: 'no' }, token: approver.token }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      const [record, ...others] = await tasks().list_approvals(task.id);
      assert.deepEqual(others, []);
      assert.equal((await stateOf(task.id, task.versionId))[0], record?.decision);
    }
  });

  test('no run opens on a version that is being revoked, whoever comes first', async () => {
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

  test('what a version adds is against the approved one before it, and what it used is of its last 20 runs', async () => {
    await policy('second_admin');
    const task = await makeTask([READ]);
    await approve(task.id, task.versionId);
    const rejected = await addVersion(task.id, [WRITE]);
    await tasks().reject_version(task.id, rejected.version_id, { reason: 'too much' });
    const permissions: Permission[] = ['admin_api.customers.write', WRITE];
    const { version_id: pending } = await addVersion(task.id, permissions);
    const diff = { added: [...permissions].sort(), removed: [READ] };
    assert.deepEqual((await tasks().get_version(task.id, pending)).permissions_diff, diff);
    await approve(task.id, pending);
    assert.deepEqual((await tasks().get_version(task.id, pending)).permissions_diff, diff, 'as before it was approved');
    assert.deepEqual((await tasks().get_version(task.id, pending)).permissions_used, []);

    await emptyQueue(app());
    const run = await claimedRun(app(), {}, task.id);
    assert.equal((await run.call('GET', '/orders')).status, 200);
    assert.deepEqual((await tasks().get_version(task.id, pending)).permissions_used, [WRITE], 'reads are covered by its write');
    for (let n = 0; n < 20; n++) await tasks().start_run(task.id, { executor: 'external' });
    assert.deepEqual((await tasks().get_version(task.id, pending)).permissions_used, []);
  });

  test('the ETag of a version changes with each decision', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const path = `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}`;
    const tag = async () => (await app().request({ path })).headers['etag'] ?? '';
    const pending = await tag();
    const body = await seen(task.id, task.versionId);
    const stale = { method: 'POST', path: `${path}/approve`, body, token: approver.token, headers: { 'if-match': `"nothing"` } };
    assert.equal((await app().request(stale)).status, 412);
    assert.equal((await app().request({ ...stale, headers: { 'if-match': pending } })).status, 200);
    const approved = await tag();
    await revoke(task.id, task.versionId);
    assert.equal(new Set([pending, approved, await tag()]).size, 3);
  });
});
