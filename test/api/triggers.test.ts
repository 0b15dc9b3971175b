import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import pino from 'pino';
import { type EventType, events } from '../../contract/events.ts';
import type { Run } from '../../contract/tasks.ts';
import type { Trigger } from '../../contract/triggers.ts';
import { triggerOpener } from '../../server/resources/triggers/opening.ts';
import { SettingsCache } from '../../server/services.ts';
import { Signal } from '../../server/signal.ts';
import { onBothStores, startApp, type TestApp } from '../helpers/app.ts';
import { insertOrder, insertVariant } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, claimRun, codeOf, makeTask, openRun } from '../helpers/runs.ts';
import { deliver, eventOf, STRIPE_SECRET, subscriptionObject } from '../helpers/stripe-double.ts';
import { insertSubscriptionOrder } from '../helpers/subscriptions.ts';

type Body = Parameters<TestApp['client']['ai_tasks']['create_trigger']>[1];

const WITHIN_MS = 60_000;
const WRITER = { permissions: ['admin_api.orders.write' as const] };

onBothStores(
  'triggers',
  (app, engine) => {
    const make = async (body: Body, taskId?: number): Promise<Trigger> =>
      app().client.ai_tasks.create_trigger(taskId ?? (await makeTask(app())), body);
    const get = ({ task_id, id }: Trigger) => app().client.ai_tasks.get_trigger(task_id, id);
    const runsOf = async ({ task_id, id }: Trigger): Promise<Run[]> =>
      (await app().client.ai_tasks.list_runs(task_id)).filter(({ started_by }) => started_by === `trigger:${id}`);
    const eventIn = ({ parameters }: Run) => JSON.parse(parameters).event;
    const waiting = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM trigger_deliveries WHERE due_ms = 0`.execute(app().store.reader);
      return Number(rows[0]?.n);
    };
    const settled = () => until('no event waits for a trigger', async () => (await waiting()) === 0, WITHIN_MS);
    /** The same without waiting for the server's own turn, which comes once a second. */
    const dealtWith = async (): Promise<void> => {
      await triggerOpener({
        store: app().store,
        settings: new SettingsCache(),
        log: pino({ level: 'silent' }),
        work: new Signal(),
        stopping: new AbortController().signal,
      })();
      await settled();
    };
    const changedOrder = async (status: 'processing' | 'shipped' | 'delivered' = 'processing'): Promise<number> => {
      const { id } = await insertOrder(app().store);
      await app().client.orders.update_status(id, { status });
      return id;
    };
    const logsOf = async (trigger: Trigger, action: string) =>
      (await app().client.logs.list({ source: 'ai_task' })).logs.filter(
        (one) => one.action === action && JSON.parse(one.detail ?? '{}').trigger_id === trigger.id,
      );
    const switchOff = (...triggers: Trigger[]) =>
      Promise.all(triggers.map(({ task_id, id }) => app().client.ai_tasks.update_trigger(task_id, id, { enabled: false })));

    test('§10: a trigger is made, read, changed and removed', async () => {
      const { client } = app();
      const taskId = await makeTask(app());
      const made = await client.ai_tasks.create_trigger(taskId, { event: 'order.paid' });
      assert.deepEqual([made.event, made.filter, made.parameters, made.enabled, made.last_error], ['order.paid', {}, {}, true, null]);
      const changed = await client.ai_tasks.update_trigger(taskId, made.id, {
        event: 'order.status_changed',
        filter: { status: ['shipped', 'delivered'], previous_status: 'pending' },
        parameters: { a: 1 },
        enabled: false,
      });
      assert.deepEqual(changed, {
        ...made,
        event: 'order.status_changed',
        filter: { status: ['shipped', 'delivered'], previous_status: 'pending' },
        parameters: { a: 1 },
        enabled: false,
        updated_at: changed.updated_at,
      });
      assert.deepEqual(await client.ai_tasks.list_triggers(taskId), [changed]);
      await refused(client.ai_tasks.get_trigger(await makeTask(app()), made.id), 404, 'not_found');
      await client.ai_tasks.delete_trigger(taskId, made.id);
      await refused(client.ai_tasks.get_trigger(taskId, made.id), 404, 'not_found');
      const audit = await client.audit_log.list({ resource_type: 'trigger', resource_id: made.id });
      assert.deepEqual(audit.data.map(({ action }) => action).sort(), [
        'ai_tasks.create_trigger',
        'ai_tasks.delete_trigger',
        'ai_tasks.update_trigger',
      ]);
    });

    test("§10: a filter is checked against what the event tells, parameters against the task's version", async () => {
      const { client, clientFor } = app();
      const declared = [
        { name: 'days', kind: 'number', required: true },
        { name: 'event', kind: 'json', required: true },
      ];
      const taskId = await makeTask(app(), { parameters: declared });
      const create = (body: object) =>
        client.ai_tasks.create_trigger(taskId, { event: 'order.status_changed', parameters: { days: 1 }, ...body });
      const unknown = await refused(create({ filter: { state: 'shipped' } }), 422, 'invalid_value');
      assert.deepEqual(
        [unknown.errors[0]?.pointer, unknown.errors[0]?.detail],
        ['/filter/state', 'order.status_changed has no "state"; it has order_id, status, previous_status'],
      );
      const never = await refused(create({ filter: { status: ['shipped', 'lost'] } }), 422, 'invalid_value');
      assert.match(never.errors[0]?.detail ?? '', /"status" of order.status_changed is never "lost", but one of "pending", .*"shipped"/);
      const text = await refused(create({ filter: { order_id: 'x' } }), 422, 'invalid_value');
      assert.match(text.errors[0]?.detail ?? '', /is never "x", but a number$/);
      const nested = await refused(create({ filter: { status: { is: 'shipped' } } }), 422, 'invalid_type');
      assert.equal(nested.errors[0]?.detail, 'Invalid input: expected string, number, boolean, null or array, received object');
      const list = await refused(create({ filter: [] }), 422, 'invalid_type');
      assert.equal(list.errors[0]?.detail, 'Invalid input: expected object, received array');
      await refused(create({ filter: { order_id: null } }), 422, 'invalid_value');
      await refused(create({ filter: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, 1])) }), 422, 'too_long');
      await refused(create({ filter: { order_id: Array.from({ length: 101 }, (_, n) => n + 1) } }), 422, 'too_long');
      await refused(create({ filter: { status: [] } }), 422, 'invalid_value');
      await refused(create({ event: 'order.eaten' }), 422, 'invalid_enum');
      assert.equal((await refused(create({ parameters: {} }), 422, 'required')).errors[0]?.pointer, '/parameters/days');
      const { id } = await create({ filter: { order_id: 1 } });
      await refused(client.ai_tasks.update_trigger(taskId, id, { event: 'file.uploaded' }), 422, 'invalid_value');
      await refused(client.ai_tasks.update_trigger(taskId, id, { parameters: { days: 'x' } }), 422, 'invalid_type');
      const [edited, inquiry] = [await makeTask(app()), await makeTask(app())];
      await make({ event: 'order.edited', filter: { added_product_ids: [1, 2] }, enabled: false }, edited);
      await make({ event: 'inquiry.received', filter: { customer_id: null }, enabled: false }, inquiry);

      const reader = clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.read'] })).token);
      assert.equal((await reader.ai_tasks.list_triggers(taskId)).length, 1);
      await refused(reader.ai_tasks.create_trigger(taskId, { event: 'order.paid' }), 403, 'forbidden');
      await Promise.all(Array.from({ length: 99 }, () => make({ event: 'order.paid', parameters: { days: 1 }, enabled: false }, taskId)));
      await refused(create({}), 409, 'too_many');
      await client.ai_tasks.delete(taskId);
    });

    test('§10: each of the events of the shop starts a run that is told of it', async () => {
      const { client, store } = app();
      const wanted: EventType[] = [
        'order.created',
        'order.paid',
        'order.status_changed',
        'order.edited',
        'customer.created',
        'stock.low',
        'subscription.created',
        'subscription.canceled',
        'inquiry.received',
        'file.uploaded',
        'task.run_failed',
      ];
      const taskId = await makeTask(app());
      const triggers = await Promise.all(wanted.map((event) => make({ event, parameters: { event: 'mine', kept: event } }, taskId)));

      const variant = await insertVariant(store, { stock: 7 });
      const order = await client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 3 }]));
      await client.orders.update_payment_status(order.id, { payment_status: 'paid' });
      await client.orders.update_status(order.id, { status: 'processing' });
      await client.orders.edit(order.id, { customer: { name: 'Somebody else' } });
      await client.customers.create({ name: 'Ann', email: `ann-${engine}@example.com` });
      const subscribed = await insertSubscriptionOrder(store);
      const object = subscriptionObject();
      const ids = { external_subscription_id: object.id, external_customer_id: 'cus' };
      await client.subscriptions.activate(subscribed.order.id, ids);
      await deliver(app(), eventOf('customer.subscription.deleted', { ...object, status: 'canceled', ended_at: 1_800_000_000 }));
      await client.inquiries.create({ name: 'Ann', email: 'ann@example.com', body: 'Why?' });
      await client.files.create({ file: { filename: 'a.txt', content: 'x' } });
      const failing = await openRun(app(), { executor: 'external' });
      await app().request({ method: 'PATCH', path: failing.path, body: { events: [{ kind: 'finalize', status: 'failed' }] } });

      await settled();
      for (const trigger of triggers) {
        const runs = await runsOf(trigger);
        assert.ok(runs.length > 0, `${trigger.event} started no run`);
        for (const run of runs) {
          const event = eventIn(run);
          assert.deepEqual([Object.keys(event), event.type], [['id', 'type', 'at', 'data'], trigger.event]);
          assert.ok(Number.isSafeInteger(event.id) && event.at <= run.started_at);
          events[trigger.event].data.parse(event.data);
          assert.equal(JSON.parse(run.parameters).kept, trigger.event);
        }
        assert.equal(new Set(runs.map((run) => eventIn(run).id)).size, runs.length);
      }
      await switchOff(...triggers);
    });

    test('§10: a filter lets through what it names, also by one of several products', async () => {
      const { client, store } = app();
      const [one, two] = [await insertVariant(store), await insertVariant(store)];
      const [shipped, added] = [
        await make({ event: 'order.status_changed', filter: { status: ['shipped', 'delivered'] } }),
        await make({ event: 'order.edited', filter: { added_product_ids: two.product_id } }),
      ];
      await changedOrder('processing');
      const sent = await changedOrder('shipped');
      const order = await insertOrder(store, {}, [{ variant: one, quantity: 1 }]);
      await client.orders.edit(order.id, { customer: { name: 'Somebody else' } });
      const [line] = (await client.orders.get(order.id)).items;
      assert.ok(line);
      const items = [
        { id: line.id, quantity: 1 },
        { variant_id: two.id, quantity: 1 },
      ];
      await client.orders.edit(order.id, { items });
      await dealtWith();
      assert.deepEqual(
        (await runsOf(shipped)).map((run) => eventIn(run).data.order_id),
        [sent],
      );
      assert.deepEqual(
        (await runsOf(added)).map((run) => eventIn(run).data.added_product_ids),
        [[two.product_id]],
      );
      await switchOff(shipped, added);
    });

    test('§10: what is refused tells of no event', async () => {
      const { client, store } = app();
      const trigger = await make({ event: 'order.status_changed' });
      const variant = await insertVariant(store, { stock: 0 });
      const { id } = await insertOrder(store, { status: 'cancelled' }, [{ variant, quantity: 1 }]);
      await refused(client.orders.update_status(id, { status: 'pending' }), 409, 'insufficient_stock');
      assert.equal(await waiting(), 0);
      await dealtWith();
      assert.deepEqual(await runsOf(trigger), []);
      await switchOff(trigger);
    });

    test('§10, loop guard: what a run causes starts neither its own task again nor one whose runs led to it', async () => {
      const tasks = [await makeTask(app(), WRITER), await makeTask(app(), WRITER), await makeTask(app(), WRITER)];
      const [a, b, c] = await Promise.all(tasks.map((taskId) => make({ event: 'order.status_changed' }, taskId)));
      assert.ok(a && b && c);
      const { id: orderId } = await insertOrder(app().store);
      const counts = async () => [(await runsOf(a)).length, (await runsOf(b)).length, (await runsOf(c)).length];
      /** A run of this task, opened by a trigger, changes the order. */
      const act = async (taskId: number, status: string): Promise<void> => {
        const runs = (await app().client.ai_tasks.list_runs(taskId)).filter((run) => run.status === 'running');
        const [run] = runs;
        assert.ok(run && runs.length === 1);
        await app().store.write((db) => sql`UPDATE runs SET priority = 1000 WHERE id = ${run.id}`.execute(db));
        const side = await claimRun(app(), { taskId, runId: run.id, path: `/admin/api/ai-tasks/${taskId}/runs/${run.id}` });
        assert.equal((await side.call('PATCH', `/orders/${orderId}/status`, { status })).status, 204);
        await side.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
        await dealtWith();
      };
      const first = await claimedRun(app(), {}, tasks[0]);
      assert.equal((await first.call('PATCH', `/orders/${orderId}/status`, { status: 'processing' })).status, 204);
      await first.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
      await dealtWith();
      assert.deepEqual(await counts(), [0, 1, 1], 'a person started A; A started B and C');
      await switchOff(c);
      await act(b.task_id, 'shipped');
      assert.deepEqual(await counts(), [0, 1, 1], 'B, started by A, starts neither A nor B');
      await app().client.ai_tasks.update_trigger(c.task_id, c.id, { enabled: true });
      await act(c.task_id, 'delivered');
      assert.deepEqual(await counts(), [0, 2, 1], 'C, started by A, starts B, for B did not lead to it');
      await act(b.task_id, 'processing');
      assert.deepEqual(await counts(), [0, 2, 1], 'that B, started by A and C, starts nothing');
      await app().client.orders.update_status(orderId, { status: 'shipped' });
      await dealtWith();
      assert.deepEqual(await counts(), [1, 3, 2], 'a person starts all');
      await switchOff(a, b, c);
    });

    test('§10, loop guard: a task that looks after failed runs does not look after its own', async () => {
      const trigger = await make({ event: 'task.run_failed' });
      const fail = (taskId: number, runId: number) =>
        app().request({
          method: 'PATCH',
          path: `/admin/api/ai-tasks/${taskId}/runs/${runId}`,
          body: { events: [{ kind: 'finalize', status: 'failed' }] },
        });
      const failing = await openRun(app(), { executor: 'external' });
      assert.equal(codeOf(await fail(failing.taskId, failing.runId))[0], 204);
      await dealtWith();
      const [run] = await runsOf(trigger);
      assert.ok(run);
      assert.equal(eventIn(run).data.run_id, failing.runId);
      assert.equal((await fail(trigger.task_id, run.id)).status, 204);
      await dealtWith();
      assert.equal((await runsOf(trigger)).length, 1);
      await switchOff(trigger);
    });

    test('§6, §10: of a dry run there is no event, not even of its failure; of a plan that is carried out there is', async () => {
      const own = await makeTask(app(), WRITER);
      const triggers = [
        await make({ event: 'order.status_changed' }),
        await make({ event: 'order.status_changed' }, own),
        await make({ event: 'task.run_failed' }),
      ];
      const counts = () => Promise.all(triggers.map(async (trigger) => (await runsOf(trigger)).length));
      const dryRun = async (end: 'success' | 'failed') => {
        const { id } = await insertOrder(app().store);
        const run = await claimedRun(app(), { dry_run: true }, own);
        assert.equal((await run.call('PATCH', `/orders/${id}/status`, { status: 'shipped' })).status, 204);
        await run.report([{ kind: 'finalize', status: end }]);
        return run;
      };
      await dryRun('failed');
      const planned = await dryRun('success');
      assert.equal(await waiting(), 0);
      await dealtWith();
      assert.deepEqual(await counts(), [0, 0, 0]);
      await app().client.ai_tasks.apply_run(own, planned.runId);
      await dealtWith();
      assert.deepEqual(await counts(), [1, 0, 0], 'what was planned by a task does not start it');
      await switchOff(...triggers);
    });

    test('§10, §2: what opens no run is logged; a fault is told once', async () => {
      const { client, store } = app();
      const busyTask = await makeTask(app(), {}, { concurrency: { limit: 1, overflow: 'skip' } });
      await client.ai_tasks.start_run(busyTask, {});
      const [busy, faulty] = [await make({ event: 'order.status_changed' }, busyTask), await make({ event: 'order.status_changed' })];
      await store.write((db) => sql`UPDATE task_versions SET approved_by = NULL WHERE task_id = ${faulty.task_id}`.execute(db));
      for (let n = 0; n < 2; n += 1) await changedOrder();
      await dealtWith();
      assert.deepEqual([await runsOf(busy), await runsOf(faulty)], [[], []]);
      const [skipped, failed] = [await logsOf(busy, 'trigger.skipped'), await logsOf(faulty, 'trigger.failed')];
      const told = failed.map(({ detail }) => JSON.parse(detail ?? '{}'));
      assert.deepEqual([new Set(told.map(({ event_id }) => event_id)).size, told[0]?.event], [2, 'order.status_changed']);
      assert.deepEqual([skipped.length, failed[0]?.status], [2, 'failed']);
      assert.match(skipped[0]?.summary ?? '', /trigger \d+ opened no run: Task \d+ already has 1 open run/);
      assert.match((await get(faulty)).last_error ?? '', /no approved version/);
      const news = (await client.notifications.list({ limit: 100 })).notifications.filter(
        ({ type, metadata }) => type === 'ai_task_not_started' && metadata?.['trigger_id'] === faulty.id,
      );
      assert.equal(news.length, 1);
      await store.write((db) => sql`UPDATE task_versions SET approved_by = 1 WHERE task_id = ${faulty.task_id}`.execute(db));
      await changedOrder();
      await dealtWith();
      assert.deepEqual([(await get(faulty)).last_error, (await runsOf(faulty)).length], [null, 1]);
      await switchOff(busy, faulty);
    });

    test('§10: switched off, its task deleted or its creator deactivated, it starts nothing', async () => {
      const { client, store } = app();
      const maker = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
      const [off, deleted, left] = [
        await make({ event: 'order.status_changed' }),
        await make({ event: 'order.status_changed' }),
        await app()
          .clientFor(maker.token)
          .ai_tasks.create_trigger(await makeTask(app()), { event: 'order.status_changed' }),
      ];
      const { id } = await insertOrder(store);
      await store.write(async (db) => {
        // What waits when the switch is turned is not started either.
        await sql`INSERT INTO domain_events (type, data, at) VALUES ('order.status_changed', ${JSON.stringify({ order_id: id, status: 'shipped', previous_status: 'pending' })}, '2026-01-01T00:00:00.000Z')`.execute(
          db,
        );
        await sql`UPDATE triggers SET enabled = 0 WHERE id = ${off.id}`.execute(db);
        await sql`INSERT INTO trigger_deliveries (trigger_id, event_id, due_ms) SELECT ${off.id}, max(id), 0 FROM domain_events`.execute(
          db,
        );
      });
      await client.ai_tasks.delete(deleted.task_id);
      await client.admins.update(maker.adminId, { active: false });
      await changedOrder();
      await dealtWith();
      for (const trigger of [off, deleted, left]) assert.deepEqual(await runsOf(trigger), []);
      assert.match((await logsOf(off, 'trigger.skipped'))[0]?.summary ?? '', /switched off meanwhile/);
      assert.match((await logsOf(left, 'trigger.failed'))[0]?.summary ?? '', /is deactivated/);
      assert.deepEqual(await logsOf(deleted, 'trigger.failed'), []);
      await refused(client.ai_tasks.create_trigger(deleted.task_id, { event: 'order.paid' }), 409, 'task_deleted');
      await switchOff(left).catch(() => undefined);
    });

    test('§10: one that breaks holds up no other', async () => {
      const [broken, sound] = [await make({ event: 'order.status_changed' }), await make({ event: 'order.status_changed' })];
      await app().store.write((db) => sql`UPDATE triggers SET parameters = 'broken' WHERE id = ${broken.id}`.execute(db));
      await changedOrder();
      await dealtWith();
      assert.equal((await runsOf(sound)).length, 1);
      const { rows } = await sql`SELECT event_id FROM trigger_deliveries WHERE trigger_id = ${broken.id} AND due_ms > 0`.execute(
        app().store.reader,
      );
      assert.equal(rows.length, 1, 'it is tried again later');
      await app().store.write((db) => sql`DELETE FROM triggers WHERE id = ${broken.id}`.execute(db));
      await switchOff(sound);
    });

    test('§10: three servers on one database open one run for each event and trigger', {
      skip: engine === 'sqlite' && 'SQLite has one server',
    }, async () => {
      const ORDERS = 40;
      const servers = [app(), ...(await Promise.all([1, 2].map(() => startApp('postgres', { databaseUrl: app().databaseUrl }))))];
      const [one, two] = [await make({ event: 'order.status_changed' }), await make({ event: 'order.status_changed' })];
      const orders = await Promise.all(Array.from({ length: ORDERS }, () => insertOrder(app().store)));
      await Promise.all(orders.map(({ id }, n) => servers[n % servers.length]?.client.orders.update_status(id, { status: 'processing' })));
      await settled();
      for (const trigger of [one, two]) {
        const { rows } = await sql<{
          parameters: string;
        }>`SELECT parameters FROM runs WHERE started_by = ${`trigger:${trigger.id}`}`.execute(app().store.reader);
        const told = rows.map(({ parameters }) => JSON.parse(parameters).event.data.order_id);
        assert.deepEqual(told.sort(), orders.map(({ id }) => id).sort());
      }
      for (const server of servers.slice(1)) await server.close();
      await switchOff(one, two);
    });
  },
  { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } },
);
