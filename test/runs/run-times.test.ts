import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sweepOld } from '../../server/background/retention.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { type ClaimedRun, claimedRun, claimRun, emptyQueue, makeTask, openRun } from '../helpers/runs.ts';

const DAY_MS = 86_400_000;

onBothStores('times of a run’s lines, calls and checkpoints', (app) => {
  let runner: InProcessRunner | undefined;
  after(() => runner?.close());
  const tasks = () => app().client.ai_tasks;
  const linesOf = async ({ taskId, runId }: { taskId: number; runId: number }, query = {}) => tasks().list_run_lines(taskId, runId, query);
  const callsOf = async ({ taskId, runId }: { taskId: number; runId: number }, query = {}) => tasks().list_calls(taskId, runId, query);
  const call = (path: string, more = {}) => ({ kind: 'admin_api', method: 'GET', path, status: 200, ...more });
  const isTime = (text: string): boolean => new Date(text).toISOString() === text;

  /** Reports as a runner does whose clock shows `clock_ms`. */
  async function reportAt({ path, claim }: ClaimedRun, clock_ms: number, events: readonly unknown[]): Promise<void> {
    const answer = await app().request({ method: 'PATCH', path, token: claim.report_token, body: { events, clock_ms } });
    assert.equal(answer.status, 204, answer.text);
  }

  test('each line has its number, time and event; a line that reports a call has the number of the call', async () => {
    const run = await openRun(app(), { executor: 'external' });
    const events = [
      { kind: 'log', line: 'a\nb\u2028"c"\u0000' },
      call('/orders?status=pending'),
      { kind: 'progress', current: 1, total: 3, label: '' },
      { kind: 'result', status: 'ok', item: 'order 1', details: { n: [1, { deep: null }] } },
      call('/orders/1', { method: 'PATCH', status: 204 }),
    ];
    await tasks().append_run_events(run.taskId, run.runId, { events: events.slice(0, 3) as never });
    await tasks().append_run_events(run.taskId, run.runId, { events: events.slice(3) as never });
    const { lines, last_seq } = await linesOf(run);
    assert.equal(last_seq, 5);
    assert.deepEqual(
      lines.map(({ seq, event }) => [seq, event]),
      events.map((event, n) => [n + 1, event]),
    );
    assert.deepEqual(
      lines.map((line) => [line.call, line.duration_ms]),
      [1, 2, 3, 4, 5].map((seq) => [{ 2: 1, 5: 2 }[seq] ?? null, null]),
    );
    const times = lines.map(({ at }) => at);
    assert.ok(times.every(isTime));
    assert.deepEqual(times, times.toSorted());
    assert.ok(times[0] === times[2] && (times[2] ?? '') <= (times[3] ?? ''), 'lines of one report were stored at one time');
  });

  test('lines and calls are read on from a number, at most as many as asked for', async () => {
    const run = await openRun(app(), { executor: 'external' });
    const events = Array.from({ length: 7 }, (_, n) => (n % 2 === 0 ? { kind: 'log' as const, line: `${n}` } : call(`/orders/${n}`)));
    await tasks().append_run_events(run.taskId, run.runId, { events: events as never });
    const seqs = async (query: object) => (await linesOf(run, query)).lines.map(({ seq }) => seq);
    assert.deepEqual(await seqs({ after: 2, limit: 3 }), [3, 4, 5]);
    assert.deepEqual(await seqs({ after: 7 }), []);
    assert.equal((await linesOf(run, { after: 7 })).last_seq, 7);
    const calls = await callsOf(run, { after: 1, limit: 1 });
    assert.deepEqual(
      calls.map((one) => [one.call, one.path, one.log_seq]),
      [[2, '/orders/3', 4]],
    );
    assert.deepEqual(await callsOf(run, { after: 3 }), []);
    for (const query of ['lines?limit=0', 'lines?limit=1001', 'lines?after=-1', 'calls?limit=1001', 'checkpoints?limit=0'])
      assert.equal((await app().request({ path: `${run.path}/${query}` })).status, 422, query);
  });

  test('what the runner measured of a call is in the list of calls, and the log holds only the event', async () => {
    const run = await claimedRun(app());
    await reportAt(run, 5_000_400, [
      { kind: 'log', line: 'begin' },
      call('/orders', { began_ms: 5_000_150, duration_ms: 200, epoch: 0 }),
      call('/orders/1', { began_ms: 5_000_360, duration_ms: 30, epoch: 0 }),
    ]);
    await reportAt(run, 5_001_000, [call('/orders/2', { began_ms: 5_000_900, duration_ms: 100, epoch: 1 }), call('/orders/3')]);
    const { log } = await tasks().get_run(run.taskId, run.runId);
    const shown = (path: string) => JSON.stringify(call(path));
    assert.deepEqual(log.split('\n'), ['{"kind":"log","line":"begin"}', ...['', '/1', '/2', '/3'].map((end) => shown(`/orders${end}`))]);
    const [, one, two, three, four] = (await linesOf(run)).lines;
    assert.ok(one && two && three && four);
    const startedMs = Date.parse((await tasks().get_run(run.taskId, run.runId)).started_at);
    const sent = (at: string, ms: number) => new Date(Math.max(Date.parse(at) - ms, startedMs)).toISOString();
    const row = { method: 'GET', status: 200, request: null };
    assert.deepEqual(await callsOf(run), [
      { call: 1, ...row, path: '/orders', at: sent(one.at, 250), duration_ms: 200, epoch: 0, log_seq: 2 },
      { call: 2, ...row, path: '/orders/1', at: sent(two.at, 40), duration_ms: 30, epoch: 0, log_seq: 3 },
      { call: 3, ...row, path: '/orders/2', at: sent(three.at, 100), duration_ms: 100, epoch: 1, log_seq: 4 },
      { call: 4, ...row, path: '/orders/3', at: four.at, duration_ms: null, epoch: null, log_seq: 5 },
    ]);
    assert.deepEqual([one.duration_ms, four.duration_ms], [200, null]);
  });

  test('no call was sent before its run started, or after its report, whatever the clock of the runner shows', async () => {
    const run = await claimedRun(app());
    const { started_at } = await tasks().get_run(run.taskId, run.runId);
    await reportAt(run, 9_000_000_000_000_000, [call('/a', { began_ms: 0, duration_ms: 1, epoch: 0 })]);
    await reportAt(run, 1000, [call('/b', { began_ms: 2000, duration_ms: 1, epoch: 0 })]);
    const [, late] = (await linesOf(run)).lines;
    assert.deepEqual(
      (await callsOf(run)).map(({ at }) => at),
      [started_at, late?.at],
    );
    const bad = [call('/c', { began_ms: -1 }), call('/c', { duration_ms: 0.5 }), call('/c', { epoch: 'x' })];
    for (const event of bad) assert.equal((await run.report([event])).status, 422, JSON.stringify(event));
  });

  test('the calls of a script have the times that the runner measured', async () => {
    await emptyQueue(app());
    const { id } = await makeCustomer(app());
    const source = `import { admin, checkpoint } from 'backroom';
      export default async () => {
        await admin.customers.create_note(${id}, { body: 'one' });
        await checkpoint({ n: 1 });
        await admin.orders.list();
      };`;
    const run = await openRun(app(), {}, await makeTask(app(), { source_code: source }));
    runner = openInProcessRunner(app());
    const ended = await runner.finish(run.taskId, run.runId);
    assert.equal(ended.status, 'success', ended.error_message ?? '');
    const calls = await callsOf(run);
    assert.deepEqual(
      calls.map(({ call, method, path, status, epoch, log_seq }) => [call, method, path, status, epoch, log_seq]),
      [
        [1, 'POST', `/customers/${id}/notes`, 201, 0, 1],
        [2, 'GET', '/orders', 200, 1, 2],
      ],
    );
    for (const { at, duration_ms } of calls) {
      assert.ok(at >= ended.started_at && at <= (ended.finished_at ?? ''), at);
      assert.ok(duration_ms !== null && duration_ms >= 0);
    }
    const [effect] = await tasks().list_effects(run.taskId, run.runId);
    assert.deepEqual([effect?.path, effect?.status], [calls[0]?.path, calls[0]?.status]);
    assert.equal(
      ended.log,
      calls.map(({ method, path, status }) => JSON.stringify({ kind: 'admin_api', method, path, status })).join('\n'),
    );
  });

  test('the numbers of calls go on in a later attempt, and a plan that was applied has calls too', async () => {
    const taskId = await makeTask(app(), { permissions: ['admin_api.customers.write'] }, { on_interrupt: 'resume' });
    const first = await claimedRun(app(), {}, taskId);
    await first.report([call('/one'), { kind: 'finalize', status: 'interrupted', end_reason: 'lost_worker' }]);
    const second = { ...first, ...(await claimRun(app(), first)) };
    await second.report([call('/two')]);
    assert.deepEqual(
      (await callsOf(first)).map(({ call, path, log_seq }) => [call, path, log_seq]),
      [
        [1, '/one', 1],
        [2, '/two', 3],
      ],
    );
    await second.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);

    const { id } = await makeCustomer(app());
    const dry = await claimedRun(app(), { dry_run: true }, taskId);
    assert.equal((await dry.call('POST', `/customers/${id}/notes`, { body: 'x' })).status, 201);
    await dry.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    const { run_id } = await tasks().apply_run(taskId, dry.runId);
    const [made, ...others] = await callsOf({ taskId, runId: run_id });
    assert.deepEqual([made?.call, made?.path, made?.status, made?.log_seq, others], [1, `/customers/${id}/notes`, 201, 2, []]);
  });

  test('checkpoints are listed with time, size, run and attempt, for a run and those that it continues', async () => {
    const taskId = await makeTask(app());
    const first = await claimedRun(app(), {}, taskId);
    await first.report([{ kind: 'checkpoint', state: { n: 1 }, epoch: 0 }]);
    await first.report([
      { kind: 'checkpoint', state: { n: 'ü' }, epoch: 1 },
      { kind: 'finalize', status: 'interrupted', end_reason: 'budget' },
    ]);
    const second = await claimedRun(app(), { resume_run_id: first.runId }, taskId);
    const list = (runId: number, query = {}) => tasks().list_checkpoints(taskId, runId, query);
    const own = (runId: number) => ({ attempt: 1, run_id: runId, kept: true, effects_after: 0 });
    const shown = async (runId: number, query = {}) =>
      (await list(runId, query)).map(({ at, ...rest }) => {
        assert.ok(isTime(at));
        return rest;
      });
    const expected = [
      { epoch: 1, bytes: 7, ...own(first.runId) },
      { epoch: 2, bytes: 10, ...own(first.runId) },
    ];
    assert.deepEqual(await shown(second.runId), expected);
    await second.report([{ kind: 'checkpoint', state: {}, epoch: 2 }]);
    await second.report([{ kind: 'checkpoint', state: {}, epoch: 2 }]);
    assert.deepEqual(await shown(second.runId), [...expected, { epoch: 3, bytes: 2, ...own(second.runId) }], 'a repeat is no checkpoint');
    assert.deepEqual(await shown(first.runId), expected, 'a run does not show those of the run that continues it');
    assert.deepEqual(await shown(second.runId, { after: 1, limit: 1 }), expected.slice(1));

    await second.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await sweepOld(app().store, Date.now() + 91 * DAY_MS);
    const { n } = await app()
      .store.reader.selectFrom('run_checkpoints')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('run_id', 'in', [first.runId, second.runId])
      .executeTakeFirstOrThrow();
    assert.equal(Number(n), 0, 'they are deleted with their runs');
  });
});
