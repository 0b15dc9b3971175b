import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';
import { deliver, eventOf, invoiceObject, paymentIntentObject, STRIPE_SECRET, subscriptionObject } from '../helpers/stripe-double.ts';

for (const engine of engines) {
  describe(`each event takes effect once, at whichever server [${engine}]`, () => {
    let servers: [TestApp, TestApp];
    before(async () => {
      const env = { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET };
      const first = await startApp(engine, { env });
      // On SQLite both names mean one server, because one process owns the file.
      servers = [first, engine === 'sqlite' ? first : await startApp(engine, { env, databaseUrl: first.databaseUrl })];
    });
    after(async () => {
      for (const server of new Set(servers.toReversed())) await server.close();
      if (engine === 'postgres') await stopPostgres();
    });

    const deliverEverywhere = (event: object, times: number) =>
      Promise.all(Array.from({ length: times }, (_, n) => deliver(servers[n % 2] ?? servers[0], event)));

    test('WI1: one event delivered six times at once has one effect and one line in the log', async () => {
      const [app] = servers;
      for (let round = 0; round < 3; round++) {
        const order = await makeOrder(app, { payment_status: 'pending' });
        const event = eventOf('payment_intent.succeeded', paymentIntentObject({ metadata: { order_id: String(order.id) } }));
        const answers = await deliverEverywhere(event, 6);
        assert.deepEqual(
          answers.map(({ status }) => status),
          Array.from({ length: 6 }, () => 200),
        );
        assert.equal(answers.filter(({ body }) => !(body as { duplicate?: boolean }).duplicate).length, 1);
        const { logs } = await app.client.logs.list({ source: 'webhook' });
        assert.equal(logs.filter(({ detail }) => JSON.parse(detail ?? '').event_id === event.id).length, 1);
        const { headers } = await app.request({ path: `/admin/api/orders/${order.id}` });
        assert.equal(headers['etag'], `"order-${order.id}-2"`, 'changed once');
      }
    });

    test('events of a subscription and its invoice that arrive at once, twice and in any order end in the right state', async () => {
      const [app] = servers;
      const made = await Promise.all(
        Array.from({ length: 4 }, () => storeSubscriptionOrder(app.store, { order: { payment_status: 'pending' } })),
      );
      const stories = made.map(({ order }) => {
        const object = subscriptionObject({ metadata: { order_id: String(order.id) }, status: 'incomplete' });
        const invoice = invoiceObject(object.id, { billing_reason: 'subscription_create', total: order.total, amount_paid: order.total });
        const payment = { type: 'payment_intent', payment_intent: `pi_of_${invoice.id}` };
        return [
          eventOf('invoice.created', { ...invoice, status: 'draft' }, { at: '2026-03-01T12:00:00Z' }),
          eventOf('customer.subscription.created', object, { at: '2026-03-01T12:00:00Z' }),
          eventOf(
            'customer.subscription.updated',
            { ...object, status: 'active' },
            { at: '2026-03-01T12:00:01Z', before: { status: 'incomplete' } },
          ),
          eventOf('invoice.paid', invoice, { at: '2026-03-01T12:00:01Z' }),
          eventOf('invoice_payment.paid', { object: 'invoice_payment', invoice: invoice.id, payment }, { at: '2026-03-01T12:00:01Z' }),
        ];
      });
      const all = stories.flat().flatMap((event) => [event, event]);
      const answers = await Promise.all(all.map((event, n) => deliver(servers[n % 2] ?? app, event)));
      for (const [n, answer] of answers.entries()) assert.equal(answer.status, 200, `${all[n]?.type} ${answer.text}`);
      for (const [n, { order, product }] of made.entries()) {
        const { data } = await app.client.subscriptions.list({ product_id: product.id });
        assert.deepEqual(
          data.map(({ status }) => status),
          ['active'],
        );
        const invoices = await app.client.subscriptions.list_invoices(data[0]?.id ?? 0);
        assert.equal(invoices.length, 1, `order ${n}`);
        assert.deepEqual(
          [invoices[0]?.status, invoices[0]?.external_payment_intent],
          ['paid', `pi_of_${invoices[0]?.external_invoice_id}`],
        );
        assert.equal((await app.client.orders.get(order.id)).payment_status, 'paid');
      }
      const waiting = await app.store.reader.selectFrom('webhook_events').select('event_id').where('waits_for', 'is not', null).execute();
      assert.deepEqual(waiting, [], 'no event waits any more');
    });
  });
}
