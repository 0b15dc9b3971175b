import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';
import { storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';
import {
  chargeObject,
  deliver,
  eventOf,
  invoiceObject,
  paymentIntentObject,
  STRIPE_SECRET,
  sessionObject,
  subscriptionObject,
} from '../helpers/stripe-double.ts';

onBothStores(
  'payments that the provider reports',
  (app) => {
    const tell = async (event: object) => {
      const answer = await deliver(app(), event);
      assert.equal(answer.status, 200, answer.text);
    };
    const order = (values: { total?: number; currency?: string } = {}) =>
      storeOrder(app().store, { payment_status: 'pending', payment_provider: 'stripe', total: 1000, ...values });
    const shown = async (id: number) => {
      const { payment_status, paid_total_cents, balance_due_cents } = await app().client.orders.get(id);
      return [payment_status, paid_total_cents, balance_due_cents];
    };
    const lastLog = async () => (await app().client.logs.list({ source: 'webhook' })).logs[0];

    test('SU3: a payment pays the order that its metadata names by id or public id; order.paid is made once', async () => {
      for (const name of ['order_id', 'order_public_id', 'public_id'] as const) {
        const { id, public_id } = await order();
        const metadata = { [name]: name === 'order_id' ? String(id) : public_id };
        await tell(eventOf('payment_intent.processing', paymentIntentObject({ metadata, status: 'processing', amount_received: 0 })));
        assert.deepEqual(await shown(id), ['pending', 0, 1000]);
        const payment = paymentIntentObject({ metadata });
        await tell(eventOf('payment_intent.succeeded', payment, { at: '2026-03-01T12:01:00Z' }));
        await tell(eventOf('payment_intent.succeeded', payment, { at: '2026-03-01T12:01:00Z' }));
        assert.deepEqual(await shown(id), ['paid', 1000, 0]);
        const events = await app().store.reader.selectFrom('domain_events').select(['type', 'data']).execute();
        assert.equal(events.filter(({ type, data }) => type === 'order.paid' && JSON.parse(data).order_id === id).length, 1);
      }
      const entry = await lastLog();
      assert.deepEqual([entry?.action, entry?.status], ['stripe.payment_intent.succeeded', 'ignored']);
    });

    test('SU3: a failed payment makes an unpaid order failed until another succeeds; a paid order stays paid', async () => {
      const { id } = await order();
      const metadata = { order_id: String(id) };
      const [first, second, third] = [
        paymentIntentObject({ metadata }),
        paymentIntentObject({ metadata }),
        paymentIntentObject({ metadata }),
      ];
      await tell(eventOf('payment_intent.payment_failed', first, { at: '2026-03-01T12:00:00Z' }));
      assert.deepEqual(await shown(id), ['failed', 0, 1000]);
      assert.match((await lastLog())?.summary ?? '', /failed \(was pending\)/);
      await tell(eventOf('payment_intent.processing', second, { at: '2026-03-01T12:05:00Z' }));
      assert.deepEqual(await shown(id), ['pending', 0, 1000]);
      await tell(eventOf('payment_intent.succeeded', second, { at: '2026-03-01T12:06:00Z' }));
      await tell(eventOf('payment_intent.payment_failed', third, { at: '2026-03-01T12:07:00Z' }));
      await tell(eventOf('payment_intent.payment_failed', second, { at: '2026-03-01T12:08:00Z' }));
      assert.deepEqual(await shown(id), ['paid', 1000, 0]);
    });

    test('an older event of a payment changes nothing; within one second its status only moves forward', async () => {
      const { id } = await order();
      const payment = paymentIntentObject({ metadata: { order_id: String(id) } });
      await tell(eventOf('payment_intent.payment_failed', payment, { at: '2026-03-01T12:05:00Z' }));
      await tell(eventOf('payment_intent.processing', payment, { at: '2026-03-01T12:04:00Z' }));
      await tell(eventOf('payment_intent.processing', payment, { at: '2026-03-01T12:05:00Z' }));
      assert.deepEqual(await shown(id), ['failed', 0, 1000]);
      await tell(eventOf('payment_intent.succeeded', payment, { at: '2026-03-01T12:05:00Z' }));
      assert.deepEqual(await shown(id), ['paid', 1000, 0]);
    });

    test('C3: a payment below the total leaves the order pending and shows the paid total', async () => {
      const { id } = await order();
      const metadata = { order_id: String(id) };
      await tell(eventOf('payment_intent.succeeded', paymentIntentObject({ metadata, amount: 400, amount_received: 400 })));
      assert.deepEqual(await shown(id), ['pending', 400, 600]);
      assert.equal((await app().client.orders.get(id)).payment_progress, 'partial');
      await tell(eventOf('payment_intent.succeeded', paymentIntentObject({ metadata, amount: 600, amount_received: 600 })));
      assert.deepEqual(await shown(id), ['paid', 1000, 0]);
    });

    test('a payment in another currency than the order’s pays it whole', async () => {
      const { id } = await order();
      const payment = paymentIntentObject({ metadata: { order_id: String(id) }, currency: 'huf', amount: 7, amount_received: 7 });
      await tell(eventOf('payment_intent.succeeded', payment));
      assert.deepEqual(await shown(id), ['paid', 1000, 0]);
    });

    test('SU3: a partial refund leaves the order paid, a full one makes it refunded, in whatever order they arrive', async () => {
      const { id } = await order();
      const payment = paymentIntentObject({ metadata: { order_id: String(id) } });
      await tell(eventOf('payment_intent.succeeded', payment));
      const charge = (amount_refunded: number) =>
        chargeObject({ payment_intent: payment.id, amount_refunded, refunded: amount_refunded === 1000 });
      await tell(eventOf('charge.refunded', charge(300), { at: '2026-03-02T12:00:00Z' }));
      assert.deepEqual(await shown(id), ['paid', 700, 300]);
      await tell(eventOf('charge.refunded', charge(1000), { at: '2026-03-03T12:00:00Z' }));
      await tell(eventOf('charge.refunded', charge(500), { at: '2026-03-02T13:00:00Z' }));
      assert.deepEqual(await shown(id), ['refunded', 0, 1000]);
      // The bank has returned the refund.
      await tell(eventOf('charge.updated', charge(0), { at: '2026-03-05T12:00:00Z' }));
      assert.deepEqual(await shown(id), ['paid', 1000, 0]);
    });

    test('a refund that arrives before its payment makes the order refunded, also after the payment', async () => {
      const { id } = await order();
      const metadata = { order_id: String(id) };
      const payment = paymentIntentObject({ metadata });
      await tell(
        eventOf('charge.refunded', chargeObject({ payment_intent: payment.id, metadata, amount_refunded: 1000 }), {
          at: '2026-03-03T12:00:00Z',
        }),
      );
      await tell(eventOf('payment_intent.succeeded', payment));
      assert.deepEqual(await shown(id), ['refunded', 0, 1000]);
    });

    test('SU3: a checkout pays its order at once or later, or fails; it and its payment count once', async () => {
      const now = await order();
      const session = sessionObject({ client_reference_id: now.public_id, payment_intent: 'pi_of_session' });
      await tell(eventOf('checkout.session.completed', session));
      await tell(eventOf('payment_intent.succeeded', paymentIntentObject({ id: 'pi_of_session' })));
      assert.deepEqual(await shown(now.id), ['paid', 1000, 0]);
      await tell(eventOf('charge.refunded', chargeObject({ payment_intent: 'pi_of_session', amount_refunded: 1000 })));
      assert.deepEqual(await shown(now.id), ['refunded', 0, 1000]);

      for (const [type, status] of [
        ['async_payment_succeeded', 'paid'],
        ['async_payment_failed', 'failed'],
      ] as const) {
        const { id } = await order();
        const later = sessionObject({ metadata: { order_id: String(id) }, payment_status: 'unpaid' });
        await tell(eventOf('checkout.session.completed', later));
        assert.equal((await shown(id))[0], 'pending');
        await tell(eventOf(`checkout.session.${type}`, later, { at: '2026-03-04T12:00:00Z' }));
        assert.equal((await shown(id))[0], status);
      }
      const free = await order({ total: 0 });
      const none = { payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 };
      await tell(eventOf('checkout.session.completed', sessionObject({ client_reference_id: free.public_id, ...none })));
      assert.deepEqual(await shown(free.id), ['paid', 0, 0]);
    });

    test('SU3: the first invoice of a subscription pays or fails its order, and a refund of its payment refunds it', async () => {
      const { order: bought } = await storeSubscriptionOrder(app().store, { order: { payment_status: 'pending' } });
      const { total } = bought;
      const object = subscriptionObject({ metadata: { order_id: String(bought.id) }, status: 'incomplete' });
      const first = invoiceObject(object.id, { billing_reason: 'subscription_create', total, amount_paid: 0, status: 'open' });
      await tell(eventOf('customer.subscription.created', object));
      await tell(eventOf('invoice.payment_failed', first));
      assert.deepEqual(await shown(bought.id), ['failed', 0, total]);
      const paid = { ...first, status: 'paid', amount_paid: total };
      await tell(eventOf('invoice.paid', paid, { at: '2026-03-01T12:10:00Z' }));
      await tell(eventOf('invoice.payment_succeeded', paid, { at: '2026-03-01T12:10:00Z' }));
      assert.deepEqual(await shown(bought.id), ['paid', total, 0]);
      // A failed renewal does not change the first order.
      await tell(
        eventOf('invoice.payment_failed', invoiceObject(object.id, { status: 'open', amount_paid: 0 }), { at: '2026-04-01T12:00:00Z' }),
      );
      assert.deepEqual(await shown(bought.id), ['paid', total, 0]);
      const payment = { type: 'payment_intent', payment_intent: 'pi_of_first' };
      await tell(eventOf('invoice_payment.paid', { object: 'invoice_payment', invoice: first.id, payment }));
      await tell(
        eventOf(
          'charge.refunded',
          chargeObject({ payment_intent: 'pi_of_first', amount: total, amount_captured: total, amount_refunded: total }),
        ),
      );
      assert.deepEqual(await shown(bought.id), ['refunded', 0, total]);
    });

    test('O18: a status set by hand stays until later payments or refunds give another result', async () => {
      const { id } = await order();
      const payment = paymentIntentObject({ metadata: { order_id: String(id) } });
      await tell(eventOf('payment_intent.succeeded', payment));
      await app().client.orders.update_payment_status(id, { payment_status: 'none' });
      await tell(eventOf('charge.updated', chargeObject({ payment_intent: payment.id })));
      await tell(eventOf('payment_intent.succeeded', payment, { at: '2026-03-01T12:30:00Z' }));
      assert.equal((await shown(id))[0], 'none');
      await tell(
        eventOf('charge.refunded', chargeObject({ payment_intent: payment.id, amount_refunded: 1000 }), { at: '2026-03-02T12:00:00Z' }),
      );
      assert.equal((await shown(id))[0], 'refunded');
    });

    test('an event that names no order of the shop is logged as ignored', async () => {
      for (const metadata of [
        {},
        { order_id: '999999999' },
        { order_id: 'no such' },
        { order_id: '1'.repeat(30) },
        { order_id: '\u0000' },
      ]) {
        await tell(eventOf('payment_intent.succeeded', paymentIntentObject({ metadata })));
        const entry = await lastLog();
        assert.deepEqual([entry?.status, entry?.summary], ['ignored', 'payment_intent.succeeded: it names no order of this shop']);
      }
      await tell(eventOf('payment_intent.created', paymentIntentObject()));
      await tell(eventOf('checkout.session.expired', sessionObject()));
      assert.equal((await lastLog())?.status, 'ignored');
    });

    test('AU11: the audit log names the system for changes by a provider; the admin log has one line for the webhook', async () => {
      const { id } = await order();
      const before = (await app().client.logs.list()).total;
      await tell(eventOf('payment_intent.succeeded', paymentIntentObject({ metadata: { order_id: String(id) } })));
      assert.equal((await app().client.logs.list()).total, before + 1);
      const { data } = await app().client.audit_log.list({ resource_type: 'order', resource_id: id });
      assert.deepEqual(
        data.map(({ actor, action }) => [actor.type, actor.id, action]),
        [['system', null, 'webhooks.stripe']],
      );
    });
  },
  { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } },
);
