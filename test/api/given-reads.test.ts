import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';

const WRITER: Permission[] = ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', 'tasks_start', 'http_request'];
const VERSION = { source_code: 'log(1);', parameters: [] };
const SENDING = { ...VERSION, permissions: ['tasks_start' as const, 'http_request' as const], http_allow: ['https://a.example/*'] };

/** A version that may send requests is given the output of the tasks that it may start, and the state of its own task. */
onBothStores('what versions are given', (app) => {
  const { policy, approve, tasks } = approvals(app);
  const narrow = () => person(app(), { permissions: WRITER });
  const wide = () => person(app(), { permissions: [...WRITER, 'admin_api.customers.read'] });
  const by = ({ token }: Person) => tasks(token);
  const create = (who: Person, may_start: number[]) => by(who).create({ name: 'g', description: '', ...SENDING, may_start });
  const refusalFor = async (who: Person, versionId: number) =>
    (await by(who).list_pending_versions({ limit: 500 })).find(({ version_id }) => version_id === versionId)?.refusal;

  /** A task whose state a run wrote that could read customers. */
  async function taskWithState(): Promise<number> {
    const writer = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['admin_api.customers.read'] }));
    assert.equal((await writer.call('PUT', `/ai-tasks/${writer.taskId}/state/emails`, { value: 'a@example.com' })).status, 200);
    await writer.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await tasks().create_version(writer.taskId, { ...VERSION, permissions: [] });
    return writer.taskId;
  }

  test('an author must be allowed to read what the tasks in may_start read, also those that they may start, and their state', async () => {
    await policy('author');
    const [author, reader] = [await narrow(), await wide()];
    const harmless = await makeTask(app(), { permissions: ['admin_api.customers.read'] });
    const reading = await makeTask(app(), { permissions: ['admin_api.customers.read'] });
    const between = await makeTask(app(), { permissions: ['tasks_start'], may_start: [reading] });
    for (const task of [reading, between, await taskWithState()]) {
      const error = await refused(create(author, [task]), 403, 'permission_not_held');
      assert.match(error.detail, /admin_api\.customers\.read/);
      assert.deepEqual(error.problem?.['permissions'], ['admin_api.customers.read']);
      await create(reader, [task]);
    }
    await tasks().create_version(harmless, { ...VERSION, permissions: [] });
    await create(author, [harmless]);
    const { task_id } = await create(author, []);
    await refused(by(author).create_version(task_id, { ...SENDING, may_start: [between] }), 403, 'permission_not_held');
    assert.equal((await tasks().get(task_id)).versions.length, 1);
  });

  test('a circle of tasks is looked through once, and of the own task the state alone counts', async () => {
    await policy('author');
    const author = await narrow();
    const one = await makeTask(app(), { permissions: ['admin_api.customers.read'] });
    const other = await makeTask(app(), { permissions: ['tasks_start'], may_start: [one] });
    await tasks().create_version(one, {
      ...SENDING,
      permissions: [...SENDING.permissions, 'admin_api.customers.read'],
      may_start: [other],
    });
    await refused(create(author, [other]), 403, 'permission_not_held');
    await by(author).create_version(one, { ...SENDING, may_start: [other] });
  });

  test('an author must be allowed to read the state of the task', async () => {
    await policy('author');
    const id = await taskWithState();
    await refused(by(await narrow()).create_version(id, { ...SENDING, may_start: [] }), 403, 'permission_not_held');
    await by(await wide()).create_version(id, { ...SENDING, may_start: [] });
  });

  test('an approver must be allowed to read the same, and the list of waiting versions says so', async () => {
    await policy('second_admin');
    const [author, approver, reader] = [await wide(), await narrow(), await wide()];
    await policy('author');
    const reading = await makeTask(app(), { permissions: ['admin_api.customers.read'] });
    const id = await taskWithState();
    await policy('second_admin');
    const starting = await create(author, [reading]);
    const { version_id } = await by(author).create_version(id, { ...SENDING, may_start: [] });
    for (const [taskId, versionId] of [
      [starting.task_id, starting.version_id],
      [id, version_id],
    ] as const) {
      assert.equal(await refusalFor(approver, versionId), 'permission_not_held');
      const error = await refused(approve(taskId, versionId, approver.token), 403, 'permission_not_held');
      assert.deepEqual(error.problem?.['permissions'], ['admin_api.customers.read']);
      assert.equal(await refusalFor(reader, versionId), null);
      await approve(taskId, versionId, reader.token);
    }
    await policy('author');
  });
});
