import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepOld } from '../../server/background/retention.ts';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import type { RunBody } from '../helpers/runs.ts';
import { claimedRun, codeOf, makeTask, openRun } from '../helpers/runs.ts';

onBothStores('errors of tasks in groups', (app) => {
  const tasks = () => app().client.ai_tasks;
  const finalize = (error_message: string | null, status = 'failed') => [{ kind: 'finalize' as const, status, error_message }];
  const open = (taskId: number, body: RunBody = {}) => openRun(app(), { executor: 'external', ...body }, taskId);
  /** Ends a run of the task so, and returns its id. */
  async function end(taskId: number, message: string | null, status?: string): Promise<number> {
    const { runId } = await open(taskId);
    await tasks().append_run_events(taskId, runId, { events: finalize(message, status) });
    return runId;
  }
  const errorsOf = async (task_id: number) => (await tasks().list_errors({ task_id })).data;
  const only = async (taskId: number) => {
    const [error, ...others] = await errorsOf(taskId);
    assert.ok(error);
    assert.deepEqual(others, []);
    return error;
  };
  const toldOf = async (taskId: number) =>
    (await app().client.notifications.list({ limit: 100 })).notifications
      .filter(({ metadata }) => metadata?.['task_id'] === taskId)
      .map(({ metadata, count }) => [metadata?.['run_id'], metadata?.['error_id'], count]);
  const addVersion = (taskId: number) =>
    tasks().create_version(taskId, { source_code: 'log("again");', permissions: ['admin_api.orders.read'], parameters: [] });
  const forget = () => app().client.notifications.mark_all_read();

  test('RE1: ends with the same message, but for values, are one error; another message or place in the script is another', async () => {
    const taskId = await makeTask(app(), { permissions: [] });
    const first = await end(taskId, `Error: order 4711 of anna@example.com is "late" since 2026-11-28\n    at check (task.ts:3:5)`);
    const last = await end(taskId, `Error: order 12 of bela.b@shop.example is "lost" since 2025-01-02\n    at check (task.ts:30:1)`);
    const one = await only(taskId);
    assert.deepEqual([one.count, one.run_id, one.state, one.status, one.withheld], [2, last, 'open', 'failed', []]);
    assert.equal(one.message, 'Error: order 12 of bela.b@shop.example is "lost" since 2025-01-02');
    assert.deepEqual(
      one.versions.map(({ version, count }) => [version, count]),
      [[1, 2]],
    );
    assert.deepEqual(
      one.days.map(({ count }) => count),
      [2],
    );
    const detail = await tasks().get_error(one.id);
    assert.deepEqual(
      [detail.runs.map(({ id }) => id), detail.error_message?.split('\n')[1]],
      [[last, first], '    at check (task.ts:30:1)'],
    );
    assert.equal((await tasks().get_run(taskId, first)).error_id, one.id);
    await end(taskId, 'Error: order 4711 of anna@example.com is "late" since 2026-11-28\n    at send (task.ts:3:5)');
    await end(taskId, 'Error: order 4711 is early');
    await end(taskId, null);
    assert.deepEqual(
      (await errorsOf(taskId)).map(({ count }) => count),
      [1, 1, 1, 2],
    );
  });

  test('RE1: a success, a cancellation, a dry run, and what a machine or a decision ended, are no errors', async () => {
    const taskId = await makeTask(app(), { permissions: [] });
    await end(taskId, null, 'success');
    await end(taskId, 'cancelled by me', 'cancelled');
    for (const end_reason of ['lost_worker', 'drained']) {
      const run = await claimedRun(app(), {}, taskId);
      await run.report([{ kind: 'finalize', status: 'interrupted', error_message: 'gone', end_reason }]);
    }
    const dry = await claimedRun(app(), { dry_run: true }, taskId);
    await dry.report([{ kind: 'finalize', status: 'failed', error_message: 'x', end_reason: 'script_error' }]);
    await open(taskId);
    const { current_version } = await tasks().get(taskId);
    await tasks().revoke_version(taskId, current_version?.id ?? 0);
    assert.deepEqual(await errorsOf(taskId), []);
    assert.equal((await tasks().get_run(taskId, dry.runId)).error_id, null);
  });

  test('RE1: ends at the same time are all counted, and one of them tells', async () => {
    const taskId = await makeTask(app(), { permissions: [] });
    const runs = await Promise.all(Array.from({ length: 8 }, () => open(taskId)));
    await Promise.all(runs.map(({ runId }, n) => tasks().append_run_events(taskId, runId, { events: finalize(`boom ${n}`) })));
    const error = await only(taskId);
    assert.deepEqual([error.count, error.days[0]?.count, error.versions[0]?.count], [8, 8, 8]);
    const [told, ...more] = await toldOf(taskId);
    assert.deepEqual([told?.[1], told?.[2], more], [error.id, 1, []]);
  });

  test('RE2, RU15: a resolved error comes back with a later version alone, and tells so once; an ignored one tells nobody', async () => {
    const taskId = await makeTask(app(), { permissions: [] });
    const first = await end(taskId, 'boom');
    await end(taskId, 'boom');
    const { id } = await only(taskId);
    assert.deepEqual(await toldOf(taskId), [[first, id, 1]]);
    await forget();
    const resolved = await tasks().update_error(id, { state: 'resolved' });
    assert.deepEqual([resolved.state, resolved.resolved_in_version], ['resolved', 1]);
    await end(taskId, 'boom');
    assert.equal((await only(taskId)).state, 'resolved', 'the version in which it was resolved may still have it');
    await addVersion(taskId);
    const back = await end(taskId, 'boom');
    await end(taskId, 'boom');
    const returned = await only(taskId);
    assert.deepEqual([returned.state, returned.resolved_in_version, returned.count], ['open', null, 5]);
    assert.ok(returned.returned_at !== null && returned.returned_at <= returned.last_seen_at);
    assert.deepEqual(
      returned.versions.map(({ version, count }) => [version, count]),
      [
        [2, 2],
        [1, 3],
      ],
    );
    assert.deepEqual((await toldOf(taskId))[0], [back, id, 1]);
    await forget();
    await tasks().update_error(id, { state: 'ignored' });
    await addVersion(taskId);
    await end(taskId, 'boom');
    assert.deepEqual([(await only(taskId)).state, (await toldOf(taskId)).length], ['ignored', 2]);
    const events = await app().client.audit_log.list({ resource_type: 'task_error', resource_id: id });
    assert.deepEqual(
      events.data.map(({ changes }) => changes?.['state']),
      [
        ['open', 'ignored'],
        ['open', 'resolved'],
      ],
    );
  });

  test('RE2: a change needs the state that was read, and another end in between does not hinder it', async () => {
    const taskId = await makeTask(app(), { permissions: [] });
    await end(taskId, 'boom');
    const { id } = await only(taskId);
    const path = `/admin/api/errors/${id}`;
    const read = await app().request({ path });
    const etag = String(read.headers['etag']);
    await end(taskId, 'boom');
    assert.equal((await app().request({ path, headers: { 'if-none-match': etag } })).status, 200, 'its count is shown, so it has changed');
    const patch = (body: object) => app().request({ method: 'PATCH', path, body, headers: { 'if-match': etag } });
    assert.equal((await patch({ state: 'ignored' })).status, 200);
    assert.equal((await patch({ state: 'open' })).status, 412);
    await refused(tasks().update_error(id, { state: 'resolved', resolved_in_version: 7 }), 422, 'version_not_found');
    await refused(tasks().update_error(id, { state: 'open', resolved_in_version: 1 }), 422, 'invalid_value');
    await refused(tasks().get_error(9_999_999), 404, 'not_found');
    const { token } = await person(app(), { permissions: ['admin_api.ai_tasks.read'] });
    assert.equal(codeOf(await app().request({ method: 'PATCH', path, body: { state: 'open' }, token }))[0], 403);
  });

  test('RU16: who may not read what the script could gets no message, and no search finds it', async () => {
    const taskId = await makeTask(app(), { permissions: ['admin_api.customers.read'] });
    await end(taskId, 'Jane Doe has no address');
    const { id } = await only(taskId);
    const { token } = await person(app(), { permissions: ['admin_api.ai_tasks.read'] });
    const client = app().clientFor(token).ai_tasks;
    const shown = await client.get_error(id);
    assert.deepEqual([shown.message, shown.error_message, shown.withheld], [null, null, ['admin_api.customers.read']]);
    const [inList] = (await client.list_errors({ task_id: taskId })).data;
    assert.equal(JSON.stringify(inList).includes('Jane'), false);
    assert.deepEqual(await client.list_errors({ task_id: taskId, q: 'jane', limit: 1 }), { data: [], next_cursor: null });
    assert.deepEqual(
      (await tasks().list_errors({ task_id: taskId, q: 'JANE' })).data.map((one) => one.id),
      [id],
    );
  });

  test('the list goes by the last end, page by page, by state, version and text', async () => {
    const taskId = await makeTask(app(), { permissions: [] });
    for (const message of ['late', 'early', 'lately lost']) await end(taskId, message);
    const page = await tasks().list_errors({ task_id: taskId, limit: 2 });
    const rest = await tasks().list_errors({ task_id: taskId, limit: 2, cursor: page.next_cursor ?? '' });
    const said = (errors: typeof page) => errors.data.map(({ message }) => message);
    assert.deepEqual([said(page), said(rest), rest.next_cursor], [['lately lost', 'early'], ['late'], null]);
    await end(taskId, 'late');
    assert.deepEqual(said(await tasks().list_errors({ task_id: taskId, q: 'LATE', limit: 1 })), ['late']);
    const first = await tasks().list_errors({ task_id: taskId, q: 'late', limit: 1 });
    assert.deepEqual(said(await tasks().list_errors({ task_id: taskId, q: 'late', limit: 1, cursor: first.next_cursor ?? '' })), [
      'lately lost',
    ]);
    const { version_id } = await addVersion(taskId);
    assert.deepEqual(said(await tasks().list_errors({ version_id })), []);
    await end(taskId, 'early');
    assert.deepEqual(said(await tasks().list_errors({ version_id })), ['early']);
    assert.deepEqual(said(await tasks().list_errors({ task_id: taskId, version: 2 })), ['early']);
    assert.deepEqual(said(await tasks().list_errors({ task_id: taskId, version: 3 })), []);
    await tasks().update_error((await tasks().list_errors({ version_id })).data[0]?.id ?? 0, { state: 'ignored' });
    assert.deepEqual(said(await tasks().list_errors({ task_id: taskId, state: 'open' })), ['late', 'lately lost']);
  });

  test('RU9: an error goes with its last run', async () => {
    const taskId = await makeTask(app(), { permissions: [] });
    await end(taskId, 'boom');
    const { id } = await only(taskId);
    await sweepOld(app().store, Date.now() + 89 * 86_400_000);
    assert.equal((await tasks().get_error(id)).count, 1);
    await sweepOld(app().store, Date.now() + 92 * 86_400_000);
    await refused(tasks().get_error(id), 404, 'not_found');
    await end(taskId, 'boom');
    const anew = await only(taskId);
    assert.deepEqual([anew.count, anew.days.map(({ count }) => count)], [1, [1]]);
  });
});
