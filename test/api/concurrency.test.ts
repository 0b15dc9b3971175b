import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../contract/run-events.ts';
import { recoverLapsed } from '../../server/automation/runs/life/recovery.ts';
import { onBothStores, startApp, type TestApp } from '../helpers/app.ts';
import { refused } from '../helpers/refused.ts';
import { claim, claimedRun, claimRun, emptyQueue, makeTask, openRun } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { endAllClaims, letLeasesEnd, letRunnersBeSilent } from '../helpers/stored-rows/runs.ts';

onBothStores('concurrency and recovery over several servers and runners (RU11, RU17)', (app, engine) => {
  const tasks = () => app().client.ai_tasks;
  let servers: readonly [TestApp, TestApp];
  before(async () => {
    // On SQLite both names mean one server, because one process owns the file.
    servers = [app(), engine === 'postgres' ? await startApp(engine, { databaseUrl: app().databaseUrl }) : app()];
  });
  after(async () => {
    if (servers[1] !== servers[0]) await servers[1].close();
  });

  const finish = (from: TestApp, taskId: number, runId: number, token: string) =>
    from.request({
      method: 'PATCH',
      path: `/admin/api/ai-tasks/${taskId}/runs/${runId}`,
      body: { events: [{ kind: 'finalize', status: 'success', end_reason: 'completed' }] },
      token,
    });

  test('runners at two servers keep the limit of each key, get no run twice and finish all runs', async () => {
    await emptyQueue(app());
    const LIMIT = 2;
    const taskId = await makeTask(app(), {}, { concurrency: { limit: LIMIT, key: 'shop' } });
    const keys = ['a', 'b', null];
    const opened = await Promise.all(
      Array.from({ length: 36 }, async (_, n) => {
        const shop = keys[n % keys.length] ?? null;
        const { run_id } = await (servers[n % 2] ?? app()).client.ai_tasks.start_run(taskId, { parameters: shop === null ? {} : { shop } });
        return run_id;
      }),
    );
    const underWay = new Map<unknown, number>();
    const given: number[] = [];
    let most = 0;
    const runner = async (n: number): Promise<void> => {
      const server = servers[n % 2] ?? app();
      while (given.length < opened.length) {
        const claims = await claim(server, { name: `runner-${n}`, slots: 4, wait_ms: 100 });
        for (const { run, parameters } of claims) {
          given.push(run.id);
          const now = (underWay.get(parameters['shop']) ?? 0) + 1;
          underWay.set(parameters['shop'], now);
          most = Math.max(most, now);
        }
        for (const { run, report_token, parameters } of claims) {
          underWay.set(parameters['shop'], (underWay.get(parameters['shop']) ?? 0) - 1);
          assert.equal((await finish(server, taskId, run.id, report_token)).status, 204);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, n) => runner(n)));
    assert.ok(most <= LIMIT, `${most} runs of one key at a time`);
    assert.deepEqual(
      given.toSorted((a, b) => a - b),
      opened.toSorted((a, b) => a - b),
    );
    assert.ok((await tasks().list_runs(taskId)).every(({ status }) => status === 'success'));
  });

  test('a waiting runner gets the next run, by priority then age, as soon as the limit allows it', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    const first = await claimedRun(app(), {}, taskId);
    const [old, urgent] = [await openRun(app(), {}, taskId), await openRun(app(), { priority: 5 }, taskId)];
    assert.deepEqual(
      (await tasks().list_runs(taskId)).map(({ waiting_reason }) => waiting_reason),
      ['concurrency', 'concurrency', null],
    );
    const waiting = claim(servers[1], { wait_ms: 20_000, slots: 4 });
    await first.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    const [next, ...others] = await waiting;
    assert.deepEqual([next?.run.id, others], [urgent.runId, []]);
    assert.equal((await finish(servers[1], taskId, urgent.runId, next?.report_token ?? '')).status, 204);
    assert.deepEqual(
      (await claim(app(), { wait_ms: 20_000 })).map(({ run }) => run.id),
      [old.runId],
    );
  });

  test('a run that a client drives counts towards the limit until it ends', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    const external = await openRun(app(), { executor: 'external' }, taskId);
    const queued = await openRun(app(), {}, taskId);
    assert.deepEqual(await claim(app()), []);
    assert.equal((await tasks().get_run(taskId, queued.runId)).waiting_reason, 'concurrency');
    await tasks().append_run_events(taskId, external.runId, { events: [{ kind: 'finalize', status: 'success', error_message: null }] });
    await claimRun(app(), queued);
  });

  test('a changed limit applies to runs that already wait', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    for (let n = 0; n < 5; n++) await openRun(app(), {}, taskId);
    const all = { slots: 10 };
    assert.equal((await claim(app(), all)).length, 1);
    const change = (limit: number | null) => tasks().update(taskId, { settings: { concurrency: { limit } } });
    await change(3);
    assert.equal((await claim(app(), all)).length, 2);
    await change(1);
    assert.equal((await claim(app(), all)).length, 0);
    await change(null);
    assert.equal((await claim(app(), all)).length, 2);
    await change(2);
    await openRun(app(), {}, taskId);
    assert.equal((await claim(app(), all)).length, 0, 'running runs count, even more of them than the limit');
  });

  test('`skip` keeps the limit of a key when runs start at the same time at two servers', async () => {
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 2, key: 'shop', overflow: 'skip' } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (servers[n % 2] ?? app()).request({
          method: 'POST',
          path: `/admin/api/ai-tasks/${taskId}/runs`,
          body: { parameters: { shop: n < 6 ? 'a' : 'b' } },
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 409, 409, 409, 409]);
    const error = await refused(tasks().start_run(taskId, { parameters: { shop: 'a' } }), 409, 'concurrency_limit');
    assert.match(error.message, /"shop"/);
  });

  test('any value may be the key: equal values share a limit, whatever their length and member order', async () => {
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1, key: 'of', overflow: 'skip' } });
    const long = 'x'.repeat(100_000);
    const start = (of: Json) => tasks().start_run(taskId, { parameters: { of } });
    const cases: [first: Json, equal: Json, other: Json][] = [
      [`${long}a`, `${long}a`, `${long}b`],
      [
        { a: 1, b: [{ c: null, d: 2 }] },
        { b: [{ d: 2, c: null }], a: 1 },
        { a: 1, b: [{ c: 2, d: null }] },
      ],
      ['1', '1', 1],
      [
        [1, 2],
        [1, 2],
        [2, 1],
      ],
    ];
    for (const [first, equal, other] of cases) {
      await start(first);
      await refused(start(equal), 409, 'concurrency_limit');
      await start(other);
    }
  });

  test('a lapsed lease is recovered once by many servers: one more attempt, one line in the log', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app(), {}, { on_interrupt: 'resume', max_attempts: 2 });
    const COUNT = 8;
    for (let n = 0; n < COUNT; n++) await openRun(app(), {}, taskId);
    const claims = await claim(app(), { slots: COUNT });
    assert.equal(claims.length, COUNT);
    const lapseAll = async (): Promise<void> => {
      await letLeasesEnd(app().store, taskId);
      await Promise.all([0, 1, 0, 1].map(async (n) => recoverLapsed(await servicesOf((servers[n] ?? app()).store))));
    };
    await lapseAll();
    for (const run of await tasks().list_runs(taskId)) {
      assert.deepEqual([run.status, run.attempt, run.claimed_by], ['running', 2, null]);
      assert.equal(run.log, '{"kind":"log","line":"attempt 2 from checkpoint 0"}');
    }
    const all = await Promise.all(servers.map((server, n) => claim(server, { name: `next-${n}`, slots: 64 })));
    // The claims may include runs of earlier tests, because an unconfirmed claim is offered again after some seconds.
    const again = all.flat().filter(({ run }) => run.task_id === taskId);
    assert.equal(new Set(again.map(({ run }) => run.id)).size, COUNT);
    assert.ok(again.every(({ run, log_made }) => run.attempt === 2 && log_made.lines === 1 && log_made.bytes > 40));
    await lapseAll();
    for (const run of await tasks().list_runs(taskId)) {
      assert.deepEqual([run.status, run.attempt, run.end_reason], ['interrupted', 2, 'lost_runner']);
    }
  });

  test('after lost_worker and drained a run is offered again only if its task says so, at most max_attempts times', async () => {
    for (const reason of ['lost_worker', 'drained']) {
      const hold = await claimedRun(app());
      const end = [{ kind: 'finalize', status: 'interrupted', end_reason: reason, error_message: 'the machine' }];
      await hold.report(end);
      const held = await tasks().get_run(hold.taskId, hold.runId);
      assert.deepEqual([held.status, held.end_reason, held.attempt], ['interrupted', reason, 1]);
      const resumes = await claimedRun(app(), {}, await makeTask(app(), {}, { on_interrupt: 'resume', max_attempts: 2 }));
      await resumes.report(end);
      assert.equal((await tasks().get_run(resumes.taskId, resumes.runId)).status, 'running');
      const next = await claimRun(app(), resumes, { name: 'another' });
      assert.equal(next.claim.run.attempt, 2);
      await next.report(end);
      assert.equal((await tasks().get_run(resumes.taskId, resumes.runId)).status, 'interrupted', 'max_attempts is reached');
    }
    const script = await claimedRun(app(), {}, await makeTask(app(), {}, { on_interrupt: 'resume' }));
    await script.report([{ kind: 'finalize', status: 'interrupted', end_reason: 'budget', error_message: 'spent' }]);
    assert.equal(
      (await tasks().get_run(script.taskId, script.runId)).status,
      'interrupted',
      'a spent budget is not a fault of the machine',
    );
  });

  test('a run waits with runners_busy while a runner has no free slot, and with no_runner once there is none', async () => {
    const run = await claimedRun(app());
    const waiting = await openRun(app());
    await letRunnersBeSilent(app().store);
    assert.equal((await tasks().get_run(waiting.taskId, waiting.runId)).waiting_reason, 'runners_busy');
    await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    await endAllClaims(app().store);
    assert.equal((await tasks().get_run(waiting.taskId, waiting.runId)).waiting_reason, 'no_runner');
  });

  test('LI1: a task sets limits up to the shop’s maximum; a lowered maximum binds runs from then on', async () => {
    const taskId = await makeTask(app(), {}, { limits: { heap_mib: 256, writes: 10 } });
    const limits = (limits_max: object) => app().client.settings.update({ limits_max });
    await limits({ heap_mib: 64, writes: 5, host_calls: 50 });
    const beyond = tasks().update(taskId, { settings: { limits: { heap_mib: 65, writes: 6, host_calls: 50 } } });
    const error = await refused(beyond, 422, 'validation_failed');
    assert.deepEqual(
      error.errors.map(({ pointer, code }) => [pointer, code]),
      [
        ['/settings/limits/heap_mib', 'out_of_range'],
        ['/settings/limits/writes', 'out_of_range'],
      ],
    );
    assert.deepEqual((await tasks().get(taskId)).task.settings.limits, { heap_mib: 256, writes: 10 });
    await tasks().update(taskId, { settings: { limits: { cpu_seconds: 3600, writes: null } } });
    const { claim: bound } = await claimedRun(app(), {}, taskId);
    const { heap_mib, writes, host_calls, cpu_seconds } = bound.limits;
    assert.deepEqual([heap_mib, writes, host_calls, cpu_seconds], [64, 5, 50, 3600]);
    const { claim: other } = await claimedRun(app());
    assert.equal(other.limits.writes, 5, 'also for a task that sets no limits');
    await refused(limits({ heap_mib: 1_000_000 }), 422, 'out_of_range');
    assert.deepEqual((await limits({})).limits_max, {});
    assert.equal((await claimedRun(app(), {}, taskId)).claim.limits.heap_mib, 256);
  });
});
