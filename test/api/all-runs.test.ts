import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../contract/errors.ts';
import { WaitingReason } from '../../contract/runs.ts';
import { callFingerprint } from '../../runner/call-key.ts';
import { onBothStores } from '../helpers/app.ts';
import { claimedRun, claimRun, emptyQueue, makeTask, openRun } from '../helpers/runs.ts';
import { forgetRunners, storeStart } from '../helpers/stored-rows/runs.ts';

onBothStores('runs of all tasks', (app) => {
  const tasks = () => app().client.ai_tasks;
  type Query = NonNullable<Parameters<ReturnType<typeof tasks>['list_all_runs']>[0]>;
  const idsOf = async (query: Query) => (await tasks().list_all_runs(query)).data.map(({ id }) => id);
  const external = { executor: 'external' } as const;

  test('a row is the run without log and checkpoint, with the name of the task and the number of the version', async () => {
    const taskId = await makeTask(app(), { name: 'Cancel unpaid orders' });
    await tasks().create_version(taskId, { source_code: 'log(2)', permissions: [], parameters: [] });
    const run = await openRun(app(), external, taskId);
    await tasks().append_run_events(taskId, run.runId, {
      events: [
        { kind: 'log', line: 'x' },
        { kind: 'checkpoint', state: { n: 1 } },
      ],
    });
    const [row] = (await tasks().list_all_runs({ task_id: taskId })).data;
    const { log, last_checkpoint, details, ...rest } = await tasks().get_run(taskId, run.runId);
    assert.deepEqual([log, last_checkpoint, details], ['{"kind":"log","line":"x"}', '{"n":1}', null]);
    assert.deepEqual(row, rest);
    assert.deepEqual([row?.task_name, row?.version, row?.applied_by_run_id], ['Cancel unpaid orders', 2, null]);
    assert.deepEqual((await tasks().list_runs(taskId))[0], { log, last_checkpoint, ...rest });
  });

  test('a new name of the task changes the ETag of its runs, but not the part that If-Match checks', async () => {
    const run = await openRun(app(), external);
    const read = (headers = {}) => app().request({ path: run.path, headers });
    const before = await read();
    await tasks().update(run.taskId, { name: 'Other' });
    const after = await read({ 'if-none-match': before.headers['etag'] ?? '' });
    assert.equal(after.status, 200);
    assert.ok(after.text.includes('"task_name":"Other"'));
    const rowPart = (etag = '') => etag.replace(/\.[^."]+"$/, '"');
    assert.equal(rowPart(after.headers['etag']), rowPart(before.headers['etag']));
  });

  test('the dry run whose plan was applied names the run that applied it', async () => {
    const taskId = await makeTask(app(), { permissions: ['admin_api.order_statuses.write'] });
    const dry = await claimedRun(app(), { dry_run: true }, taskId);
    assert.equal((await dry.call('POST', '/order-statuses', { name: 'Packed', color: '#112233' })).status, 201);
    await dry.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    assert.equal((await tasks().get_run(taskId, dry.runId)).applied_by_run_id, null);
    const { run_id } = await tasks().apply_run(taskId, dry.runId);
    assert.equal((await tasks().get_run(taskId, dry.runId)).applied_by_run_id, run_id);
    assert.deepEqual(
      (await tasks().list_all_runs({ task_id: taskId })).data.map(({ id, applied_by_run_id }) => [id, applied_by_run_id]),
      [
        [run_id, null],
        [dry.runId, run_id],
      ],
    );
  });

  test('the cursor leads through all runs, newest first, each once; runs that open meanwhile do not move the pages', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await openRun(app(), external)).runId);
    // Of runs that started in the same moment the one with the higher id comes first.
    await storeStart(app().store, ids.slice(0, 4), '2026-03-01T10:00:00.000Z');
    await storeStart(app().store, ids.slice(4), '2026-03-01T10:00:01.000Z');
    const march = { from: '2026-03-01', to: '2026-03-01' };
    const expected = [...ids.slice(4), ...ids.slice(0, 4)];
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await tasks().list_all_runs({ ...march, limit: 2, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
      await storeStart(app().store, [(await openRun(app(), external)).runId], '2026-03-01T11:00:00.000Z');
    } while (cursor !== undefined);
    assert.deepEqual(seen, expected);
    assert.equal((await idsOf(march)).length, 8);
  });

  test('from and to are days in the time zone of the shop', async () => {
    await app().client.settings.update({ timezone: 'Europe/Budapest' });
    const { runId } = await openRun(app(), external);
    await storeStart(app().store, [runId], '2026-07-01T22:30:00.000Z');
    assert.deepEqual(await idsOf({ from: '2026-07-02', to: '2026-07-02' }), [runId]);
    assert.deepEqual(await idsOf({ from: '2026-07-01', to: '2026-07-01' }), []);
    assert.deepEqual(await idsOf({ from: '2026-07-02', to: '2026-07-31' }), [runId]);
  });

  test('task, status and dry_run filter the list, alone and together', async () => {
    const [one, two] = [await makeTask(app()), await makeTask(app())];
    await emptyQueue(app());
    const live = await openRun(app(), external, one);
    const dry = await openRun(app(), { dry_run: true }, one);
    const other = await openRun(app(), { dry_run: true }, two);
    await tasks().cancel_run(one, dry.runId);
    assert.deepEqual(await idsOf({ task_id: one }), [dry.runId, live.runId]);
    assert.deepEqual(await idsOf({ task_id: one, dry_run: true }), [dry.runId]);
    assert.deepEqual(await idsOf({ task_id: one, dry_run: false }), [live.runId]);
    assert.deepEqual(await idsOf({ task_id: one, status: 'running' }), [live.runId]);
    assert.deepEqual(await idsOf({ status: 'running', dry_run: true }), [other.runId]);
    assert.deepEqual(await idsOf({ task_id: one, status: 'cancelled', dry_run: false }), []);
    assert.deepEqual(await idsOf({ status: 'unheard_of' }), []);
    const all = await tasks().list_all_runs({ limit: 100 });
    assert.ok(all.data.length > 3 && all.next_cursor === null);
    assert.deepEqual(
      await idsOf({ status: 'cancelled', limit: 100 }),
      all.data.filter(({ status }) => status === 'cancelled').map(({ id }) => id),
    );
    assert.deepEqual(
      await idsOf({ dry_run: true, limit: 100 }),
      all.data.filter(({ dry_run }) => dry_run).map(({ id }) => id),
    );
  });

  test('run_id finds one run of any task, together with other filters only where they hold for it', async () => {
    const taskId = await makeTask(app(), { name: 'Stock report' });
    const { runId } = await openRun(app(), external, taskId);
    const other = await openRun(app(), external);
    const { data, next_cursor } = await tasks().list_all_runs({ run_id: runId });
    assert.deepEqual(
      data.map(({ id, task_id, task_name }) => [id, task_id, task_name]),
      [[runId, taskId, 'Stock report']],
    );
    assert.equal(next_cursor, null);
    assert.deepEqual(await idsOf({ run_id: runId, task_id: other.taskId }), []);
    assert.deepEqual(await idsOf({ run_id: runId, status: 'running', dry_run: false }), [runId]);
    assert.deepEqual(await idsOf({ run_id: other.runId + 1000 }), []);
  });

  test('waiting_reason finds the open runs that show this reason', async () => {
    const shown = async () => {
      const { data } = await tasks().list_all_runs({ limit: 100 });
      for (const reason of WaitingReason.options) {
        const expected = data.filter((run) => run.waiting_reason === reason).map(({ id }) => id);
        assert.deepEqual(await idsOf({ waiting_reason: reason, limit: 100 }), expected, reason);
      }
      return new Map(data.map(({ id, waiting_reason }) => [id, waiting_reason]));
    };
    await forgetRunners(app().store);
    await emptyQueue(app());
    const limited = await makeTask(app(), {}, { concurrency: { limit: 1, key: 'shelf' } });
    const open = (shelf: string) => openRun(app(), { parameters: { shelf } }, limited);
    const [first, second, elsewhere] = [await open('a'), await open('a'), await open('b')];
    const free = await openRun(app());
    const reasons = async () => {
      const all = await shown();
      return [first, second, elsewhere, free].map(({ runId }) => all.get(runId));
    };
    assert.deepEqual(await reasons(), ['no_runner', 'no_runner', 'no_runner', 'no_runner']);
    await claimRun(app(), first);
    assert.deepEqual(await reasons(), [null, 'concurrency', 'runners_busy', 'runners_busy']);
    assert.deepEqual(await idsOf({ waiting_reason: 'runners_busy', task_id: limited }), [elsewhere.runId]);
    assert.deepEqual(await idsOf({ waiting_reason: 'concurrency', status: 'success' }), []);

    const asking = await claimedRun(app(), {}, await makeTask(app(), { permissions: ['prompt_input'] }));
    const question = { label: 'Go on?', fields: [{ name: 'sure', kind: 'boolean' }] };
    const asked = await app().request({
      method: 'POST',
      path: `/admin/api/runner/runs/${asking.runId}/prompts`,
      token: asking.claim.report_token,
      body: { key: `0/${callFingerprint('PROMPT', '/prompts', question)}/0`, ...question },
    });
    assert.equal(asked.status, 200, asked.text);
    assert.equal((await shown()).get(asking.runId), 'prompt');
    assert.deepEqual(await idsOf({ waiting_reason: 'prompt' }), [asking.runId]);
    const { tasks: listed } = await tasks().list();
    const waits = listed.map(({ id, open_runs, asking_runs, last_run_asks }) => [id, open_runs, asking_runs, last_run_asks]);
    assert.deepEqual(
      waits.filter(([, , count, asks]) => count || asks),
      [[asking.taskId, 1, 1, true]],
    );
  });

  test('a query that cannot be meant is refused with the name of its parameter', async () => {
    const bad: [string, string, string][] = [
      ['limit=0', 'limit', 'out_of_range'],
      ['limit=101', 'limit', 'out_of_range'],
      ['dry_run=maybe', 'dry_run', 'invalid_type'],
      ['waiting_reason=bored', 'waiting_reason', 'invalid_enum'],
      ['from=2026-02-30', 'from', 'invalid_date'],
      ['run_id=x', 'run_id', 'invalid_type'],
      ['run_id=0', 'run_id', 'out_of_range'],
      ['task_id=x', 'task_id', 'invalid_type'],
      ['cursor=x', 'cursor', 'invalid_value'],
    ];
    for (const [query, parameter, code] of bad) {
      const answer = await app().request({ path: `/admin/api/runs?${query}` });
      assert.equal(answer.status, 422, answer.text);
      const [error] = Problem.parse(answer.body).errors ?? [];
      assert.deepEqual([error?.parameter, error?.code], [parameter, code], query);
    }
  });

  test('the runs of one task continue before an id', async () => {
    const taskId = await makeTask(app());
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await openRun(app(), external, taskId)).runId);
    const [newest, middle, oldest] = ids;
    const before = async (before_id?: number) => (await tasks().list_runs(taskId, { limit: 2, before_id })).map(({ id }) => id);
    assert.deepEqual(await before(), [newest, middle]);
    assert.deepEqual(await before(middle), [oldest]);
    assert.deepEqual(await before(oldest), []);
  });

  test('a task in the list shows its last run, its open runs, its next time and the version that waits', async () => {
    const taskId = await makeTask(app());
    const row = async () => (await tasks().list({ include_deleted: true })).tasks.find(({ id }) => id === taskId);
    const shown = async () => {
      const { last_run_id, last_run_status, open_runs, next_run_at, pending_version_id } = (await row()) ?? assert.fail();
      return [last_run_id, last_run_status, open_runs, next_run_at, pending_version_id];
    };
    assert.deepEqual(await shown(), [null, null, 0, null, null]);
    await openRun(app(), external, taskId);
    const { runId } = await openRun(app(), external, taskId);
    await tasks().cancel_run(taskId, runId);
    const later = await tasks().create_schedule(taskId, { cron: '0 4 1 1 *' });
    const soon = await tasks().create_schedule(taskId, { cron: '0 4 * * *' });
    const version = { source_code: 'log(2)', permissions: [], parameters: [] };
    await app().client.settings.update({ approval_policy: 'second_admin' });
    await tasks().create_version(taskId, version);
    const { version_id } = await tasks().create_version(taskId, version);
    await app().client.settings.update({ approval_policy: 'author' });
    assert.deepEqual(await shown(), [runId, 'cancelled', 1, soon.next_at, version_id]);
    await tasks().update_schedule(taskId, soon.id, { enabled: false });
    assert.deepEqual((await shown())[3], later.next_at);
    await tasks().delete(taskId);
    assert.deepEqual((await shown())[3], null, 'a deleted task does not start any more');
  });
});
