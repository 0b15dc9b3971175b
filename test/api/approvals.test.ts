import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, emptyQueue } from '../helpers/runs.ts';

const READ: Permission = 'admin_api.orders.read';
const WRITE: Permission = 'admin_api.orders.write';

onBothStores('approval of versions (AP1-AP7)', (app) => {
  const { tasks, policy, author, approver, makeTask, addVersion, seen, approve, current, stateOf, revoke } = approvals(app);

  test('only an owner changes `approval_policy`; other admins may send it unchanged with other settings', async () => {
    const staff = app().clientFor((await person(app(), { permissions: ['admin_api.settings.write'] })).token).settings;
    await refused(staff.update({ approval_policy: 'second_admin', shop_name: 'Taken' }), 403, 'forbidden');
    const { approval_policy, shop_name } = await app().client.settings.get();
    assert.deepEqual([approval_policy, shop_name], ['author', 'Backroom']);
    assert.equal((await staff.update({ approval_policy: 'author', shop_name: 'Kiosk' })).shop_name, 'Kiosk');
    const owner = await person(app(), { role: 'owner' });
    assert.equal((await app().clientFor(owner.token).settings.update({ approval_policy: 'author' })).approval_policy, 'author');
  });

  test('`author`: a new version is approved by its author at once, and the approval is recorded', async () => {
    await policy('author');
    const task = await makeTask();
    assert.equal(task.approval, 'approved');
    assert.deepEqual([await current(task.id), await stateOf(task.id, task.versionId)], [task.versionId, ['approved', author().adminId]]);
    const [record, ...others] = await tasks().list_approvals(task.id);
    const { source_sha256 } = await tasks().get_version(task.id, task.versionId);
    assert.ok(record?.at);
    assert.deepEqual(
      { ...record, at: '' },
      {
        version_id: task.versionId,
        source_sha256,
        permissions: [READ],
        mail_to: [],
        http_allow: [],
        secrets: [],
        may_start: [],
        decision: 'approved',
        admin_id: author().adminId,
        comment: null,
        at: '',
      },
    );
    assert.deepEqual(others, []);
  });

  test('`second_admin`: a version waits for approval; a new task cannot run, an older approved version still runs', async () => {
    await policy('author');
    const old = await makeTask();
    await policy('second_admin');
    const task = await makeTask();
    assert.deepEqual([task.approval, await current(task.id)], ['pending', null]);
    const told = (await app().client.notifications.list()).notifications.filter(({ type }) => type === 'ai_task_version_pending');
    assert.deepEqual(
      told.map(({ severity, metadata }) => [severity, metadata]),
      [['info', { task_id: task.id, version_id: task.versionId, task_name: 'n', version: 1, by: author().name }]],
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
    assert.equal((await makeTask([], token)).approval, 'pending', 'an owner, too, needs another admin');
  });

  test('`added_permissions`: a version without added permissions is approved at once; one that adds some waits', async () => {
    await policy('added_permissions');
    const task = await makeTask([WRITE]);
    assert.equal(task.approval, 'pending', 'the first version adds all that it declares');
    await approve(task.id, task.versionId);
    assert.equal((await addVersion(task.id, [WRITE])).approval, 'approved');
    assert.equal((await addVersion(task.id, [READ])).approval, 'approved', 'write implies read');
    const wider = await addVersion(task.id, [WRITE]);
    assert.equal(wider.approval, 'pending', 'compared with the approved version, not with the one before it');
    assert.deepEqual(wider.permissions_diff, { added: [WRITE], removed: [READ] });
    assert.equal((await addVersion(task.id, [WRITE])).approval, 'pending', 'a pending version grants nothing');
    assert.equal((await makeTask([])).approval, 'approved', 'it declares no permission');
  });

  test('a changed policy approves no waiting version and withdraws no approval', async () => {
    await policy('second_admin');
    const task = await makeTask();
    await policy('author');
    assert.deepEqual(await stateOf(task.id, task.versionId), ['pending', null]);
    await refused(tasks().start_run(task.id), 409, 'version_not_approved');
    await refused(approve(task.id, task.versionId, author().token), 403, 'self_approval');
    const next = await addVersion(task.id);
    assert.equal(await current(task.id), next.version_id);
    await policy('second_admin');
    assert.equal((await tasks().start_run(task.id)).version_id, next.version_id);
  });

  test('an approval records the approver, the permissions and the comment, and is in the audit log', async () => {
    await policy('second_admin');
    const task = await makeTask([WRITE, READ]);
    const { source_sha256 } = await seen(task.id, task.versionId);
    const version = await tasks(approver().token).approve_version(task.id, task.versionId, {
      source_sha256: source_sha256.toUpperCase(),
      permissions: [READ, WRITE],
      comment: ' read line by line ',
    });
    assert.deepEqual([version.id, version.approval, version.approved_by], [task.versionId, 'approved', approver().adminId]);
    assert.equal(await current(task.id), task.versionId);
    const records = await tasks().list_approvals(task.id);
    assert.deepEqual(
      records.map(({ decision, admin_id, comment, permissions }) => [decision, admin_id, comment, permissions]),
      [['approved', approver().adminId, 'read line by line', [WRITE, READ]]],
    );
    const { data } = await app().client.audit_log.list({ resource_type: 'task_version', resource_id: task.versionId });
    assert.deepEqual(
      data.map(({ action, actor, changes }) => [action, actor.id, changes['approval'], changes['current_version_id']]),
      [['ai_tasks.approve_version', approver().adminId, ['pending', 'approved'], [null, task.versionId]]],
    );
  });

  test('the author, admins without the needed permissions, runs, runners and anonymous callers cannot approve', async () => {
    await policy('second_admin');
    const task = await makeTask([WRITE]);
    const path = `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}/approve`;
    const body = await seen(task.id, task.versionId);
    await refused(approve(task.id, task.versionId, author().token), 403, 'self_approval');
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
    assert.equal((await approve(task.id, task.versionId)).approved_by, approver().adminId);
  });

  test('an approval must name the source and permissions as they are: otherwise 409 version_changed, or 422 for a bad body', async () => {
    await policy('second_admin');
    const task = await makeTask([READ, WRITE]);
    const body = await seen(task.id, task.versionId);
    const attempt = (values: object) =>
      app().request({
        method: 'POST',
        path: `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}/approve`,
        body: { ...body, ...values },
        token: approver().token,
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

  test('a version is decided on once; approved, rejected and revoked versions are told apart', async () => {
    await policy('second_admin');
    const task = await makeTask();
    await refused(revoke(task.id, task.versionId), 409, 'version_not_approved');
    await approve(task.id, task.versionId);
    assert.match((await refused(approve(task.id, task.versionId), 409, 'already_decided')).message, /approved by admin/);
    await refused(tasks(approver().token).reject_version(task.id, task.versionId, { reason: 'late' }), 409, 'already_decided');
    await revoke(task.id, task.versionId);
    assert.deepEqual(await stateOf(task.id, task.versionId), ['revoked', null]);
    assert.match((await refused(approve(task.id, task.versionId), 409, 'already_decided')).message, /revoked/);
    await refused(revoke(task.id, task.versionId), 409, 'already_decided');

    const { version_id: other } = await addVersion(task.id);
    const reject = (body: { reason: string }) => tasks(approver().token).reject_version(task.id, other, body);
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

  test('an author may withdraw a version; a version of a deleted task can be revoked but not approved', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const { version_id: next } = await addVersion(task.id);
    assert.equal((await tasks(author().token).reject_version(task.id, next, { reason: 'withdrawn' })).approval, 'rejected');
    await approve(task.id, task.versionId);
    const { version_id: last } = await addVersion(task.id);
    await tasks().delete(task.id);
    await refused(approve(task.id, last), 409, 'task_deleted');
    await revoke(task.id, task.versionId);
  });

  test('the newest approved version is current, even if an older one is approved later', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const [second, third] = [await addVersion(task.id), await addVersion(task.id)];
    await approve(task.id, third.version_id);
    await approve(task.id, second.version_id);
    assert.equal(await current(task.id), third.version_id);
    await revoke(task.id, third.version_id);
    assert.equal(await current(task.id), second.version_id, 'the newest version that is still approved');
    await approve(task.id, task.versionId);
    await revoke(task.id, second.version_id);
    assert.equal((await tasks().start_run(task.id)).version_id, task.versionId);
    await revoke(task.id, task.versionId);
    assert.equal(await current(task.id), null);
    await refused(tasks().start_run(task.id), 409, 'version_not_approved');
  });

  test('permissions_diff compares with the approved version before it; permissions_used covers the last 20 runs', async () => {
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
    assert.deepEqual((await tasks().get_version(task.id, pending)).permissions_diff, diff, 'the same as before the approval');
    assert.deepEqual((await tasks().get_version(task.id, pending)).permissions_used, []);

    await emptyQueue(app());
    const run = await claimedRun(app(), {}, task.id);
    assert.equal((await run.call('GET', '/orders')).status, 200);
    assert.deepEqual(
      (await tasks().get_version(task.id, pending)).permissions_used,
      [WRITE],
      'a read counts as use of the write permission, which covers it',
    );
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
    const stale = { method: 'POST', path: `${path}/approve`, body, token: approver().token, headers: { 'if-match': `"nothing"` } };
    assert.equal((await app().request(stale)).status, 412);
    assert.equal((await app().request({ ...stale, headers: { 'if-match': pending } })).status, 200);
    const approved = await tag();
    await revoke(task.id, task.versionId);
    assert.equal(new Set([pending, approved, await tag()]).size, 3);
  });
});
