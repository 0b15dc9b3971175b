import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Permission } from '../../contract/permissions.ts';
import { sweepOld } from '../../server/background/retention.ts';
import { onBothStores } from '../helpers/app.ts';
import { approvals } from '../helpers/approvals.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Person, person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimRun, codeOf, emptyQueue } from '../helpers/runs.ts';

const WRITE: Permission = 'admin_api.customers.write';
const HIGHEST = 1000;

/** Dry runs of drafts, and of versions that nobody has approved. Whatever is tried with one, nothing in the shop changes. */
onBothStores('dry runs of drafts and of pending versions', (app) => {
  const { tasks, policy, author, approver, makeTask, addVersion, approve, revoke, stateOf } = approvals(app);
  /** An admin who may start tasks, but not change customers. */
  let narrow: Person;
  before(async () => {
    narrow = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.orders.read'] });
  });

  const draftOf = (permissions: Permission[] = [WRITE], source_code = 'log("draft")') => ({ source_code, permissions, parameters: [] });
  type Start = NonNullable<Parameters<ReturnType<typeof tasks>['start_run']>[1]>;
  const start = (id: number, body: Start, token = author().token) => tasks(token).start_run(id, body);

  async function claimed(taskId: number, body: Start): Promise<ClaimedRun> {
    await emptyQueue(app());
    const { run_id: runId } = await start(taskId, { priority: HIGHEST, ...body });
    const run = { taskId, runId, path: `/admin/api/ai-tasks/${taskId}/runs/${runId}` };
    return { ...run, ...(await claimRun(app(), run)) };
  }
  const claimedDraft = (taskId: number, body: Start = {}) => claimed(taskId, { dry_run: true, draft: draftOf(), ...body });

  /** Writes a note in the run; returns the customer and a check that the shop has no note of that customer. */
  async function plan(run: ClaimedRun) {
    const { id } = await makeCustomer(app());
    const answer = await run.call('POST', `/customers/${id}/notes`, { body: 'planned' });
    assert.equal(answer.status, 201, answer.text);
    return async (): Promise<void> => assert.deepEqual(await app().client.customers.list_notes(id), []);
  }
  const end = async (run: ClaimedRun, status = 'success', end_reason = 'completed') =>
    assert.equal((await run.report([{ kind: 'finalize', status, end_reason, error_message: null }])).status, 204);
  const interrupt = (run: ClaimedRun) => end(run, 'interrupted', 'drained');
  const apply = (run: ClaimedRun, token = author().token) => tasks(token).apply_run(run.taskId, run.runId);
  const draftsStored = async (taskId: number): Promise<number> => {
    const { rows } = await sql<{
      n: number;
    }>`SELECT count(*) AS n FROM task_versions WHERE task_id = ${taskId} AND version IS NULL`.execute(app().store.reader);
    return Number(rows[0]?.n);
  };

  test('a draft runs with its own source and permissions, and leaves no version', async () => {
    const task = await makeTask([]);
    const run = await claimedDraft(task.id);
    const { version, run: claim } = run.claim;
    assert.deepEqual([version.version, version.source_code, version.permissions, claim.dry_run], [null, 'log("draft")', [WRITE], true]);
    const unchanged = await plan(run);
    assert.deepEqual(codeOf(await run.call('GET', '/orders')), [403, 'forbidden'], 'it may do what the draft declares, and nothing else');
    await end(run);
    await unchanged();
    const effects = await tasks().list_effects(task.id, run.runId);
    assert.deepEqual(
      effects.map(({ method }) => method),
      ['POST'],
    );

    const { task: shown, versions } = await tasks().get(task.id);
    assert.deepEqual([shown.current_version_id, versions.map(({ version: number }) => number)], [task.versionId, [1]]);
    const listed = await tasks().list_runs(task.id);
    const [first] = listed;
    assert.deepEqual([first?.id, first?.draft, first?.version, first?.dry_run, first?.status], [run.runId, true, null, true, 'success']);
    const { data } = await tasks().list_all_runs({ task_id: task.id });
    assert.deepEqual([data[0]?.draft, data[0]?.version], [true, null]);
    const inList = (await tasks().list({ limit: 200 })).tasks.find(({ id }) => id === task.id);
    assert.deepEqual([inList?.current_version, inList?.pending_version_id], [1, null]);
    assert.ok(!(await tasks().list_pending_versions()).some(({ task_id }) => task_id === task.id), 'it waits for no approval');
    assert.equal((await tasks().get_run(task.id, run.runId)).draft, true);
    assert.equal((await tasks().get_version(task.id, (await addVersion(task.id)).version_id)).version, 2, 'a draft takes no number');
    const { run_id } = await start(task.id, {});
    assert.equal((await tasks().get_run(task.id, run_id)).draft, false);
  });

  test('a task whose only version is pending can be tried: the draft and the pending version itself', async () => {
    await policy('second_admin');
    const task = await makeTask([WRITE]);
    await policy('author');
    await end(await claimedDraft(task.id));
    const run = await claimed(task.id, { dry_run: true, version_id: task.versionId });
    assert.deepEqual([run.claim.version.id, run.claim.version.version, run.claim.run.dry_run], [task.versionId, 1, true]);
    const unchanged = await plan(run);
    await end(run);
    await unchanged();
    assert.equal((await tasks().get_run(task.id, run.runId)).draft, false);
    await refused(start(task.id, {}), 409, 'version_not_approved');
    assert.deepEqual((await tasks().get_version(task.id, task.versionId)).permissions_used, [WRITE], 'a reviewer sees what it used');
  });

  test('version_id: a dry run takes any version that was not decided against, another run the current one', async () => {
    await policy('author');
    const task = await makeTask();
    const { version_id: current } = await addVersion(task.id);
    assert.equal((await start(task.id, { version_id: current })).version_id, current);
    assert.equal((await start(task.id, { version_id: task.versionId, dry_run: true })).version_id, task.versionId);
    const error = await refused(start(task.id, { version_id: task.versionId }), 422, 'invalid_value');
    assert.match(error.detail, /version 1 \(approved\) is not the current one; only a dry run/);
    assert.equal(error.errors[0]?.pointer, '/version_id');

    await policy('second_admin');
    const { version_id: pending } = await addVersion(task.id);
    await policy('author');
    assert.match((await refused(start(task.id, { version_id: pending }), 422, 'invalid_value')).detail, /version 3 \(pending\) is not/);
    assert.match((await refused(start(task.id, { version_id: pending, dry_run: false }), 422, 'invalid_value')).detail, /only a dry run/);
    await tasks(approver().token).reject_version(task.id, pending, { reason: 'no' });
    await revoke(task.id, task.versionId);
    for (const [version_id, what] of [
      [pending, /Version 3 was rejected/],
      [task.versionId, /Version 1 was revoked/],
    ] as const) {
      assert.match((await refused(start(task.id, { version_id, dry_run: true }), 409, 'version_not_approved')).detail, what);
    }
    const { versionId: foreign } = await makeTask();
    const run = await claimedDraft(task.id);
    const { version_id: draft } = await tasks().get_run(task.id, run.runId);
    for (const version_id of [foreign, draft, 999_999]) {
      for (const dry_run of [true, false]) await refused(start(task.id, { version_id, dry_run }), 422, 'version_not_found');
    }
  });

  test('a draft needs dry_run, and goes with neither version_id nor resume_run_id; bad drafts are refused as versions are', async () => {
    const task = await makeTask();
    const draft = draftOf();
    const pointers = async (body: Start) =>
      (await refused(start(task.id, body), 422, 'invalid_value')).errors.map(({ pointer }) => pointer);
    assert.deepEqual(await pointers({ draft }), ['/draft']);
    assert.deepEqual(await pointers({ draft, dry_run: false }), ['/draft']);
    assert.deepEqual(await pointers({ draft, dry_run: true, version_id: task.versionId }), ['/draft']);
    assert.deepEqual(await pointers({ draft, dry_run: true, resume_run_id: 1 }), ['/draft']);
    assert.deepEqual(await pointers({ version_id: task.versionId, resume_run_id: 1 }), ['/version_id']);
    assert.deepEqual(await pointers({ draft, dry_run: true, executor: 'external' }), ['/executor']);
    const raw = (values: object) =>
      app().request({
        method: 'POST',
        path: `/admin/api/ai-tasks/${task.id}/runs`,
        body: { dry_run: true, draft: { ...draft, ...values } },
      });
    assert.deepEqual(codeOf(await raw({ permissions: ['admin_api.shop.read'] })), [422, 'unknown_permission']);
    assert.deepEqual(codeOf(await raw({ permissions: ['admin_api.ai_tasks.write'] })), [422, 'permission_not_grantable']);
    assert.deepEqual(codeOf(await raw({ source_code: '' })), [422, 'blank']);
    assert.deepEqual(codeOf(await raw({ parameters: undefined })), [422, 'required']);
    const file = { name: 'f', kind: 'file', default: 999_999 };
    const missing = await raw({ parameters: [file] });
    assert.deepEqual(codeOf(missing), [422, 'file_not_found']);
    assert.match(missing.text, /\/draft\/parameters\/0\/default/);
    assert.equal((await raw({ source_code: `// ${'ä'.repeat(520_000)}` })).status, 201, 'the body limit is that of a version');
    assert.equal(await draftsStored(task.id), 1, 'a refused draft is not stored');
  });

  test('whoever starts or resumes a dry run of what nobody has approved must hold its permissions', async () => {
    await policy('second_admin');
    const task = await makeTask([WRITE]);
    await policy('author');
    const error = await refused(start(task.id, { dry_run: true, draft: draftOf() }, narrow.token), 403, 'permission_not_held');
    assert.match(error.detail, /do not hold admin_api\.customers\.write yourself; whoever starts a dry run/);
    await refused(start(task.id, { dry_run: true, version_id: task.versionId }, narrow.token), 403, 'permission_not_held');
    for (const body of [{ draft: draftOf() }, { version_id: task.versionId }]) {
      const run = await claimed(task.id, { dry_run: true, ...body });
      await interrupt(run);
      await refused(start(task.id, { resume_run_id: run.runId }, narrow.token), 403, 'permission_not_held');
      assert.ok(await start(task.id, { resume_run_id: run.runId }));
    }
    assert.equal((await start(task.id, { dry_run: true, draft: draftOf(['admin_api.orders.read']) }, narrow.token)).run_id > 0, true);
    await approve(task.id, task.versionId);
    assert.ok(
      await start(task.id, { dry_run: true, version_id: task.versionId }, narrow.token),
      'an approved version needs no such permission',
    );
  });

  test('a run that resumes a dry run of a draft executes the same draft, dry; never another version, never for real', async () => {
    const task = await makeTask([WRITE]);
    const first = await claimedDraft(task.id);
    const unchanged = await plan(first);
    await first.report([{ kind: 'checkpoint', state: { a: 1 }, epoch: 0 }]);
    await interrupt(first);
    const resume_run_id = first.runId;
    const error = await refused(start(task.id, { resume_run_id, version: 'current' }), 422, 'invalid_value');
    assert.match(error.detail, /is of a draft, and a run that resumes it keeps the draft; leave version out/);
    await refused(start(task.id, { resume_run_id, dry_run: false }), 422, 'invalid_value');
    await refused(start(task.id, { resume_run_id, executor: 'external' }), 422, 'invalid_value');
    const second = await claimed(task.id, { resume_run_id });
    const { version, run } = second.claim;
    assert.deepEqual([version.version, version.source_code, run.dry_run], [null, 'log("draft")', true]);
    await plan(second);
    await end(second);
    assert.equal((await tasks().get_run(task.id, second.runId)).draft, true);
    await refused(apply(second), 409, 'not_applicable');
    await unchanged();
  });

  test('the plan of a draft cannot be applied, by nobody', async () => {
    const task = await makeTask([WRITE]);
    const run = await claimedDraft(task.id);
    const unchanged = await plan(run);
    await end(run);
    for (const token of [author().token, approver().token]) {
      assert.match((await refused(apply(run, token), 409, 'not_applicable')).detail, /is of a draft: save it as a version/);
    }
    const saved = await tasks(author().token).create_version(task.id, draftOf());
    assert.equal(saved.approval, 'approved');
    await refused(apply(run), 409, 'not_applicable');
    await unchanged();
  });

  test('the plan of a version is applied only while the version is approved', async () => {
    await policy('second_admin');
    const task = await makeTask([WRITE]);
    const dry = { dry_run: true, version_id: task.versionId };
    const [first, second] = [await claimed(task.id, dry), await claimed(task.id, dry)];
    const firstUnchanged = await plan(first);
    const secondUnchanged = await plan(second);
    for (const run of [first, second]) await end(run);
    assert.match((await refused(apply(first), 409, 'not_applicable')).detail, /of version 1, which has to be approved first/);
    await firstUnchanged();
    await approve(task.id, task.versionId);
    assert.ok((await apply(first)).run_id);
    await revoke(task.id, task.versionId);
    await refused(apply(second), 409, 'version_not_approved');
    await secondUnchanged();

    const { version_id } = await addVersion(task.id, [WRITE]);
    const third = await claimed(task.id, { dry_run: true, version_id });
    const thirdUnchanged = await plan(third);
    await end(third);
    await tasks(approver().token).reject_version(task.id, version_id, { reason: 'no' });
    assert.match((await refused(apply(third), 409, 'not_applicable')).detail, /which was rejected/);
    await thirdUnchanged();
    await policy('author');
  });

  test('the plan of a version that another one has replaced is not applied, as no run of it would start', async () => {
    const task = await makeTask([WRITE]);
    const old = { dry_run: true, version_id: task.versionId };
    const [before, mixed] = [await claimed(task.id, old), await claimed(task.id, old)];
    const unchanged = [await plan(before), await plan(mixed)];
    await end(before);
    await mixed.report([{ kind: 'checkpoint', state: { a: 1 }, epoch: 0 }]);
    await interrupt(mixed);
    await addVersion(task.id, [WRITE]);
    const after = await claimed(task.id, old);
    unchanged.push(await plan(after));
    await end(after);
    const resumed = await claimed(task.id, { resume_run_id: mixed.runId, version: 'current' });
    await end(resumed);
    for (const run of [before, after, resumed]) {
      const refusal = await refused(apply(run), 409, 'not_applicable');
      assert.match(refusal.detail, /of version 1, which is not the current one any more: make a dry run of that/);
    }
    await refused(apply(after, narrow.token), 403, 'forbidden');
    for (const look of unchanged) await look();
    const current = await claimed(task.id, { dry_run: true });
    await plan(current);
    await end(current);
    assert.ok((await apply(current)).run_id);
  });

  test('writes of a version that nobody approved do not come into an approved version’s plan by a resumed run', async () => {
    await policy('author');
    const task = await makeTask([WRITE]);
    await policy('second_admin');
    const { version_id: pending } = await addVersion(task.id, [WRITE]);
    const first = await claimed(task.id, { dry_run: true, version_id: pending });
    const unchanged = await plan(first);
    await first.report([{ kind: 'checkpoint', state: { a: 1 }, epoch: 0 }]);
    await interrupt(first);
    const second = await claimed(task.id, { resume_run_id: first.runId, version: 'current' });
    assert.deepEqual([second.claim.version.id, second.claim.run.dry_run], [task.versionId, true]);
    await end(second);
    assert.match((await refused(apply(second), 409, 'not_applicable')).detail, /of version 2, which has to be approved first/);
    await unchanged();
    await policy('author');
  });

  test('a draft cannot be read, decided on, or named by another request', async () => {
    const task = await makeTask([WRITE]);
    const run = await claimedDraft(task.id, { record: true });
    await end(run);
    const { version_id: draft } = await tasks().get_run(task.id, run.runId);
    const { source_sha256 } = await tasks().get_version(task.id, task.versionId);
    const approving = tasks(approver().token);
    await refused(approving.get_version(task.id, draft), 404, 'not_found');
    await refused(approving.approve_version(task.id, draft, { source_sha256, permissions: [WRITE] }), 404, 'not_found');
    await refused(approving.reject_version(task.id, draft, { reason: 'x' }), 404, 'not_found');
    await refused(approving.revoke_version(task.id, draft, {}), 404, 'not_found');
    await refused(approving.list_version_approvals(task.id, draft), 404, 'not_found');
    await refused(tasks().create_version(task.id, { ...draftOf(), base_version_id: draft }), 422, 'version_not_found');
    await refused(app().client.replays.start(task.id, run.runId, { version_id: draft }), 422, 'version_not_found');
    assert.equal((await tasks().list_approvals(task.id)).length, 1);

    await revoke(task.id, task.versionId);
    assert.deepEqual(
      [(await tasks().get(task.id)).task.current_version_id, await stateOf(task.id, task.versionId)],
      [null, ['revoked', null]],
    );
    await refused(start(task.id, {}), 409, 'version_not_approved');
  });

  test('a recorded dry run of a draft can be replayed, which changes nothing; others need the draft’s permissions', async () => {
    const task = await makeTask([]);
    const run = await claimedDraft(task.id, { record: true });
    const unchanged = await plan(run);
    await end(run);
    await refused(app().clientFor(narrow.token).replays.start(task.id, run.runId, {}), 403, 'permission_not_held');
    await emptyQueue(app());
    const { run_id: runId } = await app().clientFor(author().token).replays.start(task.id, run.runId, {});
    const replay = { taskId: task.id, runId, path: `/admin/api/ai-tasks/${task.id}/runs/${runId}` };
    const side = await claimRun(app(), replay);
    assert.deepEqual([side.claim.version.source_code, side.claim.run.replay], ['log("draft")', true]);
    assert.deepEqual(codeOf(await side.call('POST', '/customers', { name: 'New', email: 'new@example.com' })), [409, 'not_in_recording']);
    await end({ ...replay, ...side });
    await refused(start(task.id, { resume_run_id: runId }), 409, 'not_interrupted');
    await refused(tasks().apply_run(task.id, runId), 409, 'not_applicable');
    await unchanged();
  });

  test('a version that is rejected or revoked ends its dry runs; a deleted task starts, resumes and applies none', async () => {
    await policy('second_admin');
    const task = await makeTask([WRITE]);
    const run = await claimed(task.id, { dry_run: true, version_id: task.versionId });
    const unchanged = await plan(run);
    await tasks(approver().token).reject_version(task.id, task.versionId, { reason: 'no' });
    assert.deepEqual(codeOf(await run.call('GET', '/customers')), [409, 'run_fenced']);
    const { status, end_reason } = await tasks().get_run(task.id, run.runId);
    assert.deepEqual([status, end_reason], ['cancelled', 'cancelled']);
    await unchanged();

    const { version_id } = await addVersion(task.id, [WRITE]);
    const held = await claimed(task.id, { dry_run: true, version_id });
    await approve(task.id, version_id);
    const draft = await claimedDraft(task.id);
    await revoke(task.id, version_id);
    assert.deepEqual(codeOf(await held.call('GET', '/customers')), [409, 'run_fenced']);
    assert.equal((await tasks().get_run(task.id, held.runId)).end_reason, 'revoked');

    const [interrupted, ended] = [draft, await claimedDraft(task.id)];
    await interrupt(interrupted);
    await end(ended);
    await tasks().delete(task.id);
    await refused(start(task.id, { dry_run: true, draft: draftOf() }), 409, 'task_deleted');
    await refused(start(task.id, { dry_run: true, version_id }), 409, 'task_deleted');
    await refused(start(task.id, { resume_run_id: interrupted.runId }), 409, 'task_deleted');
    await refused(apply(ended), 409, 'task_deleted');
    await policy('author');
  });

  test('no dry run stays open on a version that is rejected at the same moment', async () => {
    for (let round = 0; round < 4; round++) {
      await policy('second_admin');
      const task = await makeTask();
      const begin = () => start(task.id, { dry_run: true, version_id: task.versionId });
      const reject = tasks(approver().token).reject_version(task.id, task.versionId, { reason: 'no' });
      for (const begun of await Promise.allSettled([begin(), reject, begin()]))
        if (begun.status === 'rejected') await refused(Promise.reject(begun.reason), 409, 'version_not_approved');
      for (const run of await tasks().list_runs(task.id)) assert.equal(run.status, 'cancelled');
    }
    await policy('author');
  });

  test('the audit log names the permissions with which a draft ran', async () => {
    const task = await makeTask([]);
    const { run_id } = await start(task.id, { dry_run: true, draft: draftOf() });
    const { data } = await app().client.audit_log.list({ resource_type: 'run', resource_id: run_id });
    assert.deepEqual(
      data.map(({ actor, changes }) => [actor.id, changes['approval'], changes['permissions']]),
      [[author().adminId, [null, 'draft'], [null, [WRITE]]]],
    );
  });

  test('a draft is deleted with the last of its runs', async () => {
    const task = await makeTask([WRITE]);
    const first = await claimedDraft(task.id);
    await interrupt(first);
    const second = await claimed(task.id, { resume_run_id: first.runId });
    const sweepAfter = (days: number) => sweepOld(app().store, Date.now() + days * 86_400_000);
    await sweepAfter(91);
    assert.deepEqual([(await tasks().list_runs(task.id)).map(({ id }) => id), await draftsStored(task.id)], [[second.runId], 1]);
    assert.equal((await tasks().get_run(task.id, second.runId)).draft, true);
    await tasks().cancel_run(task.id, second.runId);
    await sweepAfter(91);
    assert.deepEqual([await tasks().list_runs(task.id), await draftsStored(task.id)], [[], 0]);
    assert.deepEqual(
      (await tasks().get(task.id)).versions.map(({ id }) => id),
      [task.versionId],
      'versions stay',
    );
  });
});
