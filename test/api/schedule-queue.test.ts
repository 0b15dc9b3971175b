import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, startApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { makeTask } from '../helpers/runs.ts';
import { scheduleTools, WITHIN_MS } from '../helpers/schedules.ts';
import { holdQueue, storeWaitingTimes } from '../helpers/stored-rows/automation.ts';

onBothStores('queued times of schedules', (app, engine) => {
  const { make, get, runsOf, letBeDue, turn, dealtWith } = scheduleTools(app);

  test('SD4: overlap queue opens the queued times in order, each after the run before has ended, also after a resumed one', async () => {
    const { client, store } = app();
    const schedule = await make({ overlap: 'queue', parameters: { n: 1 } });
    const byHand = await client.ai_tasks.start_run(schedule.task_id, { executor: 'external' });
    const open = async () => (await runsOf(schedule)).filter(({ id, status }) => id !== byHand.run_id && status === 'running');
    const end = async (status: string) => {
      const [run, ...more] = await open();
      assert.ok(run && more.length === 0, 'one run is open at a time');
      await client.ai_tasks.append_run_events(schedule.task_id, run.id, { events: [{ kind: 'finalize', status }] });
      return run;
    };
    for (let n = 0; n < 3; n += 1) {
      await letBeDue(schedule);
      await dealtWith(schedule);
    }
    assert.deepEqual([(await open()).length, (await get(schedule)).queued], [1, 2], 'the run started by hand does not count');
    const hold = (untilMs: number) => holdQueue(store, schedule.id, untilMs);
    await hold(Number.MAX_SAFE_INTEGER);
    const first = await end('interrupted');
    const resumed = await client.ai_tasks.start_run(schedule.task_id, { resume_run_id: first.id });
    await hold(0);
    await turn();
    assert.deepEqual([(await open()).map(({ id }) => id), (await get(schedule)).queued], [[resumed.run_id], 2]);
    await client.ai_tasks.update_schedule(schedule.task_id, schedule.id, { parameters: { n: 2 } });
    await client.ai_tasks.cancel_run(schedule.task_id, resumed.run_id);
    for (let queued = 1; queued >= 0; queued -= 1) {
      await turn();
      await until('the next one is open', async () => (await get(schedule)).queued === queued && (await open()).length === 1, WITHIN_MS);
      assert.equal((await end('success')).parameters, '{"n":2}', 'the run has the parameters that the schedule has when it opens');
    }
    await turn();
    assert.deepEqual([await open(), (await get(schedule)).last_error], [[], null]);
  });

  test('SD4: a changed rhythm drops queued times; at most 1000 are queued; a refused run is shown as last_error', async () => {
    const { client, store } = app();
    const schedule = await make({ overlap: 'queue' });
    const edit = (body: object) => client.ai_tasks.update_schedule(schedule.task_id, schedule.id, body);
    const wait = (queued: number) => storeWaitingTimes(store, [schedule.id], queued);
    await letBeDue(schedule);
    await dealtWith(schedule);
    await wait(1000);
    await letBeDue(schedule);
    const full = await dealtWith(schedule);
    assert.deepEqual([full.queued, full.next_at], [1000, schedule.next_at]);
    assert.match(full.last_error ?? '', /1000 times are queued already/);
    assert.equal((await edit({ parameters: { n: 1 } })).queued, 1000);
    for (const body of [{ cron: '1 4 1 1 *' }, { overlap: 'allow' }, { enabled: false }]) {
      assert.equal((await edit(body)).queued, 0, JSON.stringify(body));
      await edit({ overlap: 'queue', enabled: true });
      await wait(1);
    }
    const declared = [{ name: 'days', kind: 'number', required: true }];
    await client.ai_tasks.create_version(schedule.task_id, { source_code: 'log(1)', permissions: [], parameters: declared });
    await client.ai_tasks.cancel_runs(schedule.task_id);
    await turn();
    await until('the refusal is told', async () => (await get(schedule)).queued === 0, WITHIN_MS);
    assert.match((await get(schedule)).last_error ?? '', /"days" is required/);
    // The server's own loop must not take the queued time before the task is deleted.
    await holdQueue(store, schedule.id, Number.MAX_SAFE_INTEGER);
    await wait(1);
    await client.ai_tasks.delete(schedule.task_id);
    await holdQueue(store, schedule.id, 0);
    await turn();
    const off = await until(
      'it is switched off',
      async () => {
        const now = await get(schedule);
        return now.enabled ? undefined : now;
      },
      WITHIN_MS,
    );
    assert.deepEqual([off.queued, off.next_at], [0, null]);
  });

  test('SD2, SD4: three servers open queued times one after the other', {
    skip: engine === 'sqlite' && 'SQLite has one server',
  }, async () => {
    const ROUNDS = 3;
    const others = await Promise.all([1, 2].map(() => startApp('postgres', { databaseUrl: app().databaseUrl })));
    const task = await makeTask(app());
    const queues = await Promise.all(Array.from({ length: 10 }, () => make({ overlap: 'queue' }, task)));
    await storeWaitingTimes(
      app().store,
      queues.map(({ id }) => id),
      ROUNDS,
    );
    for (let round = 1; round <= ROUNDS; round += 1) {
      const runs = await until(
        'each has its next run open',
        async () => {
          const all = await app().client.ai_tasks.list_runs(task);
          return all.length >= round * queues.length ? all : undefined;
        },
        WITHIN_MS,
      );
      const open = runs.filter(({ status }) => status === 'running').map(({ started_by }) => started_by);
      assert.deepEqual(open.sort(), queues.map(({ id }) => `schedule:${id}`).sort(), 'one run of each schedule');
      await app().client.ai_tasks.cancel_runs(task);
    }
    for (const other of others) await other.close();
  });
});
