import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type EventType, events } from '../../contract/events.ts';
import { onBothStores, startApp } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { makeTask, openRun } from '../helpers/runs.ts';
import { breakTrigger, removeBrokenTrigger, storeEventThatWaits } from '../helpers/stored-rows/automation.ts';
import { storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';
import { deliver, eventOf, STRIPE_SECRET, subscriptionObject } from '../helpers/stripe-double.ts';
import { triggers as triggersOf } from '../helpers/triggers.ts';

onBothStores(
  'triggers',
  (app, engine) => {
    const { make, get, runsOf, eventIn, waiting, settled, dealtWith, changedOrder, logsOf, switchOff } = triggersOf(app);

    test('TG1: a trigger is created, read, changed and deleted', async () => {
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

    test('TG1: the filter must fit the event’s data, the parameters the task’s version', async () => {
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
      assert.equal(nested.errors[0]?.detail, 'must be a string, a number, a boolean, null or an array, not an object');
      const list = await refused(create({ filter: [] }), 422, 'invalid_type');
      assert.equal(list.errors[0]?.detail, 'must be an object, not an array');
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

    test('TG1: every event of the shop can start a run, which gets the event as a parameter', async () => {
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

      const variant = await makeVariant(app(), { stock: 7 });
      const order = await client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 3 }]));
      await client.orders.update_payment_status(order.id, { payment_status: 'paid' });
      await client.orders.update_status(order.id, { status: 'processing' });
      await client.orders.edit(order.id, { customer: { name: 'Somebody else' } });
      await client.customers.create({ name: 'Ann', email: `ann-${engine}@example.com` });
      const subscribed = await storeSubscriptionOrder(store);
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

    test('TG1: a trigger starts runs only for events that pass its filter, also a filter on one of several products', async () => {
      const { client } = app();
      const [one, two] = [await makeVariant(app()), await makeVariant(app())];
      const [shipped, added] = [
        await make({ event: 'order.status_changed', filter: { status: ['shipped', 'delivered'] } }),
        await make({ event: 'order.edited', filter: { added_product_ids: two.product_id } }),
      ];
      await changedOrder('processing');
      const sent = await changedOrder('shipped');
      const order = await makeOrder(app(), {}, [{ variant: one, quantity: 1 }]);
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

    test('TG1: a refused request makes no event', async () => {
      const { client } = app();
      const variant = await makeVariant(app(), { stock: 1 });
      const { id } = await makeOrder(app(), { status: 'cancelled' }, [{ variant, quantity: 1 }]);
      await client.products.change_stock(variant.id, { delta: -1, reason: 'broken' });
      const trigger = await make({ event: 'order.status_changed' });
      await refused(client.orders.update_status(id, { status: 'pending' }), 409, 'insufficient_stock');
      assert.equal(await waiting(), 0);
      await dealtWith();
      assert.deepEqual(await runsOf(trigger), []);
      await switchOff(trigger);
    });

    test('TG3: an event that opens no run is logged each time; a fault is notified once', async () => {
      const { client } = app();
      const busyTask = await makeTask(app(), {}, { concurrency: { limit: 1, overflow: 'skip' } });
      await client.ai_tasks.start_run(busyTask, {});
      const [busy, faulty] = [await make({ event: 'order.status_changed' }, busyTask), await make({ event: 'order.status_changed' })];
      const { task } = await client.ai_tasks.get(faulty.task_id);
      await client.ai_tasks.revoke_version(faulty.task_id, task.current_version_id ?? 0, {});
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
      await client.ai_tasks.create_version(faulty.task_id, { source_code: 'log(2)', permissions: [], parameters: [] });
      await changedOrder();
      await dealtWith();
      assert.deepEqual([(await get(faulty)).last_error, (await runsOf(faulty)).length], [null, 1]);
      await switchOff(busy, faulty);
    });

    test('TG3: a trigger starts nothing when it is off, its task is deleted or its creator deactivated', async () => {
      const { client, store } = app();
      const maker = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
      const [off, deleted, left] = [
        await make({ event: 'order.status_changed' }),
        await make({ event: 'order.status_changed' }),
        await app()
          .clientFor(maker.token)
          .ai_tasks.create_trigger(await makeTask(app()), { event: 'order.status_changed' }),
      ];
      const { id } = await makeOrder(app());
      await storeEventThatWaits(store, off.id, id);
      await client.ai_tasks.delete(deleted.task_id);
      await client.admins.update(maker.adminId, { active: false });
      await changedOrder();
      await dealtWith();
      for (const trigger of [off, deleted, left]) assert.deepEqual(await runsOf(trigger), []);
      assert.match((await logsOf(off, 'trigger.skipped'))[0]?.summary ?? '', /was switched off after the event/);
      assert.match((await logsOf(left, 'trigger.failed'))[0]?.summary ?? '', /is deactivated/);
      assert.deepEqual(await logsOf(deleted, 'trigger.failed'), []);
      await refused(client.ai_tasks.create_trigger(deleted.task_id, { event: 'order.paid' }), 409, 'task_deleted');
      await switchOff(left).catch(() => undefined);
    });

    test('TG3: after an edit a trigger acts for the admin who edited it, who needs the right to its file parameters', async () => {
      const { client, clientFor, store } = app();
      const sold = await client.files.create({ file: { filename: 'sold.pdf', content: 'sold' } });
      const taskId = await makeTask(app(), { permissions: ['file_upload'], parameters: [{ name: 'doc', kind: 'file' }] });
      const clerk = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
      const clerks = clientFor(clerk.token).ai_tasks;
      const body = { event: 'order.status_changed' as const, parameters: { doc: sold.id } };
      await refused(clerks.create_trigger(taskId, body), 403, 'forbidden');
      const trigger = await make(body, taskId);
      await refused(clerks.update_trigger(taskId, trigger.id, { filter: { status: 'shipped' } }), 403, 'forbidden');
      const edited = await clerks.update_trigger(taskId, trigger.id, { parameters: {} });
      assert.deepEqual([edited.created_by, edited.acts_for], [trigger.created_by, clerk.adminId]);
      await changedOrder();
      await dealtWith();
      const { rows } = await sql<{ admin: number }>`SELECT started_by_admin_id AS admin FROM runs WHERE task_id = ${taskId}`.execute(
        store.reader,
      );
      assert.deepEqual(
        rows.map(({ admin }) => admin),
        [clerk.adminId],
      );
      await switchOff(trigger);
    });

    test('TG3: a broken trigger does not hold up others', async () => {
      const [broken, sound] = [await make({ event: 'order.status_changed' }), await make({ event: 'order.status_changed' })];
      await breakTrigger(app().store, broken.id);
      await changedOrder();
      await dealtWith();
      assert.equal((await runsOf(sound)).length, 1);
      const { rows } = await sql`SELECT event_id FROM trigger_deliveries WHERE trigger_id = ${broken.id} AND due_ms > 0`.execute(
        app().store.reader,
      );
      assert.equal(rows.length, 1, 'the broken trigger is tried again later');
      await removeBrokenTrigger(app().store, broken.id);
      await switchOff(sound);
    });

    test('TG1, TG3: three servers on one database open one run for each event and trigger', {
      skip: engine === 'sqlite' && 'SQLite has one server',
    }, async () => {
      const ORDERS = 40;
      const servers = [app(), ...(await Promise.all([1, 2].map(() => startApp('postgres', { databaseUrl: app().databaseUrl }))))];
      const [one, two] = [await make({ event: 'order.status_changed' }), await make({ event: 'order.status_changed' })];
      const orders = await Promise.all(Array.from({ length: ORDERS }, () => makeOrder(app())));
      await Promise.all(orders.map(({ id }, n) => servers[n % servers.length]?.client.orders.update_status(id, { status: 'processing' })));
      await settled();
      for (const trigger of [one, two]) {
        const told = (await runsOf(trigger)).map((run) => eventIn(run).data.order_id);
        assert.deepEqual(told.sort(), orders.map(({ id }) => id).sort());
      }
      for (const server of servers.slice(1)) await server.close();
      await switchOff(one, two);
    });
  },
  { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } },
);
