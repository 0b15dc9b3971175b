import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const READ: Permission = 'admin_api.orders.read';
const APPROVE: Permission = 'admin_api.ai_tasks.approve';

onBothStores('changes are requested on a version (AP8)', (app) => {
  const { tasks, policy, author, approver, makeTask, addVersion, seen, approve, current, stateOf } = approvals(app);
  const third = async () => (await person(app(), { permissions: ['admin_api.ai_tasks.write', APPROVE, READ] })).token;
  const ask = (id: number, versionId: number, comment = 'Fewer at a time', token = approver().token) =>
    tasks(token).request_changes(id, versionId, { comment });
  const waitsFor = async (token: string, id: number) =>
    (await tasks(token).list_pending_versions()).filter(({ task_id }) => task_id === id);
  const asSeen = async (id: number, versionId: number) => ({
    ...(await seen(id, versionId)),
    change_request_id: (await tasks().get_version(id, versionId)).change_request?.id ?? null,
  });

  test('AP8: the version stays undecided, leaves the list of who asked, and waits for its author, who is told', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const other = await third();
    const version = await ask(task.id, task.versionId);
    assert.deepEqual([version.approval, await current(task.id)], ['pending', null]);
    const { change_request } = await tasks().get_version(task.id, task.versionId);
    assert.deepEqual([change_request?.admin_id, change_request?.comment], [approver().adminId, 'Fewer at a time']);
    assert.deepEqual(await waitsFor(approver().token, task.id), []);
    for (const token of [author().token, other]) {
      const [row] = await waitsFor(token, task.id);
      assert.deepEqual(row?.change_request, change_request);
    }
    const told = (token: string) => app().clientFor(token).notifications.list();
    const [news] = (await told(author().token)).notifications.filter(({ type }) => type === 'ai_task_changes_requested');
    assert.partialDeepStrictEqual(news, {
      link: `/tasks/${task.id}/versions/${task.versionId}`,
      metadata: { task_id: task.id, task_name: 'n', version_id: task.versionId, version: 1 },
    });
    assert.ok(!JSON.stringify(await told(other)).includes('ai_task_changes_requested'), 'nobody else is told');
    const [decision] = await tasks().list_version_approvals(task.id, task.versionId);
    assert.deepEqual(
      [decision?.decision, decision?.admin_id, decision?.comment],
      ['changes_requested', approver().adminId, 'Fewer at a time'],
    );
    assert.deepEqual(
      (await tasks().get(task.id)).versions.map(({ approval, changes_requested }) => [approval, changes_requested]),
      [['pending', true]],
    );
  });

  test('AP8: a version with a request waits no longer in the list of tasks once there is a newer one', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const pending = async () => (await tasks().list()).tasks.find(({ id }) => id === task.id)?.pending_version_id;
    await ask(task.id, task.versionId);
    assert.equal(await pending(), task.versionId);
    const { version_id: next } = await addVersion(task.id);
    assert.equal(await pending(), next);
    await approve(task.id, next);
    assert.equal(await pending(), null);
  });

  test('AP8: who approves must have seen the newest request; then it is a decision like any other', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const before = await seen(task.id, task.versionId);
    const other = await third();
    await ask(task.id, task.versionId);
    const error = await refused(tasks(other).approve_version(task.id, task.versionId, before), 409, 'changes_requested');
    assert.match(error.message, /Read them, and name \d+/);
    const first = await asSeen(task.id, task.versionId);
    await ask(task.id, task.versionId, 'And a test', other);
    await refused(tasks(other).approve_version(task.id, task.versionId, first), 409, 'changes_requested');
    await refused(
      tasks(other).approve_version(task.id, task.versionId, { ...before, change_request_id: 999_999 }),
      409,
      'changes_requested',
    );
    assert.deepEqual(await stateOf(task.id, task.versionId), ['pending', null]);
    const approved = await tasks(approver().token).approve_version(task.id, task.versionId, await asSeen(task.id, task.versionId));
    assert.deepEqual([approved.approval, await current(task.id)], ['approved', task.versionId]);
    assert.equal((await tasks().get_version(task.id, task.versionId)).change_request, null);
    assert.deepEqual(
      (await tasks().list_version_approvals(task.id, task.versionId)).map(({ decision }) => decision),
      ['approved', 'changes_requested', 'changes_requested'],
    );
    await refused(ask(task.id, task.versionId), 409, 'already_decided');
    const fresh = await makeTask();
    await refused(
      tasks(approver().token).approve_version(fresh.id, fresh.versionId, {
        ...(await seen(fresh.id, fresh.versionId)),
        change_request_id: 1,
      }),
      409,
      'changes_requested',
    );
  });

  test('AP8: a newer version overtakes it for everybody; the stale hash and the rules of the approver still hold', async () => {
    await policy('second_admin');
    const task = await makeTask();
    await ask(task.id, task.versionId);
    const next = await addVersion(task.id);
    assert.deepEqual(
      (await waitsFor(author().token, task.id)).map(({ version_id }) => version_id),
      [next.version_id],
    );
    assert.deepEqual(
      (await waitsFor(approver().token, task.id)).map(({ version_id }) => version_id),
      [next.version_id],
    );
    const body = await asSeen(task.id, task.versionId);
    await refused(
      tasks(approver().token).approve_version(task.id, task.versionId, { ...body, source_sha256: '0'.repeat(64) }),
      409,
      'version_changed',
    );
    await refused(tasks(author().token).approve_version(task.id, task.versionId, body), 403, 'self_approval');
    await approve(task.id, next.version_id);
    assert.equal(await current(task.id), next.version_id);
    await tasks(approver().token).approve_version(task.id, task.versionId, body);
    assert.equal(await current(task.id), next.version_id, 'the newest approved one stays current');
  });

  test('AP8: neither the author, nor who may not approve, nor of a deleted task or a decided version', async () => {
    await policy('second_admin');
    const task = await makeTask();
    await refused(ask(task.id, task.versionId, 'x', author().token), 403, 'self_approval');
    const narrow = await person(app(), { permissions: ['admin_api.ai_tasks.write', READ] });
    await refused(ask(task.id, task.versionId, 'x', narrow.token), 403, 'forbidden');
    await refused(ask(task.id, task.versionId, '  '), 422, 'blank');
    await refused(ask(task.id, task.versionId + 1000), 404, 'not_found');
    await tasks(approver().token).reject_version(task.id, task.versionId, { reason: 'no' });
    await refused(ask(task.id, task.versionId), 409, 'already_decided');
    const gone = await makeTask();
    await tasks().delete(gone.id);
    await refused(ask(gone.id, gone.versionId), 409, 'task_deleted');
  });

  test('AP8: of a request and an approval at once, either the approval is refused or it came first', async () => {
    await policy('second_admin');
    const other = await third();
    for (let round = 0; round < 12; round++) {
      const task = await makeTask();
      const body = await seen(task.id, task.versionId);
      const settled = await Promise.allSettled([
        tasks(other).approve_version(task.id, task.versionId, body),
        ask(task.id, task.versionId),
        tasks(approver().token).approve_version(task.id, task.versionId, body),
      ]);
      const decisions = (await tasks().list_version_approvals(task.id, task.versionId)).map(({ decision }) => decision);
      const [one, asked, two] = settled.map(({ status }) => status === 'fulfilled');
      assert.ok(!(one && two), 'a version is approved once');
      assert.deepEqual(decisions, one || two ? ['approved'] : ['changes_requested']);
      assert.equal(asked, !one && !two, 'a request that came first stops whoever has not seen it, and one that came late is refused');
      assert.equal((await stateOf(task.id, task.versionId))[0], one || two ? 'approved' : 'pending');
    }
  });

  test('AP8: a request sent twice with one key is one decision, and an If-Match of before it is refused', async () => {
    await policy('second_admin');
    const task = await makeTask();
    const path = `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}`;
    const read = await app().request({ method: 'GET', path, token: approver().token });
    const send = () =>
      app().request({
        method: 'POST',
        path: `${path}/request-changes`,
        body: { comment: 'Fewer' },
        headers: { 'idempotency-key': `"ask-${task.id}"` },
        token: approver().token,
      });
    assert.deepEqual([(await send()).status, (await send()).status], [200, 200]);
    assert.equal((await tasks().list_version_approvals(task.id, task.versionId)).length, 1);
    const etag = read.headers['etag'] ?? '';
    const late = await app().request({
      method: 'POST',
      path: `${path}/approve`,
      body: await asSeen(task.id, task.versionId),
      headers: { 'if-match': etag },
      token: await third(),
    });
    assert.equal(late.status, 412);
  });
});
