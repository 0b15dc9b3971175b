import assert from 'node:assert/strict';
import { test } from 'node:test';
import { events as declared } from '../../contract/events.ts';
import { interruptAbandoned } from '../../server/automation/runs/life/recovery.ts';
import { onBothStores } from '../helpers/app.ts';
import { refused } from '../helpers/refused.ts';
import { makeTask, openRun } from '../helpers/runs.ts';
import { scheduleTools } from '../helpers/schedules.ts';
import { servicesOf } from '../helpers/services.ts';
import { letClientBeSilent } from '../helpers/stored-rows/runs.ts';
import { triggers } from '../helpers/triggers.ts';

const ENDS = ['task.run_failed', 'task.run_interrupted', 'task.run_succeeded'] as const;

onBothStores('events of tasks', (app) => {
  const tasks = () => app().client.ai_tasks;
  const { make, runsOf, eventIn, dealtWith, switchOff } = triggers(app);
  const schedules = scheduleTools(app);

  test('each end but one that a person asked for is one event, which webhooks and triggers get', async () => {
    const taskId = await makeTask(app());
    const listening = await Promise.all(ENDS.map((event) => make({ event, filter: { task_id: taskId } })));
    const ends: [status: string, event: (typeof ENDS)[number] | null][] = [
      ['success', 'task.run_succeeded'],
      ['failed', 'task.run_failed'],
      ['timed_out', 'task.run_failed'],
      ['gave_up', 'task.run_failed'],
      ['interrupted', 'task.run_interrupted'],
      ['cancelled', null],
    ];
    const expected: [string, number, string][] = [];
    for (const [status, event] of ends) {
      const { runId } = await openRun(app(), { executor: 'external' }, taskId);
      await tasks().append_run_events(taskId, runId, { events: [{ kind: 'finalize', status }] });
      if (event !== null) expected.push([event, runId, status]);
    }
    const cancelled = await openRun(app(), {}, taskId);
    await tasks().cancel_run(taskId, cancelled.runId);
    const revoked = await openRun(app(), {}, taskId);
    const { task } = await tasks().get(taskId);
    await tasks().revoke_version(taskId, task.current_version_id ?? 0);
    expected.push(['task.run_failed', revoked.runId, 'cancelled']);
    await dealtWith();
    const seen = (await Promise.all(listening.map(runsOf))).flat().map(eventIn);
    const byRun = (a: (typeof expected)[number], b: (typeof expected)[number]) => a[1] - b[1];
    assert.deepEqual(seen.map(({ type, data }) => [type, data.run_id, data.status] as (typeof expected)[number]).sort(byRun), expected);
    await switchOff(...listening);
  });

  test('a schedule or trigger that opens no run is a missed start; so is a time that is too long ago', async () => {
    const listening = await make({ event: 'task.missed' });
    const faulty = await schedules.make();
    const { task } = await tasks().get(faulty.task_id);
    await tasks().revoke_version(faulty.task_id, task.current_version_id ?? 0);
    await schedules.letBeDue(faulty);
    await schedules.dealtWith(faulty);
    const old = await schedules.make({ catch_up_seconds: 60 });
    const before = (await schedules.get(old)).next_at;
    await schedules.letBeDue(old, 3_600_000);
    await schedules.dealtWith(old);
    await dealtWith();
    const events = (await runsOf(listening)).map(eventIn).reverse();
    assert.deepEqual(
      events.map(({ data }) => [data.task_id, data.schedule_id, data.trigger_id]),
      [
        [faulty.task_id, faulty.id, null],
        [old.task_id, old.id, null],
      ],
    );
    for (const { data } of events)
      assert.deepEqual(Object.keys(data).toSorted(), Object.keys(declared['task.missed'].data.shape).toSorted(), 'as the contract says');
    assert.match(events[0].data.reason, /no approved version/);
    assert.match(events[1].data.reason, /longer ago than its catch_up_seconds of 60/);
    assert.ok(events[1].data.due_at < (before ?? ''), 'the time that was missed');
    const { notifications } = await app().client.notifications.list({ limit: 100 });
    for (const { id } of [faulty, old])
      assert.equal(
        notifications.filter(({ type, metadata }) => type === 'ai_task_not_started' && metadata?.['schedule_id'] === id).length,
        1,
      );
    await switchOff(listening);
  });

  test('loop guard: a trigger on missed starts that opens no run itself is no further missed start', async () => {
    const heard = await make({ event: 'task.missed' });
    const broken = await make({ event: 'task.missed' });
    const { task } = await tasks().get(broken.task_id);
    await tasks().revoke_version(broken.task_id, task.current_version_id ?? 0);
    const faulty = await make({ event: 'customer.created' });
    const other = (await tasks().get(faulty.task_id)).task;
    await tasks().revoke_version(faulty.task_id, other.current_version_id ?? 0);
    await app().client.customers.create({ name: 'Ada', email: `ada-${Date.now()}@example.com` });
    await dealtWith();
    await dealtWith();
    const runs = await runsOf(heard);
    assert.deepEqual(
      runs.map((run) => eventIn(run).data.trigger_id),
      [faulty.id],
    );
    await switchOff(heard, broken, faulty);
  });

  test('external_timeout_minutes says how long a client may be silent', async () => {
    const { client, store } = app();
    for (const minutes of [0, 10_081]) await refused(client.settings.update({ external_timeout_minutes: minutes }), 422, 'out_of_range');
    await client.settings.update({ external_timeout_minutes: 5 });
    try {
      const run = await openRun(app(), { executor: 'external' });
      const services = await servicesOf(store);
      await letClientBeSilent(store, run.runId, 4);
      await interruptAbandoned(services);
      assert.equal((await tasks().get_run(run.taskId, run.runId)).status, 'running');
      await letClientBeSilent(store, run.runId, 2);
      await interruptAbandoned(services);
      const ended = await tasks().get_run(run.taskId, run.runId);
      assert.deepEqual(
        [ended.status, ended.error_message],
        ['interrupted', 'the client that drives the run sent no request for 5 minutes'],
      );
    } finally {
      await client.settings.update({ external_timeout_minutes: 60 });
    }
  });
});
