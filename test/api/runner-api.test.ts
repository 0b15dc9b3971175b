import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { CLAIM_CONFIRM_SECONDS, LEASE_SECONDS, onBothStores, RUNNER_TOKEN, startApp } from '../helpers/app.ts';
import { claim, claimedRun, claimRun, codeOf, emptyQueue, lapse, makeTask, openRun } from '../helpers/runs.ts';
import { endAllClaims, leaveOfLease } from '../helpers/stored-rows/runs.ts';

onBothStores('runner API', (app) => {
  const tasks = () => app().client.ai_tasks;
  const post = (body: unknown) => app().request({ method: 'POST', path: '/admin/api/runner/claims', body, token: RUNNER_TOKEN });
  const runner = { name: 'r', version: '1', isolation: [] };

  test('RN1: a claim has everything that a runner needs for the run', async () => {
    const taskId = await makeTask(
      app(),
      { source_code: 'log(1)', permissions: ['llm'], parameters: [{ name: 'n', kind: 'number', default: 3 }] },
      { limits: { cpu_seconds: 5 } },
    );
    const run = await claimedRun(app(), { parameters: { x: true } }, taskId);
    const { run: about, version, parameters, checkpoint, epoch, limits, lease_seconds, seed, now } = run.claim;
    assert.deepEqual(about, { id: run.runId, task_id: taskId, dry_run: false, attempt: 1, record: false, replay: false });
    assert.deepEqual([version.version, version.source_code, version.permissions], [1, 'log(1)', ['llm']]);
    assert.deepEqual(parameters, { x: true, n: 3 });
    assert.deepEqual([checkpoint, epoch, limits.cpu_seconds, limits.host_calls, lease_seconds], [null, 0, 5, 10_000, LEASE_SECONDS]);
    assert.match(seed, /^[0-9a-f]{64}$/);
    assert.ok(Date.parse(now) <= Date.now());
    const shown = await tasks().get_run(taskId, run.runId);
    assert.deepEqual([shown.claimed_by, shown.isolation, shown.waiting_reason], ['runner-1', ['process'], null]);
    assert.ok(shown.claimed_at);
  });

  test('RN1: the fields of a claim request are validated', async () => {
    for (const body of [
      {},
      { runner, slots: 0, wait_ms: 0 },
      { runner, slots: 65, wait_ms: 0 },
      { runner, slots: 1, wait_ms: 30_001 },
      { runner: { ...runner, name: '' }, slots: 1, wait_ms: 0 },
      { runner: { ...runner, name: 'a\u0000' }, slots: 1, wait_ms: 0 },
      { runner: { ...runner, version: '\u0000' }, slots: 1, wait_ms: 0 },
    ]) {
      assert.equal((await post(body)).status, 422, JSON.stringify(body));
    }
  });

  test('RN1: runs are claimed by priority, then age, and no more than the slots', async () => {
    await emptyQueue(app());
    const ids: number[] = [];
    for (const priority of [0, 5, 0, -1, 5]) ids.push((await openRun(app(), { priority })).runId);
    const order = [1, 4, 0, 2, 3].map((i) => ids[i]);
    assert.deepEqual(
      (await claim(app(), { slots: 2 })).map(({ run }) => run.id),
      order.slice(0, 2),
    );
    assert.deepEqual(
      (await claim(app(), { slots: 64 })).map(({ run }) => run.id),
      order.slice(2),
    );
    assert.deepEqual(await claim(app()), []);
  });

  test('RN1: runners that claim at the same time get different runs', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app());
    await Promise.all(Array.from({ length: 30 }, () => openRun(app(), {}, taskId)));
    const rounds = await Promise.all(Array.from({ length: 12 }, (_, i) => claim(app(), { name: `runner-${i}`, slots: 3 })));
    const first = rounds.flat().map(({ run }) => run.id);
    const rest = (await claim(app(), { slots: 64 })).map(({ run }) => run.id);
    assert.equal(new Set([...first, ...rest]).size, 30);
    assert.equal(first.length + rest.length, 30);
  });

  test('RN1: a waiting runner is answered when a run opens, and with no claims after wait_ms', async () => {
    await emptyQueue(app());
    assert.deepEqual(await claim(app(), { wait_ms: 20 }), []);
    const waiting = claim(app(), { wait_ms: 20_000 });
    const { runId } = await openRun(app());
    assert.deepEqual(
      (await waiting).map(({ run }) => run.id),
      [runId],
    );
  });

  test('Recovery: a run whose claim was never confirmed is offered again as the same attempt', async () => {
    await emptyQueue(app());
    const run = await openRun(app());
    const [first] = await claim(app());
    const { rows } = await sql<{
      left: number;
    }>`SELECT lease_until - ${app().store.dialect.nowMs} AS left FROM run_claims WHERE run_id = ${run.runId}`.execute(app().store.reader);
    const leftMs = Number(rows[0]?.left);
    assert.ok(leftMs <= CLAIM_CONFIRM_SECONDS * 1000 && leftMs > 0, `${leftMs} ms`);
    await lapse(app(), run, 'unconfirmed');
    const again = await claimRun(app(), run, { name: 'runner-2' });
    assert.equal(again.claim.run.attempt, 1);
    assert.equal((await tasks().get_run(run.taskId, run.runId)).log, '');
    assert.deepEqual(
      codeOf(await app().request({ method: 'PATCH', path: run.path, body: { events: [] }, token: first?.report_token ?? '' })),
      [409, 'run_fenced'],
    );
  });

  test('Recovery: when the lease ends the run is interrupted as lost_runner', async () => {
    const run = await claimedRun(app());
    await run.report([{ kind: 'checkpoint', state: { n: 1 }, epoch: 0 }]);
    await lapse(app(), run);
    const lost = await tasks().get_run(run.taskId, run.runId);
    assert.deepEqual([lost.status, lost.end_reason, lost.last_checkpoint], ['interrupted', 'lost_runner', '{"n":1}']);
    assert.ok(lost.finished_at && lost.error_message);
    assert.deepEqual(codeOf(await run.report([{ kind: 'log', line: 'late' }])), [409, 'run_fenced']);
    assert.equal((await tasks().get_run(run.taskId, run.runId)).log, '');
  });

  test('Recovery: with on_interrupt resume the run is offered again up to max_attempts times, with a line in its log', async () => {
    const taskId = await makeTask(app(), {}, { on_interrupt: 'resume', max_attempts: 3 });
    const first = await claimedRun(app(), {}, taskId);
    await first.report([
      { kind: 'checkpoint', state: { n: 1 }, epoch: 0 },
      { kind: 'log', line: 'one' },
    ]);
    await lapse(app(), first);
    const second = await claimRun(app(), first, { name: 'runner-2' });
    assert.deepEqual(
      [second.claim.run.attempt, second.claim.checkpoint, second.claim.epoch, second.claim.lineage_id],
      [2, { n: 1 }, 1, first.claim.lineage_id],
    );
    assert.notEqual(second.claim.token, first.claim.token);
    await second.report([{ kind: 'finalize', status: 'interrupted', end_reason: 'drained' }]);
    const third = await claimRun(app(), first);
    assert.equal(third.claim.run.attempt, 3);
    await lapse(app(), first);
    const end = await tasks().get_run(taskId, first.runId);
    assert.deepEqual([end.status, end.end_reason, end.attempt], ['interrupted', 'lost_runner', 3]);
    assert.deepEqual(
      end.log.split('\n').map((line) => JSON.parse(line).line),
      ['one', 'attempt 2 from checkpoint 1', 'attempt 3 from checkpoint 1'],
    );
  });

  test('C5: once a runner has reported, a client cannot take the run over, not even between attempts', async () => {
    const taskId = await makeTask(app(), {}, { on_interrupt: 'resume' });
    const first = await claimedRun(app(), {}, taskId);
    await first.report([{ kind: 'log', line: 'one' }]);
    await lapse(app(), first);
    const steal = () => app().request({ method: 'PATCH', path: first.path, body: { events: [{ kind: 'log', line: 'mine' }] } });
    assert.deepEqual(codeOf(await steal()), [409, 'run_claimed']);
    const second = await claimRun(app(), first);
    assert.deepEqual(codeOf(await steal()), [409, 'run_claimed'], 'also before the second attempt has reported');
    assert.equal((await second.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: { n: 1 } }])).status, 204);
    const { status, end_reason, result } = await tasks().get_run(taskId, first.runId);
    assert.deepEqual([status, end_reason, result], ['success', 'completed', { n: 1 }]);
  });

  test('RU14: a result over 64 KiB is stored as null', async () => {
    const run = await claimedRun(app());
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', result: 'x'.repeat(64 * 1024) }]);
    assert.equal((await tasks().get_run(run.taskId, run.runId)).result, null);
  });

  test('JO8: a finalize may be repeated with its key if its answer was lost', async () => {
    const run = await claimedRun(app());
    const end = () => run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }], 'last-batch');
    assert.equal((await end()).status, 204);
    const again = await end();
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [204, 'true']);
    assert.deepEqual(codeOf(await run.report([{ kind: 'finalize', status: 'failed' }], 'another')), [409, 'run_fenced']);
  });

  test('Recovery: every PATCH, even an empty one, renews the lease by the database’s clock', async () => {
    const run = await claimedRun(app());
    const leaseMs = async () =>
      Number(
        (
          await sql<{
            left: number;
          }>`SELECT lease_until - ${app().store.dialect.nowMs} AS left FROM run_claims WHERE run_id = ${run.runId} AND ended_at IS NULL`.execute(
            app().store.reader,
          )
        ).rows[0]?.left,
      );
    await leaveOfLease(app().store, run.runId, 300_000);
    assert.ok((await leaseMs()) < 301_000);
    await run.report([]);
    assert.ok((await leaseMs()) > 500_000);
  });

  test('Recovery: a server that starts extends all leases by one period', async () => {
    const run = await claimedRun(app());
    await leaveOfLease(app().store, run.runId, 100_000);
    const second = await startApp(app().engine, { databaseUrl: app().databaseUrl });
    try {
      const { rows } = await sql<{
        left: number;
      }>`SELECT lease_until - ${app().store.dialect.nowMs} AS left FROM run_claims WHERE run_id = ${run.runId}`.execute(app().store.reader);
      assert.ok(Number(rows[0]?.left) > 500_000);
      assert.equal((await run.report([])).status, 204);
    } finally {
      await second.close();
    }
  });

  test('Concurrency: with `queue` runs wait at the limit of their key, across all runners', async () => {
    await emptyQueue(app());
    const limited = await makeTask(app(), {}, { concurrency: { limit: 2, key: 'shop' } });
    for (let i = 0; i < 4; i++) await openRun(app(), { parameters: { shop: 'a' } }, limited);
    await openRun(app(), { parameters: { shop: 'b' } }, limited);
    const rounds = await Promise.all(Array.from({ length: 4 }, (_, i) => claim(app(), { name: `runner-${i}`, slots: 8 })));
    assert.deepEqual(
      rounds
        .flat()
        .map(({ parameters }) => parameters['shop'])
        .sort(),
      ['a', 'a', 'b'],
    );
    const [one] = rounds.flat().filter(({ parameters }) => parameters['shop'] === 'a');
    await tasks().cancel_run(limited, one?.run.id ?? 0);
    assert.equal((await claim(app(), { slots: 8 })).length, 1, 'a place is free');
  });

  test('Concurrency: a long queue at its limit does not block runs of other tasks', async () => {
    await emptyQueue(app());
    const limited = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    for (let i = 0; i < 70; i++) await openRun(app(), {}, limited);
    const other = await openRun(app());
    assert.deepEqual((await claim(app(), { slots: 4 })).map(({ run }) => run.task_id).sort(), [limited, other.taskId].sort());
  });

  test('RN3: the status shows runners with load and isolation layers, and the queue', async () => {
    await emptyQueue(app());
    await endAllClaims(app().store);
    await claimedRun(app());
    await openRun(app());
    const status = await app().client.runner.status();
    const one = status.runners.find(({ name }) => name === 'runner-1');
    assert.deepEqual([one?.version, one?.isolation, one?.slots, one?.running], ['1', ['process'], 1, 1]);
    assert.ok(Math.abs(Date.parse(one?.last_seen_at ?? '') - Date.now()) < 60_000);
    assert.equal(status.queue_depth, 1);
    assert.ok(status.oldest_queued_seconds !== null && status.oldest_queued_seconds >= 0);
  });
});
