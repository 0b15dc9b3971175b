import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf } from '../helpers/runs.ts';

const TASKS: Permission = 'admin_api.ai_tasks.read';
const SOURCE = 'const a = 1;\nlog(a);\n';

onBothStores('comments on lines of versions (AP9)', (app) => {
  const { tasks, author, approver } = approvals(app);
  const reader = async () => person(app(), { permissions: [TASKS] });
  const made = async () => {
    const { task_id, version_id } = await tasks(author().token).create({
      ...{ name: 'Stock', description: '', source_code: SOURCE, permissions: [], parameters: [] },
    });
    return { id: task_id, versionId: version_id };
  };
  const newsOf = async (token: string) =>
    (await app().clientFor(token).notifications.list()).notifications.filter(({ type }) => type === 'ai_task_version_commented');

  test('AP9: who may read tasks comments on a line; the author is told, and who wrote in the thread of an answer', async () => {
    const task = await made();
    const one = await reader();
    const first = await tasks(one.token).create_comment(task.id, task.versionId, { line: 2, text: ' Why log it? ' });
    assert.deepEqual(
      { ...first, created_at: '', created_by_name: '' },
      {
        ...{ id: first.id, task_id: task.id, version_id: task.versionId, version: 1, thread_id: first.id, line: 2, text: 'Why log it?' },
        ...{ created_by: one.adminId, created_by_name: '', created_at: '', edited_at: null },
        ...{ resolved_at: null, resolved_by: null, resolved_by_name: null },
      },
    );
    const told = await newsOf(author().token);
    assert.deepEqual(
      told.map(({ link, metadata }) => [link, metadata]),
      [
        [
          `/tasks/${task.id}/versions/${task.versionId}`,
          {
            ...{ task_id: task.id, version_id: task.versionId, comment_id: first.id, thread_id: null },
            ...{ task_name: 'Stock', version: 1, line: 2, by: one.name },
          },
        ],
      ],
    );
    assert.ok(!JSON.stringify(told).includes('Why log it'), 'what it says is read where tasks are read');
    assert.deepEqual(await newsOf(one.token), []);

    const answer = await tasks(author().token).answer_comment(task.id, first.id, { text: 'To see it' });
    assert.deepEqual([answer.thread_id, answer.line], [first.id, 2]);
    const again = await tasks(approver().token).answer_comment(task.id, answer.id, { text: 'Fine' });
    assert.equal(again.thread_id, first.id, 'an answer to an answer is of the same thread');
    assert.equal((await newsOf(one.token)).length, 2);
    assert.equal((await newsOf(author().token)).length, 2);
    assert.deepEqual(await newsOf(approver().token), []);
    const { data } = await app().client.audit_log.list({ resource_type: 'version_comment', resource_id: first.id });
    assert.deepEqual(
      data.map(({ action, actor, changes }) => [action, actor.id, changes['text']]),
      [['ai_tasks.create_comment', one.adminId, [null, 'Why log it?']]],
    );
  });

  test('AP9: comments stay with their version; the list goes by version, by what is open, and by cursor', async () => {
    const task = await made();
    const next = await tasks(author().token).create_version(task.id, { source_code: 'log(2)', permissions: [], parameters: [] });
    const on = (versionId: number, text: string) => tasks(approver().token).create_comment(task.id, versionId, { line: 1, text });
    const first = await on(task.versionId, 'first');
    const second = await on(next.version_id, 'second');
    const answer = await tasks(author().token).answer_comment(task.id, first.id, { text: 'answer' });
    await tasks(author().token).update_comment(task.id, first.id, { resolved: true });
    const idsOf = async (query: Parameters<ReturnType<typeof tasks>['list_comments']>[1]) =>
      (await tasks().list_comments(task.id, query)).data.map(({ id }) => id);
    assert.deepEqual(await idsOf({}), [first.id, second.id, answer.id]);
    assert.deepEqual(await idsOf({ version_id: task.versionId }), [first.id, answer.id]);
    assert.deepEqual(await idsOf({ open: true }), [second.id]);
    assert.deepEqual(await idsOf({ open: false }), [first.id, answer.id]);
    const page = await tasks().list_comments(task.id, { per_page: 2 });
    assert.deepEqual([page.total, page.data.map(({ id }) => id)], [3, [first.id, second.id]]);
    assert.deepEqual(await idsOf({ per_page: 2, cursor: page.next_cursor ?? '' }), [answer.id]);
    const other = await made();
    assert.deepEqual((await tasks().list_comments(other.id)).data, []);
    await refused(tasks().get_comment(other.id, first.id), 404, 'not_found');
    await refused(tasks(author().token).answer_comment(other.id, first.id, { text: 'x' }), 404, 'not_found');
  });

  test('AP9: a thread is resolved and opened by its first comment; a text is changed by who wrote it, with its ETag', async () => {
    const task = await made();
    const first = await tasks(approver().token).create_comment(task.id, task.versionId, { line: 1, text: 'one' });
    const answer = await tasks(author().token).answer_comment(task.id, first.id, { text: 'two' });
    const resolved = await tasks(author().token).update_comment(task.id, first.id, { resolved: true });
    assert.deepEqual([resolved.resolved_by, resolved.resolved_at === null], [author().adminId, false]);
    await refused(tasks(author().token).update_comment(task.id, answer.id, { resolved: true }), 422, 'invalid_value');
    assert.equal((await tasks(approver().token).update_comment(task.id, first.id, { resolved: false })).resolved_at, null);
    await refused(tasks(author().token).update_comment(task.id, first.id, { text: 'mine' }), 403, 'forbidden');
    const path = `/admin/api/ai-tasks/${task.id}/comments/${first.id}`;
    const { headers } = await app().request({ method: 'GET', path });
    const edited = await tasks(approver().token).update_comment(task.id, first.id, { text: 'one, better' });
    assert.deepEqual([edited.text, edited.edited_at === null], ['one, better', false]);
    const late = await app().request({
      ...{ method: 'PATCH', path, body: { resolved: true }, token: author().token },
      headers: { 'if-match': headers['etag'] ?? '' },
    });
    assert.deepEqual(codeOf(late), [412, 'precondition_failed']);
  });

  test('AP9: a line that the version has not, a deleted task, and others than admins are refused', async () => {
    const task = await made();
    const path = `/admin/api/ai-tasks/${task.id}/versions/${task.versionId}/comments`;
    const last = await tasks(author().token).create_comment(task.id, task.versionId, { line: 3, text: 'the end' });
    await refused(tasks(author().token).create_comment(task.id, task.versionId, { line: 4, text: 'x' }), 422, 'out_of_range');
    await refused(tasks(author().token).create_comment(task.id, task.versionId, { line: 1, text: ' ' }), 422, 'blank');
    await refused(tasks(author().token).create_comment(task.id, task.versionId + 99, { line: 1, text: 'x' }), 404, 'not_found');
    const stranger = await person(app(), { permissions: ['admin_api.orders.read'] });
    const run = await claimedRun(app());
    for (const token of [stranger.token, run.claim.token, RUNNER_TOKEN]) {
      const body = { line: 1, text: 'x' };
      assert.deepEqual(codeOf(await app().request({ method: 'POST', path, body, token })), [403, 'forbidden']);
      const list = await app().request({ method: 'GET', path: `/admin/api/ai-tasks/${task.id}/comments`, token });
      assert.deepEqual(codeOf(list), [403, 'forbidden']);
    }
    await tasks().delete(task.id);
    await refused(tasks(author().token).create_comment(task.id, task.versionId, { line: 1, text: 'x' }), 409, 'task_deleted');
    await refused(tasks(author().token).answer_comment(task.id, last.id, { text: 'x' }), 409, 'task_deleted');
    await refused(tasks(author().token).update_comment(task.id, last.id, { resolved: true }), 409, 'task_deleted');
    assert.equal((await tasks().list_comments(task.id)).total, 1);
  });
});
