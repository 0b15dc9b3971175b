import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import { onBothStores } from '../helpers/app.ts';
import { openInProcessRunner } from '../helpers/in-process-runner.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask } from '../helpers/runs.ts';

onBothStores('the state of a task (SF15)', (app) => {
  const tasks = () => app().client.ai_tasks;
  const open = async (body = {}, taskId?: number): Promise<ClaimedRun> =>
    claimedRun(app(), body, taskId ?? (await makeTask(app(), { permissions: [] })));
  const at = ({ taskId }: { taskId: number }, key: string): string => `/ai-tasks/${taskId}/state/${key}`;
  const set = (run: ClaimedRun, key: string, value: unknown, more = {}) => run.call('PUT', at(run, key), { value, ...more } as never);
  const valueAt = async (run: ClaimedRun, key: string, occurrence = 0): Promise<unknown> =>
    field((await run.call('GET', at(run, key), undefined, { occurrence })).body, 'value');
  const finish = (run: ClaimedRun) => run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);

  test('a run without any permission keeps values for later runs of its task', async () => {
    const run = await open();
    const made = await set(run, 'cursor:orders', { after: 'x', n: [1, null] });
    assert.deepEqual([made.status, field(made.body, 'version'), field(made.body, 'size_bytes')], [200, 1, 26]);
    await finish(run);
    const next = await open({}, run.taskId);
    assert.deepEqual(await valueAt(next, 'cursor:orders'), { after: 'x', n: [1, null] });
    assert.deepEqual(codeOf(await next.call('GET', at(next, 'unknown'))), [404, 'not_found']);
    assert.equal((await next.call('DELETE', at(next, 'cursor:orders'))).status, 204);
    assert.deepEqual(codeOf(await next.call('DELETE', at(next, 'cursor:orders'), undefined, { occurrence: 1 })), [404, 'not_found']);
    assert.deepEqual((await next.call('GET', `/ai-tasks/${next.taskId}/state`)).body, []);
  });

  test('a run reaches the state of its own task alone, and nothing else of that task', async () => {
    const [run, other] = [await open(), await makeTask(app(), { permissions: [] })];
    for (const [method, path] of [
      ['GET', at({ taskId: other }, 'a')],
      ['PUT', at({ taskId: other }, 'a')],
      ['DELETE', at({ taskId: other }, 'a')],
      ['GET', `/ai-tasks/${other}/state`],
      ['GET', `/ai-tasks/${run.taskId}`],
    ] as const)
      assert.deepEqual(codeOf(await run.call(method, path, method === 'PUT' ? { value: 1 } : undefined)), [403, 'forbidden'], path);
    assert.deepEqual(await tasks().list_state(other), []);
    const report = await app().request({ path: `/admin/api${at(run, 'a')}`, token: run.claim.report_token });
    assert.deepEqual(codeOf(report), [403, 'forbidden']);
  });

  test('if_version changes a value only where it still has that version; a key never gets a version twice', async () => {
    const run = await open();
    await set(run, 'n', 1, { if_version: 0 });
    const stale = await set(run, 'n', 5, { if_version: 0 });
    assert.deepEqual([...codeOf(stale), field(stale.body, 'current_version')], [409, 'state_stale', 1]);
    assert.equal((await set(run, 'n', 2, { if_version: 1 })).status, 200);
    const kept = await run.call('DELETE', `${at(run, 'n')}?if_version=1`);
    assert.deepEqual([...codeOf(kept), field(kept.body, 'current_version')], [409, 'state_stale', 2]);
    assert.equal((await run.call('DELETE', `${at(run, 'n')}?if_version=2`)).status, 204);
    const gone = await set(run, 'n', 5, { if_version: 2 });
    assert.deepEqual([...codeOf(gone), field(gone.body, 'current_version')], [409, 'state_stale', 0]);
    assert.equal(field((await set(run, 'n', 6)).body, 'version'), 3);
    assert.equal(field((await set(run, 'other', 6)).body, 'version'), 3);
  });

  test('each bound is kept: the key, the size of a value, the number of keys', async () => {
    const run = await open();
    const { client } = app();
    for (const key of ['a b', 'ä', 'a/b', '\u0000', 'a'.repeat(201)])
      await refused(client.ai_tasks.set_state(run.taskId, key, { value: 1 }), 422, 'invalid_value');
    const bad = await refused(client.ai_tasks.get_state(run.taskId, 'a b'), 422, 'invalid_value');
    assert.match(bad.detail, /^must be 1 to 200 letters, digits and the characters \. _ : -/);
    await client.ai_tasks.set_state(run.taskId, 'Az09._:-'.padEnd(200, 'x'), { value: 'x'.repeat(64 * 1024 - 2) });
    await refused(client.ai_tasks.set_state(run.taskId, 'a', { value: 'x'.repeat(64 * 1024 - 1) }), 422, 'too_long');
    await refused(client.ai_tasks.set_state(run.taskId, 'a', { value: 'ß'.repeat(32 * 1024) }), 422, 'too_long');
    for (let n = 1; n < 1000; n += 50)
      await Promise.all(
        Array.from({ length: Math.min(50, 1000 - n) }, (_, i) => client.ai_tasks.set_state(run.taskId, `key.${n + i}`, { value: 1 })),
      );
    assert.deepEqual(codeOf(await set(run, 'one-more', 1)), [409, 'too_many']);
    assert.equal((await set(run, 'key.1', 2)).status, 200);
    assert.equal((await run.call('DELETE', at(run, 'key.1'))).status, 204);
    assert.equal((await set(run, 'one-more', 1, { if_version: 0 })).status, 200);
    assert.equal((await tasks().list_state(run.taskId)).length, 1000);
    const some = await tasks().list_state(run.taskId, { prefix: 'key.99' });
    assert.deepEqual(
      some.map(({ key }) => key),
      ['key.99', ...Array.from({ length: 10 }, (_, n) => `key.99${n}`)],
    );
  });

  test('a resumed run gets its stored answers, and changes nothing a second time', async () => {
    const taskId = await makeTask(app(), { permissions: [] }, { on_interrupt: 'resume' });
    const run = await open({}, taskId);
    await set(run, 'n', 1);
    assert.equal(await valueAt(run, 'n'), 1);
    await lapse(app(), run);
    await tasks().set_state(taskId, 'n', { value: 100 });
    const again = { ...run, ...(await claimRun(app(), run)) };
    const repeated = await set(again, 'n', 1);
    assert.deepEqual([repeated.status, field(repeated.body, 'version'), repeated.headers['idempotency-replayed']], [200, 1, 'true']);
    assert.equal(await valueAt(again, 'n'), 1);
    assert.equal(await valueAt(again, 'n', 1), 100);
    assert.equal((await tasks().get_state(taskId, 'n')).version, 2);
  });

  test('a dry run sees its own changes and keeps none; applying its plan makes them, unless the value has changed meanwhile', async () => {
    const taskId = await makeTask(app(), { permissions: [] });
    await tasks().set_state(taskId, 'n', { value: 1 });
    const dry = async (): Promise<ClaimedRun> => {
      const run = await open({ dry_run: true }, taskId);
      assert.equal(await valueAt(run, 'n'), 1);
      assert.equal((await set(run, 'n', 2, { if_version: (await tasks().get_state(taskId, 'n')).version })).status, 200);
      assert.equal(await valueAt(run, 'n', 1), 2);
      assert.equal((await set(run, 'new', 3)).status, 200);
      await finish(run);
      return run;
    };
    const [first, second] = [await dry(), await dry()];
    assert.deepEqual(
      (await tasks().list_state(taskId)).map(({ key, version }) => [key, version]),
      [['n', 1]],
    );
    const planned = await tasks().list_effects(taskId, first.runId);
    assert.deepEqual(
      planned.map(({ method, resource, changes }) => [method, resource, changes]),
      [
        ['PUT', { type: 'task_state', id: taskId }, { key: ['n', 'n'], version: [1, 2], size_bytes: [1, 1] }],
        ['PUT', { type: 'task_state', id: taskId }, { key: [null, 'new'], version: [null, 1], size_bytes: [null, 1] }],
      ],
    );
    const { run_id } = await tasks().apply_run(taskId, first.runId);
    assert.deepEqual(
      (await tasks().list_state(taskId)).map(({ key, version, updated_by_run_id }) => [key, version, updated_by_run_id]),
      [
        ['n', 2, run_id],
        ['new', 1, run_id],
      ],
    );
    await refused(tasks().apply_run(taskId, second.runId), 409, 'plan_outdated');
  });

  test('neither the audit log, nor the log, nor the effects of a run hold a value', async () => {
    const run = await open();
    await set(run, 'who', 'jane@example.com');
    await tasks().set_state(run.taskId, 'who', { value: 'john@example.com' });
    const texts = [
      await app().client.audit_log.list({ resource_type: 'task_state', resource_id: run.taskId }),
      await app().client.logs.list({}),
      await tasks().list_effects(run.taskId, run.runId),
    ].map((one) => JSON.stringify(one));
    assert.deepEqual(
      texts.map((text) => [text.includes('who'), /jane|john/.test(text)]),
      Array.from({ length: 3 }, () => [true, false]),
    );
  });

  test('who may not read what the writers of the state could read sees neither the state nor runs that used it', async () => {
    const reads: Permission[] = ['admin_api.customers.read'];
    const taskId = await makeTask(app(), { permissions: reads });
    const writer = await open({}, taskId);
    await set(writer, 'name', 'Jane Doe');
    await finish(writer);
    await tasks().create_version(taskId, { source_code: 'log(await state.get("name"))', permissions: [], parameters: [] });
    const [unused, live] = [await open({}, taskId), await open({}, taskId)];
    assert.equal(await valueAt(live, 'name'), 'Jane Doe');
    const dry = await open({ dry_run: true }, taskId);
    await set(dry, 'other', 1);
    assert.equal(await valueAt(dry, 'name'), 'Jane Doe');

    const narrow = app().clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.write'] })).token).ai_tasks;
    await refused(narrow.list_state(taskId), 403, 'forbidden');
    await refused(narrow.get_state(taskId, 'name'), 403, 'forbidden');
    await refused(narrow.list_effects(taskId, dry.runId), 403, 'forbidden');
    const withheld = async ({ runId }: ClaimedRun) => (await narrow.get_run(taskId, runId)).withheld;
    assert.deepEqual([await withheld(unused), await withheld(live), await withheld(dry)], [[], reads, reads]);
    await narrow.set_state(taskId, 'mine', { value: 1 });
    await narrow.delete_state(taskId, 'name');
    const wide = app().clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read', ...reads] })).token).ai_tasks;
    assert.deepEqual(
      (await wide.list_state(taskId)).map(({ key, updated_by_run_id }) => [key, updated_by_run_id]),
      [['mine', null]],
    );
    await refused(wide.set_state(taskId, 'mine', { value: 2 }), 403, 'forbidden');
  });

  test('concurrent runs lose no change of a value, and a replay makes the same calls', async () => {
    const RUNS = 4;
    const source_code = `
      for (let n = 0; n < 5; n += 1) await state.update('n', (value) => (value ?? 0) + 1);
      await Promise.all([1, 2, 3].map((n) => state.update('n', (value) => value + n)));
      export default async () => (await state.entry('n')).value > 0;`;
    const taskId = await makeTask(app(), { source_code, permissions: [] });
    const ids = await Promise.all(Array.from({ length: RUNS }, async () => (await tasks().start_run(taskId, { record: true })).run_id));
    const runners = ids.map(() => openInProcessRunner(app()));
    try {
      const ended = await Promise.all(ids.map((id, n) => runners[n]?.finish(taskId, id)));
      assert.deepEqual(
        ended.map((run) => [run?.status, run?.error_message, run?.result]),
        ids.map(() => ['success', null, true]),
      );
      const { value, version } = await tasks().get_state(taskId, 'n');
      assert.deepEqual([value, version], [RUNS * 11, RUNS * 8]);
      const { run_id } = await app().client.replays.start(taskId, ids[0] ?? 0);
      await runners[0]?.finish(taskId, run_id);
      assert.equal((await app().client.replays.get(taskId, run_id)).identical, true);
      assert.equal((await tasks().get_state(taskId, 'n')).version, RUNS * 8);
    } finally {
      for (const runner of runners) await runner.close();
    }
  });

  test('the state of a deleted task can be read and deleted, but not set', async () => {
    const taskId = await makeTask(app());
    await tasks().set_state(taskId, 'n', { value: 1 });
    await tasks().delete(taskId);
    await refused(tasks().set_state(taskId, 'n', { value: 2 }), 409, 'task_deleted');
    assert.equal((await tasks().get_state(taskId, 'n')).value, 1);
    await tasks().delete_state(taskId, 'n');
    await refused(tasks().get_state(taskId + 1000, 'n'), 404, 'not_found');
  });
});
