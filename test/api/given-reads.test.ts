import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { callFingerprint } from '../../runner/call-key.ts';
import { onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, claimRun, codeOf, field, makeTask, type RunnerSide } from '../helpers/runs.ts';

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

  const startOf = async (taskId: number, started: number) =>
    (await claimedRun(app(), {}, taskId)).call('POST', '/task-runs', { task: started });
  const startedByRuns = async (taskId: number) =>
    (await tasks().list_runs(taskId)).filter(({ started_by }) => started_by.startsWith('run:')).length;
  const refusesStart = async (taskId: number, started: number): Promise<void> => {
    const before = await startedByRuns(started);
    const answer = await startOf(taskId, started);
    assert.deepEqual(codeOf(answer), [403, 'task_start_not_allowed'], answer.text);
    assert.match(answer.text, /admin_api\.customers\.read, which the author or the approver .* Nothing was started/);
    assert.deepEqual(field(answer.body, 'permissions'), ['admin_api.customers.read']);
    assert.equal(await startedByRuns(started), before);
  };
  const READS = { ...VERSION, permissions: ['admin_api.customers.read' as const] };
  const READS_NOTHING = { ...VERSION, permissions: [] };

  test('a task that reads more since a version may start it is not started, until the version is saved anew or it reads less', async () => {
    await policy('author');
    const [author, reader] = [await narrow(), await wide()];
    const child = await makeTask(app(), { permissions: [] });
    const [parent, parentOfReader] = [(await create(author, [child])).task_id, (await create(reader, [child])).task_id];
    assert.equal((await startOf(parent, child)).status, 201);
    await tasks().cancel_runs(child);
    const between = await makeTask(app(), { permissions: ['tasks_start'], may_start: [child] });
    const above = (await create(author, [between])).task_id;
    const { version_id } = await tasks().create_version(child, READS);
    await refusesStart(parent, child);
    await refusesStart(above, between);
    assert.equal((await startOf(parentOfReader, child)).status, 201, 'its author could read customers');
    await app().client.admins.update(reader.adminId, { permissions: WRITER });
    assert.equal((await startOf(parentOfReader, child)).status, 201, 'what was held then counts');
    await tasks().revoke_version(child, version_id, {});
    assert.equal((await startOf(parent, child)).status, 201, 'it is rolled back');
    await tasks().create_version(child, READS);
    assert.equal((await startOf(parent, child)).status, 403);
    await by(await wide()).create_version(parent, { ...SENDING, may_start: [child] });
    assert.equal((await startOf(parent, child)).status, 201);
  });

  test('an earlier version that reads more and is current again is not started, nor one whose state was learnt since', async () => {
    await policy('author');
    const author = await narrow();
    const child = await makeTask(app(), { permissions: ['admin_api.customers.read'] });
    const { version_id } = await tasks().create_version(child, READS_NOTHING);
    const parent = (await create(author, [child])).task_id;
    await tasks().revoke_version(child, version_id, {});
    await refusesStart(parent, child);
    const quiet = await makeTask(app(), { permissions: [] });
    const other = (await create(author, [quiet])).task_id;
    await tasks().create_version(quiet, READS);
    const writer = await claimedRun(app(), {}, quiet);
    await writer.call('PUT', `/ai-tasks/${quiet}/state/emails`, { value: 'a@example.com' });
    await writer.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await tasks().create_version(quiet, READS_NOTHING);
    await refusesStart(other, quiet);
  });

  test('of an approved version what both author and approver held counts, whenever the started task began to read more', async () => {
    await policy('second_admin');
    for (const [author, approver, isAllowed] of [
      [await wide(), await narrow(), false],
      [await narrow(), await wide(), false],
      [await wide(), await wide(), true],
    ] as const) {
      await policy('author');
      const child = await makeTask(app(), { permissions: [] });
      await policy('second_admin');
      const { task_id, version_id } = await create(author, [child]);
      await approve(task_id, version_id, approver.token);
      await policy('author');
      await tasks().create_version(child, READS);
      if (isAllowed) assert.equal((await startOf(task_id, child)).status, 201);
      else await refusesStart(task_id, child);
    }
    const [author, approver] = [await narrow(), await wide()];
    const child = await makeTask(app(), { permissions: [] });
    await policy('second_admin');
    const { task_id, version_id } = await create(author, [child]);
    await policy('author');
    await tasks().create_version(child, READS);
    await approve(task_id, version_id, approver.token);
    await refusesStart(task_id, child);
  });

  test('a run that was started before is given nothing of what the started one learnt since', async () => {
    await policy('author');
    const grandchild = await makeTask(app(), { permissions: [] });
    const child = await makeTask(app(), { permissions: ['tasks_start'], may_start: [grandchild] });
    const parent = await claimedRun(app(), {}, (await create(await narrow(), [child])).task_id);
    const started = Number(field((await parent.call('POST', '/task-runs', { task: child })).body, 'run_id'));
    const ask = (n: number) => askFor(parent, parent.runId, started, n);
    assert.equal(field((await ask(1)).body, 'end'), null);
    const path = `/admin/api/ai-tasks/${child}/runs/${started}`;
    const side = await claimRun(app(), { taskId: child, runId: started, path });
    await tasks().create_version(grandchild, READS);
    const below = Number(field((await side.call('POST', '/task-runs', { task: grandchild })).body, 'run_id'));
    assert.equal((await askFor(side, started, below)).status, 200);
    await side.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: 'a@example.com' }]);
    for (const n of [1, 2]) {
      const answer = await ask(n);
      const end = field(answer.body, 'end');
      assert.deepEqual([field(end, 'status'), field(end, 'result')], ['withheld', null], answer.text);
      assert.match(answer.text, /what needs admin_api\.customers\.read, which the author or the approver/);
    }
  });

  const askFor = (side: RunnerSide, runId: number, started_run_id: number, n = 1) =>
    app().request({
      method: 'POST',
      path: `/admin/api/runner/runs/${runId}/awaited-runs`,
      token: side.claim.report_token,
      body: { key: `0/${callFingerprint('AWAIT', '/awaited', { n })}/0`, started_run_id },
    });
});
