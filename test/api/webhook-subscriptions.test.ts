import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { storeSubscription, storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';
import { deliver, eventOf, invoiceObject, STRIPE_SECRET, sessionObject, subscriptionObject } from '../helpers/stripe-double.ts';

onBothStores(
  'SU3: subscriptions that the provider reports',
  (app) => {
    const tell = async (event: object) => {
      const answer = await deliver(app(), event);
      assert.equal(answer.status, 200, answer.text);
    };
    const lastLog = async () => (await app().client.logs.list({ source: 'webhook' })).logs[0];
    const byOrder = async (product_id: number) => (await app().client.subscriptions.list({ product_id })).data;
    const domainEvents = async (subscriptionId: number) => {
      const rows = await app().store.reader.selectFrom('domain_events').select(['type', 'data']).orderBy('id').execute();
      return rows.filter(({ data }) => JSON.parse(data).subscription_id === subscriptionId).map(({ type }) => type);
    };

    test('SU3: a subscription that names an order is created for the order’s line with the provider’s values', async () => {
      for (const reference of ['id', 'public_id'] as const) {
        const { order, product } = await storeSubscriptionOrder(app().store, { order: { payment_status: 'pending' } });
        const metadata = reference === 'id' ? { order_id: String(order.id) } : { order_public_id: order.public_id };
        const item = { quantity: 2, current_period_start: 1_772_323_200, current_period_end: 1_774_915_200 };
        const object = subscriptionObject({ status: 'trialing', customer: 'cus_told', metadata, item });
        await tell(eventOf('customer.subscription.created', object));
        const [made] = await byOrder(product.id);
        assert.ok(made);
        const detail = await app().client.subscriptions.get(made.id);
        assert.deepEqual(
          [detail.status, detail.provider, detail.external_subscription_id, detail.external_customer_id, detail.quantity],
          ['trialing', 'stripe', object.id, 'cus_told', 2],
        );
        assert.deepEqual(
          [detail.initial_order_id, detail.unit_amount, detail.current_period_start, detail.current_period_end],
          [order.id, '€19.90', '2026-03-01T00:00:00.000Z', '2026-03-31T00:00:00.000Z'],
        );
        assert.deepEqual(await domainEvents(made.id), ['subscription.created']);
        const entry = await lastLog();
        assert.deepEqual([entry?.action, entry?.status], ['stripe.customer.subscription.created', 'success']);
        assert.equal(JSON.parse(entry?.detail ?? '').subscription_id, made.id);
      }
    });

    test('SU3: status, period, price and coming end of a subscription follow its events', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      const object = (values: object) => subscriptionObject({ id: external_subscription_id, ...values });
      const steps = [
        [{ status: 'past_due' }, { status: 'past_due' }],
        [{ status: 'unpaid' }, { status: 'unpaid' }],
        [{ status: 'paused' }, { status: 'unpaid' }],
        [{ status: 'active' }, { status: 'active' }],
        [
          { cancel_at_period_end: true, cancel_at: 1_775_044_800, canceled_at: 1_772_366_400 },
          { cancel_at_period_end: true, canceled_at: '2026-03-01T12:00:00.000Z', status: 'active' },
        ],
        [{}, { cancel_at_period_end: false, canceled_at: null }],
        // With flexible billing the customer portal sets cancel_at instead of cancel_at_period_end.
        [{ cancel_at: 1_775_044_800 }, { cancel_at_period_end: true }],
        [{ cancel_at: 1_999_999_999 }, { cancel_at_period_end: false }],
        [
          { item: { quantity: 5, price: { unit_amount: 2500, recurring: { interval: 'week', interval_count: 2 } } } },
          { quantity: 5, unit_amount_cents: 2500, unit_amount: '€25.00', billing_interval: 'week', billing_interval_count: 2 },
        ],
        [
          { status: 'canceled', ended_at: 1_772_370_000, canceled_at: 1_772_366_400 },
          { status: 'canceled', ended_at: '2026-03-01T13:00:00.000Z' },
        ],
      ] as const;
      let minute = 0;
      for (const [told, shown] of steps) {
        minute += 1;
        const type = 'status' in told && told.status === 'canceled' ? 'deleted' : 'updated';
        await tell(eventOf(`customer.subscription.${type}`, object(told), { at: `2026-03-02T10:${String(minute).padStart(2, '0')}:00Z` }));
        const detail = await app().client.subscriptions.get(id);
        assert.deepEqual({ ...detail, ...shown }, detail, JSON.stringify(told));
      }
      assert.deepEqual(await domainEvents(id), ['subscription.canceled']);
      const { headers } = await app().request({ path: `/admin/api/subscriptions/${id}` });
      assert.match(headers['etag'] ?? '', new RegExp(`^"subscription-${id}-\\d+\\.[\\w-]+"$`));
    });

    test('SU3: an unknown status changes nothing and is logged', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      await tell(eventOf('customer.subscription.updated', subscriptionObject({ id: external_subscription_id, status: 'dormant' })));
      assert.equal((await app().client.subscriptions.get(id)).status, 'active');
      assert.match((await lastLog())?.summary ?? '', /status dormant .* is not a known one/);
    });

    test('SU3: events of older API versions, with other places for period and subscription, are understood', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      const item = { current_period_start: undefined, current_period_end: undefined };
      const period = { current_period_start: 1_767_225_600, current_period_end: 1_769_904_000 };
      await tell(eventOf('customer.subscription.updated', subscriptionObject({ id: external_subscription_id, item, ...period })));
      assert.equal((await app().client.subscriptions.get(id)).current_period_start, '2026-01-01T00:00:00.000Z');
      const invoice = invoiceObject(null, { subscription: external_subscription_id, payment_intent: 'pi_of_old', parent: undefined });
      await tell(eventOf('invoice.paid', invoice));
      assert.equal((await app().client.subscriptions.list_invoices(id))[0]?.external_payment_intent, 'pi_of_old');
    });

    test('an older event never overwrites a newer one', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      const object = (values: object) => subscriptionObject({ id: external_subscription_id, ...values });
      await tell(eventOf('customer.subscription.updated', object({ status: 'past_due' }), { at: '2026-03-05T12:00:00Z' }));
      const before = await app().client.subscriptions.get(id);
      await tell(eventOf('customer.subscription.updated', object({ status: 'active' }), { at: '2026-03-05T11:59:59Z' }));
      await tell(eventOf('customer.subscription.created', object({ status: 'incomplete' }), { at: '2026-03-01T12:00:00Z' }));
      assert.deepEqual(await app().client.subscriptions.get(id), before);
      const entry = await lastLog();
      assert.deepEqual(
        [entry?.status, entry?.summary],
        ['ignored', `customer.subscription.created: a newer event of subscription ${id} was applied already`],
      );
    });

    test('events of the same second apply in the order created, updated by their previous values, deleted', async () => {
      const at = '2026-03-05T12:00:00Z';
      const ends = [];
      for (const reversed of [false, true]) {
        const { id, external_subscription_id } = await storeSubscription(app().store, { status: 'incomplete' });
        const object = (status: string) => subscriptionObject({ id: external_subscription_id, status });
        const events = [
          eventOf('customer.subscription.created', object('incomplete'), { at }),
          eventOf('customer.subscription.updated', object('active'), { at, before: { status: 'incomplete' } }),
          eventOf('customer.subscription.updated', object('past_due'), { at, before: { status: 'active' } }),
        ];
        for (const event of reversed ? events.toReversed() : events) await tell(event);
        ends.push((await app().client.subscriptions.get(id)).status);
        const gone = eventOf('customer.subscription.deleted', { ...object('canceled'), canceled_at: 1_772_712_000 }, { at });
        await tell(gone);
        await tell(eventOf('customer.subscription.updated', object('active'), { at, before: { status: 'past_due' } }));
        ends.push((await app().client.subscriptions.get(id)).status);
      }
      assert.deepEqual(ends, ['past_due', 'canceled', 'past_due', 'canceled']);
    });

    test('an ended subscription stays ended, whatever event arrives later', async () => {
      for (const status of ['canceled', 'incomplete_expired'] as const) {
        const at = '2026-03-02T00:00:00.000Z';
        const { id, external_subscription_id } = await storeSubscription(app().store, { status, canceled_at: at, ended_at: at });
        await tell(
          eventOf('customer.subscription.updated', subscriptionObject({ id: external_subscription_id }), { at: '2026-03-09T00:00:00Z' }),
        );
        const detail = await app().client.subscriptions.get(id);
        assert.deepEqual([detail.status, detail.canceled_at, detail.ended_at], [status, at, at]);
      }
    });

    test('events of an unknown subscription wait for it, and then apply by their time', async () => {
      const { order, product } = await storeSubscriptionOrder(app().store);
      const object = subscriptionObject({ status: 'active' });
      const invoice = invoiceObject(object.id);
      await tell(eventOf('invoice.paid', invoice, { at: '2026-03-01T12:00:02Z' }));
      await tell(eventOf('invoice.created', { ...invoice, status: 'draft', amount_paid: 0 }, { at: '2026-03-01T12:00:00Z' }));
      await tell(
        eventOf('invoice_payment.paid', { object: 'invoice_payment', invoice: invoice.id, payment: { payment_intent: 'pi_late' } }),
      );
      await tell(eventOf('customer.subscription.updated', { ...object, status: 'past_due' }, { at: '2026-04-01T12:00:00Z' }));
      await tell(eventOf('customer.subscription.created', { ...object, status: 'incomplete' }, { at: '2026-03-01T12:00:00Z' }));
      assert.equal((await lastLog())?.status, 'waiting');
      assert.deepEqual(await byOrder(product.id), []);
      // An admin activates the subscription for its order (spec O23).
      const { id } = await app().client.subscriptions.activate(order.id, {
        external_subscription_id: object.id,
        external_customer_id: 'cus',
      });
      assert.equal((await app().client.subscriptions.get(id)).status, 'past_due');
      const [shown, ...others] = await app().client.subscriptions.list_invoices(id);
      assert.deepEqual(others, []);
      assert.deepEqual([shown?.status, shown?.amount_paid_cents, shown?.external_payment_intent], ['paid', 1990, 'pi_late']);
      const waiting = await app().store.reader.selectFrom('webhook_events').select('event_id').where('waits_for', 'is not', null).execute();
      assert.deepEqual(waiting, []);
    });

    test('a checkout links a subscription to its order, before or after the subscription’s own event', async () => {
      for (const checkoutFirst of [true, false]) {
        const { order, product } = await storeSubscriptionOrder(app().store, { order: { payment_status: 'pending' } });
        const object = subscriptionObject({ status: 'trialing', customer: 'cus_checkout' });
        const session = sessionObject({
          mode: 'subscription',
          subscription: object.id,
          customer: 'cus_checkout',
          payment_intent: null,
          invoice: `in_of_${object.id}`,
          client_reference_id: order.public_id,
          amount_total: order.total,
        });
        const events = [eventOf('checkout.session.completed', session), eventOf('customer.subscription.created', object)];
        for (const event of checkoutFirst ? events : events.toReversed()) await tell(event);
        const [made] = await byOrder(product.id);
        assert.deepEqual([made?.status, made?.external_subscription_id, made?.provider], ['trialing', object.id, 'stripe']);
        assert.equal((await app().client.orders.get(order.id)).payment_status, 'paid');
      }
    });

    test('an event creates no subscription for an order without a free subscription line', async () => {
      const plain = await makeOrder(app(), {}, [{ variant: await makeVariant(app()), quantity: 1 }]);
      const { order, product } = await storeSubscriptionOrder(app().store);
      await app().client.subscriptions.activate(order.id, {
        external_subscription_id: `sub_taken_${order.id}`,
        external_customer_id: 'cus',
      });
      for (const { id } of [plain, order]) {
        await tell(eventOf('customer.subscription.created', subscriptionObject({ metadata: { order_id: String(id) } })));
        const entry = await lastLog();
        assert.equal(entry?.status, 'ignored');
        assert.match(entry?.summary ?? '', /no subscription line without a subscription/);
      }
      assert.equal((await byOrder(product.id)).length, 1);
    });

    test('invoices follow their events from draft to paid or deleted, with the period of their lines', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      const draft = invoiceObject(external_subscription_id, { status: 'draft', amount_paid: 0, total: 1000, hosted_invoice_url: null });
      await tell(eventOf('invoice.created', draft, { at: '2026-03-01T12:00:00Z' }));
      await tell(eventOf('invoice.finalized', { ...draft, status: 'open', total: 1990 }, { at: '2026-03-01T13:00:00Z' }));
      const [open] = await app().client.subscriptions.list_invoices(id);
      assert.deepEqual(
        [open?.status, open?.amount_total, open?.amount_paid, open?.hosted_invoice_url, open?.external_payment_intent],
        ['open', '€19.90', '€0.00', null, ''],
      );
      assert.deepEqual([open?.period_start, open?.period_end], ['2026-03-01T12:00:00.000Z', '2026-04-01T12:00:00.000Z']);
      const payments = { data: [{ payment: { type: 'payment_intent', payment_intent: 'pi_1' } }] };
      await tell(
        eventOf('invoice.paid', { ...draft, status: 'paid', total: 1990, amount_paid: 1990, payments }, { at: '2026-03-01T13:00:00Z' }),
      );
      await tell(eventOf('invoice.finalized', { ...draft, status: 'open' }, { at: '2026-03-01T13:00:00Z' }));
      const [paid] = await app().client.subscriptions.list_invoices(id);
      assert.deepEqual([paid?.id, paid?.status, paid?.amount_paid_cents, paid?.external_payment_intent], [open?.id, 'paid', 1990, 'pi_1']);
      const other = invoiceObject(external_subscription_id, { status: 'draft' });
      await tell(eventOf('invoice.created', other));
      await tell(eventOf('invoice.deleted', other, { at: '2026-03-02T12:00:00Z' }));
      await tell(eventOf('invoice.updated', other));
      assert.equal((await app().client.subscriptions.list_invoices(id)).length, 1);
    });

    test('amounts are stored in the shop’s minor units, also for currencies where Stripe uses others', async () => {
      const { id, external_subscription_id } = await storeSubscription(app().store);
      for (const [currency, total] of [
        ['jpy', 1200],
        ['isk', 99_000],
        ['kwd', 1230],
        ['huf', 499_000],
      ] as const) {
        await tell(eventOf('invoice.paid', invoiceObject(external_subscription_id, { currency, total, amount_paid: total })));
      }
      const invoices = (await app().client.subscriptions.list_invoices(id)).toReversed();
      assert.deepEqual(
        invoices.map(({ currency, amount_total_cents }) => [currency, amount_total_cents]),
        [
          ['JPY', 1200],
          ['ISK', 990],
          ['KWD', 1230],
          ['HUF', 499_000],
        ],
      );
    });

    test('an event without effect in the shop is stored and logged as ignored', async () => {
      for (const type of ['invoice.upcoming', 'customer.subscription.trial_will_end', 'price.created', 'v1.something_new']) {
        const event = eventOf(type, { object: 'whatever' });
        await tell(event);
        assert.deepEqual([(await lastLog())?.action, (await lastLog())?.status], [`stripe.${type}`, 'ignored']);
        const stored = await app().store.reader.selectFrom('webhook_events').select('payload').where('event_id', '=', event.id).execute();
        assert.deepEqual(JSON.parse(stored[0]?.payload ?? ''), event);
      }
    });
  },
  { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } },
);
