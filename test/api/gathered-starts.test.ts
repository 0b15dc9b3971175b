import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../../contract/runs.ts';
import { MAX_WAITING_STARTS } from '../../contract/start-options.ts';
import type { Trigger } from '../../contract/triggers.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeVariant } from '../helpers/builders.ts';
import { gatheredStarts } from '../helpers/gathered-starts.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { claim, claimedRun, claimRun, codeOf, emptyQueue, makeTask } from '../helpers/runs.ts';
import { copyStart, passStartTime } from '../helpers/stored-rows/automation.ts';
import { putFirst } from '../helpers/stored-rows/runs.ts';
import { triggers as triggersOf } from '../helpers/triggers.ts';

/** spec GS1-GS6 for triggers. */

const HOUR_MS = 3_600_000;
const EVENT = 'order.status_changed';

onBothStores('gathered starts of triggers', (app) => {
  const { make, get, runsOf, dealtWith, changedOrder, logsOf, switchOff } = triggersOf(app);
  const { pass, waitingOf } = gatheredStarts(app);
  const parametersOf = ({ parameters }: Run) => JSON.parse(parameters);
  const inOrder = async (trigger: Trigger) => (await runsOf(trigger)).reverse();

  test('GS1: what does not go together, is too much or names no field is refused, with what is accepted', async () => {
    const taskId = await makeTask(app());
    const wrong = async (start: object, code = 'invalid_value') => {
      const { errors } = await refused(make({ event: EVENT, start }, taskId), 422, code);
      return errors.map(({ pointer, detail }) => `${pointer}: ${detail}`);
    };
    const debounce = { ms: 1000 };
    assert.deepEqual(await wrong({ debounce, batch: { max: 2, ms: 1 } }), [
      '/start/batch: goes without "debounce": one run gets either the last or all of them',
    ]);
    assert.deepEqual(await wrong({ debounce: { ms: 1, key: 'state' }, rate: { per_minute: 1, key: 'colour' } }, 'validation_failed'), [
      `/start/debounce/key: ${EVENT} has no "state"; it has order_id, status, previous_status`,
      `/start/rate/key: ${EVENT} has no "colour"; it has order_id, status, previous_status`,
    ]);
    assert.match(
      (await wrong({ batch: { max: 2, ms: 1 }, rate: { per_minute: 1, key: 'order_id' } }))[0] ?? '',
      /must be null with "batch"/,
    );
    assert.match((await wrong({ debounce, delay: 4000, ttl: 5000 }))[0] ?? '', /^\/start\/ttl: must be more than 5000, /);
    const bounds = [
      ...[0, 24 * HOUR_MS + 1].map((ms) => ({ debounce: { ms } })),
      ...[1, 1001].map((max) => ({ batch: { max, ms: 1 } })),
      ...[0, 30 * 24 * HOUR_MS + 1].map((delay) => ({ delay })),
      ...[999, 30 * 24 * HOUR_MS + 1].map((ttl) => ({ ttl })),
      ...[0, 601].map((per_minute) => ({ rate: { per_minute } })),
    ];
    for (const start of bounds) assert.equal((await wrong(start, 'out_of_range')).length, 1, JSON.stringify(start));
    const start = { debounce: { key: 'order_id', ms: 24 * HOUR_MS }, delay: 1, ttl: 30 * 24 * HOUR_MS, rate: { per_minute: 600 } };
    const made = await make({ event: EVENT, start, enabled: false }, taskId);
    assert.deepEqual(made.start, { ...start, rate: { key: null, per_minute: 600, overflow: 'queue' } });
    const { start: none } = await app().client.ai_tasks.update_trigger(taskId, made.id, { start: {} });
    assert.deepEqual([none, made.gathered], [{}, { starts: 0, items: 0, next_due_at: null }]);
    const refusedChange = app().client.ai_tasks.update_trigger(taskId, made.id, { event: 'stock.low', start });
    assert.match((await refused(refusedChange, 422, 'invalid_value')).errors[0]?.detail ?? '', /stock.low has no "order_id"/);
  });

  test('GS2: 100 stock.low of one import are one run, which gets the last one, or all of them', async () => {
    const [last, all, each] = [
      await make({ event: 'stock.low', start: { debounce: { ms: 60_000 } } }),
      await make({ event: 'stock.low', start: { batch: { max: 1000, ms: 60_000 } } }),
      await make({ event: 'stock.low', start: { debounce: { key: 'product_id', ms: 60_000 } } }),
    ];
    const variants = await Promise.all(Array.from({ length: 100 }, () => makeVariant(app(), { stock: 10 })));
    const products = variants.map(({ product_id }) => product_id);
    await Promise.all(products.map((id) => app().client.products.update(id, { low_stock_threshold: 5 })));
    const changes = variants.map(({ id }) => ({ id, delta: -8 }));
    await app().client.products.bulk_stock({ changes, reason: 'import' });
    await dealtWith();
    const { gathered } = await get(all);
    assert.deepEqual([gathered.starts, gathered.items, (await get(each)).gathered.starts], [1, 100, 100]);
    assert.ok(gathered.next_due_at !== null);
    assert.deepEqual([await runsOf(last), await runsOf(all)], [[], []]);

    await pass(60_000);
    const [one, ...others] = await runsOf(last);
    assert.ok(one && others.length === 0);
    const { event } = parametersOf(one);
    assert.deepEqual([event.type, event.gathered, products.includes(event.data.product_id)], ['stock.low', 100, true]);
    const batches = await runsOf(all);
    const { events, ...rest } = parametersOf(batches[0] ?? one);
    assert.deepEqual([batches.length, rest], [1, {}]);
    assert.deepEqual(events.map(({ data }: { data: { product_id: number } }) => data.product_id).sort(), [...products].sort());
    const { log } = await app().client.ai_tasks.get_run(all.task_id, batches[0]?.id ?? 0);
    assert.match(log, /opened for 100 gathered in /);
    const { length } = await app().client.ai_tasks.list_runs(each.task_id, { limit: 500 });
    assert.equal(length, 100, 'of one product each');
    assert.deepEqual((await get(all)).gathered, { starts: 0, items: 0, next_due_at: null });
    await switchOff(last, all, each);
  });

  test('GS2: a debounce counts by its key, is postponed by a further event, and not for ever', async () => {
    const trigger = await make({ event: EVENT, start: { debounce: { key: 'order_id', ms: HOUR_MS } } });
    const [one, other] = [await changedOrder(), await changedOrder()];
    await pass(HOUR_MS - 60_000);
    await app().client.orders.update_status(one, { status: 'shipped' });
    await pass(60_000);
    assert.deepEqual(
      (await inOrder(trigger)).map((run) => parametersOf(run).event.data.order_id),
      [other],
      'the other one waits again',
    );
    // An hour less a minute passes before each of them.
    for (let n = 0; n < 9; n += 1) {
      await app().client.orders.update_status(one, { status: n % 2 === 0 ? 'delivered' : 'shipped' });
      await pass(HOUR_MS - 60_000);
    }
    assert.equal((await runsOf(trigger)).length, 1);
    await app().client.orders.update_status(one, { status: 'processing' });
    await pass(20 * 60_000);
    const run = (await inOrder(trigger))[1];
    assert.ok(run, 'after ten times its ms it opens, although further events came');
    const { gathered, data } = parametersOf(run).event;
    assert.deepEqual([gathered, data.status], [12, 'processing']);
    await switchOff(trigger);
  });

  test('GS2: a batch opens when it is full, without waiting, and the next one begins', async () => {
    const trigger = await make({ event: EVENT, start: { batch: { max: 3, ms: HOUR_MS } }, parameters: { kept: 1 } });
    const orders: number[] = [];
    for (let n = 0; n < 4; n += 1) orders.push(await changedOrder());
    await dealtWith();
    const [run, ...others] = await runsOf(trigger);
    assert.ok(run && others.length === 0);
    const { events, kept } = parametersOf(run);
    assert.deepEqual([events.map((one: { data: { order_id: number } }) => one.data.order_id), kept], [orders.slice(0, 3), 1]);
    assert.equal((await get(trigger)).gathered.items, 1);
    await pass(HOUR_MS);
    assert.equal((await runsOf(trigger)).length, 2);
    await switchOff(trigger);
  });

  test('GS3: a delay opens each run later; what is too late is not started, and the log says so', async () => {
    const trigger = await make({ event: EVENT, start: { delay: HOUR_MS, ttl: 2 * HOUR_MS } });
    await changedOrder();
    await pass(HOUR_MS - 60_000);
    assert.deepEqual([(await runsOf(trigger)).length, (await get(trigger)).gathered.starts], [0, 1]);
    await pass(60_000);
    const [run] = await runsOf(trigger);
    assert.ok(run);
    await changedOrder();
    await pass(3 * HOUR_MS);
    assert.equal((await runsOf(trigger)).length, 1);
    const [entry] = await logsOf(trigger, 'trigger.skipped');
    assert.match(entry?.summary ?? '', /opened no run: 7200000 ms, its ttl, passed before it could start/);
    assert.equal((await get(trigger)).last_error, null);

    const { status, end_reason, log } = await app().client.ai_tasks.get_run(trigger.task_id, run.id);
    assert.deepEqual([status, end_reason], ['cancelled', 'expired'], 'no runner took the first run in time');
    assert.match(log, /no runner has taken the run within its ttl/);
    const { logs } = await app().client.logs.list({ source: 'ai_task' });
    assert.equal(logs.filter(({ action, detail }) => action === 'run.skipped' && JSON.parse(detail ?? '{}').run_id === run.id).length, 1);
    await switchOff(trigger);
  });

  test('GS3: a run that a runner has taken in time goes on after its ttl; one that is too late is given to no runner', async () => {
    await emptyQueue(app());
    const trigger = await make({ event: EVENT, start: { ttl: HOUR_MS } });
    await changedOrder();
    await dealtWith();
    const [run] = await runsOf(trigger);
    assert.ok(run);
    const path = `/admin/api/ai-tasks/${trigger.task_id}/runs/${run.id}`;
    const side = await claimRun(app(), { taskId: trigger.task_id, runId: run.id, path });
    await pass(2 * HOUR_MS);
    assert.equal((await side.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }])).status, 204);
    await changedOrder();
    await dealtWith();
    assert.equal((await runsOf(trigger)).length, 2);
    await passStartTime(app().store, 2 * HOUR_MS);
    assert.deepEqual(await claim(app(), { wait_ms: 0 }), []);
    await switchOff(trigger);
  });

  test('GS4: of a rate, what is over waits in order, and counts for its key alone', async () => {
    const trigger = await make({ event: EVENT, start: { rate: { key: 'status', per_minute: 2 } } });
    const orders: number[] = [];
    for (let n = 0; n < 5; n += 1) orders.push(await changedOrder('processing'));
    const sent = await changedOrder('shipped');
    await dealtWith();
    const opened = async () => (await inOrder(trigger)).map((run) => parametersOf(run).event.data.order_id);
    assert.deepEqual(await opened(), [orders[0], orders[1], sent]);
    const waiting = await waitingOf(trigger.task_id);
    assert.deepEqual(
      waiting.map(({ waits_for, due_at, items }) => [waits_for, due_at !== null, items]),
      [
        ['rate', true, 1],
        ['rate', false, 1],
        ['rate', false, 1],
      ],
    );
    await pass(30_000);
    assert.equal((await opened()).length, 3);
    await pass(30_000);
    assert.deepEqual((await opened()).slice(3), [orders[2], orders[3]]);
    orders.push(await changedOrder('processing'));
    await pass(60_000);
    assert.deepEqual((await opened()).slice(5), [orders[4], orders[5]]);
    await switchOff(trigger);
  });

  test('GS4: with overflow skip, what is over is left out and logged', async () => {
    const trigger = await make({ event: EVENT, start: { rate: { per_minute: 1, overflow: 'skip' } } });
    for (let n = 0; n < 3; n += 1) await changedOrder();
    await dealtWith();
    assert.deepEqual([(await runsOf(trigger)).length, (await get(trigger)).gathered.starts], [1, 0]);
    const entries = await logsOf(trigger, 'trigger.skipped');
    assert.match(entries[0]?.summary ?? '', /1 of its runs were opened in the last minute, as many as its rate allows/);
    assert.equal(entries.length, 2);
    await switchOff(trigger);
  });

  test('GS5: what a trigger has gathered opens as it was gathered if the options change; nothing is lost silently', async () => {
    const { client } = app();
    const start = { batch: { max: 10, ms: HOUR_MS } };
    const [changed, off, gone, orphan] = [
      await make({ event: EVENT, start }),
      await make({ event: EVENT, start }),
      await make({ event: EVENT, start }),
      await make({ event: EVENT, start }),
    ];
    for (let n = 0; n < 2; n += 1) await changedOrder();
    await dealtWith();
    await client.ai_tasks.update_trigger(changed.task_id, changed.id, { start: { debounce: { ms: HOUR_MS } } });
    await changedOrder();
    await dealtWith();
    await switchOff(off);
    await client.ai_tasks.delete_trigger(gone.task_id, gone.id);
    await client.ai_tasks.delete(orphan.task_id);
    await pass(HOUR_MS);
    const [first, second] = (await inOrder(changed)).map(parametersOf);
    assert.deepEqual([first.events.length, second.event.gathered], [2, 1]);
    const told = async (trigger: Trigger, action: string) => (await logsOf(trigger, action)).map(({ summary }) => summary)[0] ?? '';
    assert.match(await told(off, 'trigger.skipped'), /opened no run: the trigger was switched off meanwhile/);
    assert.match(await told(gone, 'trigger.skipped'), /was removed, so what it had gathered opened no run: 3 in 1 starts/);
    assert.match(await told(orphan, 'trigger.failed'), /opened no run: /);
    await switchOff(changed);
  });

  test('GS5, SD5: while its admin is deactivated, what a trigger has gathered opens no run, and the admins are told', async () => {
    const { client, clientFor } = app();
    const admin = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.read'] });
    const taskId = await makeTask(app());
    const made = await clientFor(admin.token).ai_tasks.create_trigger(taskId, { event: EVENT, start: { debounce: { ms: HOUR_MS } } });
    await changedOrder();
    await dealtWith();
    await client.admins.update(admin.adminId, { active: false });
    await pass(HOUR_MS);
    assert.deepEqual(await runsOf(made), []);
    assert.match((await get(made)).last_error ?? '', /is deactivated or may not start tasks any more$/);
    const detail = JSON.parse((await logsOf(made, 'trigger.failed'))[0]?.detail ?? '{}');
    assert.deepEqual([detail.reason_code, detail.gathered, detail.event], ['not_entitled', 1, EVENT]);
    await switchOff(made);
  });

  test('GS6: an admin sees what waits, opens it at once or leaves it out', async () => {
    const { client, clientFor } = app();
    const trigger = await make({ event: EVENT, start: { debounce: { key: 'order_id', ms: HOUR_MS }, ttl: 2 * HOUR_MS } });
    const orders = [await changedOrder(), await changedOrder()];
    await dealtWith();
    const [one, other] = await waitingOf(trigger.task_id);
    assert.ok(one && other);
    assert.deepEqual(
      [one.kind, one.trigger_id, one.how, one.key, one.items, one.waits_for, one.started_by_task_id],
      ['trigger', trigger.id, 'debounce', String(orders[0]), 1, 'time', null],
    );
    assert.equal(Date.parse(one.due_at ?? '') - Date.parse(one.last_at), HOUR_MS);
    assert.equal(Date.parse(one.expires_at ?? '') - Date.parse(one.last_at), 2 * HOUR_MS);
    const reader = clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read'] })).token);
    assert.equal((await reader.ai_tasks.list_gathered_starts(trigger.task_id)).total, 2);
    await refused(reader.ai_tasks.open_gathered_start(trigger.task_id, one.id), 403, 'forbidden');
    await refused(client.ai_tasks.open_gathered_start(await makeTask(app()), one.id), 404, 'not_found');

    const { run_id } = await client.ai_tasks.open_gathered_start(trigger.task_id, one.id);
    assert.equal(parametersOf(await client.ai_tasks.get_run(trigger.task_id, run_id)).event.data.order_id, orders[0]);
    await client.ai_tasks.drop_gathered_start(trigger.task_id, other.id);
    await pass(HOUR_MS);
    assert.deepEqual([(await runsOf(trigger)).length, await waitingOf(trigger.task_id)], [1, []]);
    assert.match((await logsOf(trigger, 'trigger.skipped'))[0]?.summary ?? '', /an admin left it out/);
    await refused(client.ai_tasks.drop_gathered_start(trigger.task_id, other.id), 404, 'not_found');
    await changedOrder();
    await dealtWith();
    const [stays] = await waitingOf(trigger.task_id);
    const { task } = await client.ai_tasks.get(trigger.task_id);
    await client.ai_tasks.revoke_version(trigger.task_id, task.current_version_id ?? 0, {});
    await refused(client.ai_tasks.open_gathered_start(trigger.task_id, stays?.id ?? 0), 409, 'run_not_opened');
    assert.equal((await waitingOf(trigger.task_id)).length, 1, 'what cannot open stays');
    await switchOff(trigger);
  });

  const gathers = { batch: { batch: { max: 3, ms: HOUR_MS } }, debounce: { debounce: { ms: HOUR_MS } } };
  for (const [how, start] of Object.entries(gathers))
    test(`GS6, TG2: a run of a ${how} has all its events for a cause, so none of their tasks starts again for what it does`, async () => {
      const writer = { permissions: ['admin_api.orders.write' as const] };
      const [a, b] = [await makeTask(app(), writer), await makeTask(app(), writer)];
      const back = await make({ event: EVENT }, a);
      const orders = [await changedOrder(), await changedOrder()];
      await dealtWith();
      await emptyQueue(app());
      const gathering = await make({ event: EVENT, start }, b);
      const before = (await runsOf(back)).length;
      const first = await claimedRun(app(), {}, a);
      assert.equal((await first.call('PATCH', `/orders/${orders[0]}/status`, { status: 'shipped' })).status, 204);
      await app().client.orders.update_status(orders[1] ?? 0, { status: 'shipped' });
      await pass(HOUR_MS);
      const [run] = await runsOf(gathering);
      assert.ok(run);
      const { events, event } = parametersOf(run);
      assert.equal(events?.length ?? event.gathered, 2);
      assert.equal((events?.[1] ?? event).data.order_id, orders[1]);
      assert.equal((await runsOf(back)).length, before + 1, 'the change by a person starts A');
      await putFirst(app().store, run.id);
      const second = await claimRun(app(), { taskId: b, runId: run.id, path: `/admin/api/ai-tasks/${b}/runs/${run.id}` });
      assert.deepEqual(codeOf(await second.call('PATCH', `/orders/${orders[0]}/status`, { status: 'delivered' })), [204, null]);
      await dealtWith();
      assert.equal((await runsOf(back)).length, before + 1, 'A led to it, beside a person');
      await switchOff(back, gathering);
    });

  test('GS5: of a trigger with too many starts, what joins one of them is kept; only one more start is left out', async () => {
    const { client } = app();
    const trigger = await make({ event: EVENT, start: { debounce: { key: 'order_id', ms: HOUR_MS } } });
    const order = await changedOrder();
    await dealtWith();
    const [start] = await waitingOf(trigger.task_id);
    // Two servers may each store the last one at once.
    await copyStart(app().store, start?.id ?? 0, MAX_WAITING_STARTS);
    await client.orders.update_status(order, { status: 'shipped' });
    await dealtWith();
    const waiting = async () => {
      const { starts, items } = (await get(trigger)).gathered;
      return [starts, items];
    };
    assert.deepEqual(await waiting(), [MAX_WAITING_STARTS + 1, MAX_WAITING_STARTS + 2]);
    await changedOrder();
    await dealtWith();
    assert.deepEqual(await waiting(), [MAX_WAITING_STARTS + 1, MAX_WAITING_STARTS + 2]);
    assert.match((await get(trigger)).last_error ?? '', /^10000 of its starts wait already/);
    await client.ai_tasks.delete_trigger(trigger.task_id, trigger.id);
  });
});
