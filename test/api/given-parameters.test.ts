import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { hooks } from '../helpers/hooks.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, makeTask } from '../helpers/runs.ts';

const CUSTOMERS: Permission = 'admin_api.customers.read';
const WRITER: Permission[] = ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', 'http_request'];
const parameters = [{ name: 'payload', kind: 'json' as const }];
/** What staff who may read nothing save: the code posts what it is given to a host of theirs. */
const POSTS = { source_code: 'log(parameters);', parameters, permissions: ['http_request' as const], http_allow: ['https://a.example/*'] };
const VALUE = 'ann@example.com';

/** The code of a version can send on what its runs get as parameters, from a hook, or out of their task's state. */
onBothStores('what runs are given', (app) => {
  const { policy, approve, tasks } = approvals(app);
  const narrow = () => person(app(), { permissions: WRITER });
  const wide = (more: Permission[] = []) => person(app(), { permissions: [...WRITER, CUSTOMERS, ...more] });
  const by = ({ token }: Person) => tasks(token);
  /** A task that reads customers, if `permissions` say so, and may start another. */
  const parentOf = (child: number, permissions: Permission[] = [CUSTOMERS]) =>
    makeTask(app(), { permissions: ['tasks_start', ...permissions], may_start: [child] });
  const child = () => makeTask(app(), { parameters });
  const start = ({ call }: ClaimedRun, task: number) => call('POST', '/task-runs', { task, parameters: { payload: VALUE } });
  const startBy = async (parent: number, task: number) => start(await claimedRun(app(), {}, parent), task);
  const runsOf = async (task: number) => (await tasks().list_runs(task)).length;
  const refusesStart = async (run: ClaimedRun, task: number): Promise<void> => {
    const before = await runsOf(task);
    const answer = await start(run, task);
    assert.deepEqual([...codeOf(answer), field(answer.body, 'permissions')], [403, 'task_start_not_allowed', [CUSTOMERS]], answer.text);
    assert.match(
      answer.text,
      new RegExp(`run ${run.runId} gives may contain what needs admin_api\\.customers\\.read.* version of task ${task} `),
    );
    assert.equal(await runsOf(task), before);
  };
  const startedSide = async (taskId: number, runId: number): Promise<ClaimedRun> => {
    const side = { taskId, runId, path: `/admin/api/ai-tasks/${taskId}/runs/${runId}` };
    return { ...side, ...(await claimRun(app(), side)) };
  };

  test('an author must be allowed to read what the tasks read that may start this one, also over others', async () => {
    await policy('author');
    const [author, reader, task] = [await narrow(), await wide(), await child()];
    const parent = await parentOf(task, []);
    await by(author).create_version(task, POSTS);
    const above = await parentOf(parent);
    const error = await refused(by(author).create_version(task, POSTS), 403, 'permission_not_held');
    assert.match(error.detail, /parameters that its runs get from other tasks .* needs admin_api\.customers\.read/);
    assert.deepEqual(error.problem?.['permissions'], [CUSTOMERS]);
    await by(reader).create_version(task, POSTS);
    await tasks().create_version(above, { ...POSTS, permissions: [CUSTOMERS], http_allow: [] });
    await by(author).create_version(task, POSTS);
    await tasks().create_version(above, { ...POSTS, permissions: ['tasks_start', CUSTOMERS], http_allow: [], may_start: [parent] });
    await tasks().delete(above);
    await by(author).create_version(task, POSTS);
  });

  test('what a starting task was given counts as what it reads: its state, and what its hook is sent', async () => {
    await policy('author');
    const [author, task] = [await narrow(), await child()];
    const parent = await makeTask(app(), { parameters, permissions: ['tasks_start'], may_start: [task] });
    await by(author).create_version(task, POSTS);
    const { id } = await hooks(app).make({}, parent);
    await refused(by(author).create_version(task, POSTS), 403, 'permission_not_held');
    await tasks().delete_hook(parent, id);
    await by(author).create_version(task, POSTS);
    await tasks().create_version(parent, { ...POSTS, permissions: [CUSTOMERS], http_allow: [] });
    const writer = await claimedRun(app(), {}, parent);
    await writer.call('PUT', `/ai-tasks/${parent}/state/emails`, { value: VALUE });
    await writer.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await tasks().create_version(parent, { ...POSTS, permissions: ['tasks_start'], http_allow: [], may_start: [task] });
    await refused(by(author).create_version(task, POSTS), 403, 'permission_not_held');
  });

  test('an approver must be allowed to read the same, and the list of waiting versions says so', async () => {
    await policy('author');
    const task = await child();
    await parentOf(task);
    await policy('second_admin');
    const [author, approver, reader] = [await wide(), await narrow(), await wide()];
    const { version_id } = await by(author).create_version(task, POSTS);
    const refusalFor = async (who: Person) =>
      (await by(who).list_pending_versions({ limit: 500 })).find((one) => one.version_id === version_id)?.refusal;
    assert.deepEqual([await refusalFor(approver), await refusalFor(reader)], ['permission_not_held', null]);
    await refused(approve(task, version_id, approver.token), 403, 'permission_not_held');
    await approve(task, version_id, reader.token);
    await policy('author');
  });

  test('a task whose version was saved before a parent could read more, or could start it, gets no parameters from it', async () => {
    await policy('author');
    const [author, reader, task] = [await narrow(), await wide(), await child()];
    const { version_id } = await by(author).create_version(task, POSTS);
    const parent = await parentOf(task);
    await refusesStart(await claimedRun(app(), {}, parent), task);
    const saved = await by(reader).create_version(task, POSTS);
    assert.equal((await startBy(parent, task)).status, 201);
    await app().client.admins.update(reader.adminId, { permissions: WRITER });
    assert.equal((await startBy(parent, task)).status, 201, 'what was held then counts');
    await tasks().revoke_version(task, saved.version_id, {});
    assert.equal((await tasks().get(task)).task.current_version_id, version_id);
    await refusesStart(await claimedRun(app(), {}, parent), task);
  });

  test('a run passes on what the runs above it could read, and a child of nobody who reads is started', async () => {
    await policy('author');
    const [author, task] = [await narrow(), await child()];
    const between = await makeTask(app(), { parameters, permissions: ['tasks_start'], may_start: [task] });
    await by(author).create_version(task, POSTS);
    assert.equal((await startBy(between, task)).status, 201);
    const top = await claimedRun(app(), {}, await parentOf(between));
    const started = Number(field((await start(top, between)).body, 'run_id'));
    await refusesStart(await startedSide(between, started), task);
  });

  test('of an approved version what both its author and its approver held counts', async () => {
    for (const [author, approver, isAllowed] of [
      [await wide(), await narrow(), false],
      [await narrow(), await wide(), false],
      [await wide(), await wide(), true],
    ] as const) {
      await policy('author');
      const task = await child();
      await policy('second_admin');
      const { version_id } = await by(author).create_version(task, POSTS);
      await approve(task, version_id, approver.token);
      await policy('author');
      const run = await claimedRun(app(), {}, await parentOf(task));
      if (isAllowed) assert.equal((await start(run, task)).status, 201);
      else await refusesStart(run, task);
    }
  });

  test('a hook gives what it is sent only to a version of people who may read customers and orders', async () => {
    await policy('author');
    const { make, call, runOf } = hooks(app);
    const [author, task] = [await narrow(), await child()];
    const { version_id } = await by(author).create_version(task, POSTS);
    const error = await refused(make({}, task), 403, 'forbidden');
    assert.match(error.detail, /What a hook is sent may contain what needs admin_api\.customers\.read, admin_api\.orders\.read/);
    const plain = await make({ parameter: null }, task);
    assert.ok(runOf(await call(plain.address, '{}')) > 0);
    const newer = await by(await wide(['admin_api.orders.read'])).create_version(task, POSTS);
    const hook = await make({}, task);
    assert.ok(runOf(await call(hook.address, '{}')) > 0);
    await refused(by(author).create_version(task, POSTS), 403, 'permission_not_held');
    await tasks().revoke_version(task, newer.version_id, {});
    assert.equal((await tasks().get(task)).task.current_version_id, version_id);
    const before = await runsOf(task);
    assert.deepEqual(codeOf(await call(hook.address, '{}')), [409, 'run_not_opened']);
    assert.match((await tasks().get_hook(task, hook.id)).last_error ?? '', /author or the approver of the version of task/);
    assert.equal(await runsOf(task), before);
  });

  test('a version of people who may not read what the state may contain finds it refused, whatever it wrote itself', async () => {
    await policy('author');
    const [author, task] = [await narrow(), await child()];
    const { version_id } = await by(author).create_version(task, POSTS);
    const at = `/ai-tasks/${task}/state`;
    const first = await claimedRun(app(), {}, task);
    assert.equal((await first.call('PUT', `${at}/since`, { value: 1 })).status, 200);
    assert.equal((await first.call('GET', `${at}/since`)).status, 200);
    const wider = await by(await wide()).create_version(task, { ...POSTS, permissions: [CUSTOMERS], http_allow: [] });
    const writer = await claimedRun(app(), {}, task);
    assert.equal((await writer.call('PUT', `${at}/emails`, { value: VALUE })).status, 200);
    assert.ok((await writer.call('GET', `${at}/emails`)).text.includes(VALUE));
    await tasks().revoke_version(task, wider.version_id, {});
    assert.equal((await tasks().get(task)).task.current_version_id, version_id);
    const again = await claimedRun(app(), {}, task);
    assert.equal((await again.call('PUT', `${at}/since`, { value: 2 })).status, 200);
    for (const run of [first, again]) {
      for (const path of [`${at}/emails`, `${at}?prefix=`]) {
        const answer = await run.call('GET', path);
        assert.deepEqual([...codeOf(answer), field(answer.body, 'permissions')], [403, 'forbidden', [CUSTOMERS]], answer.text);
        assert.match(
          answer.text,
          /The state of task \d+ may contain what needs admin_api\.customers\.read, which the author or the approver/,
        );
      }
    }
    await by(await wide()).create_version(task, POSTS);
    assert.equal((await (await claimedRun(app(), {}, task)).call('GET', `${at}/emails`)).status, 200);
  });

  test('RU2: a run is resumed with another version only if its author may read what the run has stored', async () => {
    await policy('author');
    const task = await makeTask(app(), { permissions: [CUSTOMERS] });
    const run = await claimedRun(app(), {}, task);
    await run.report([
      { kind: 'checkpoint', state: { name: VALUE }, epoch: 0 },
      { kind: 'finalize', status: 'interrupted', error_message: 'cut', end_reason: 'budget' },
    ]);
    const resume = { resume_run_id: run.runId, version: 'current' as const };
    await by(await narrow()).create_version(task, POSTS);
    const error = await refused(tasks().start_run(task, resume), 403, 'forbidden');
    assert.match(error.detail, new RegExp(`What run ${run.runId} has stored may contain what needs admin_api\\.customers\\.read`));
    await by(await wide()).create_version(task, POSTS);
    assert.ok((await tasks().start_run(task, resume)).run_id > run.runId);
  });
});
