import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paymentStatuses } from '../../contract/orders.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';

onBothStores('O23: a subscription activated by hand', (app) => {
  let made = 0;
  const ids = (given: { external_subscription_id?: string } = {}) => ({
    external_subscription_id: `sub_${++made}`,
    external_customer_id: `cus_${made}`,
    ...given,
  });

  test('O23: it is active for one interval from now on, as the line was sold, of the provider of the order', async () => {
    const customer = await makeCustomer(app());
    const { order, product, variant } = await storeSubscriptionOrder(app().store, {
      order: { customer_id: customer.id, customer_name: 'Ann Lee', customer_email: 'ann@example.com', payment_provider: 'paypal' },
      product: { billing_interval: 'week', billing_interval_count: 2, cancellation_policy: 'period_end', max_billing_cycles: 6 },
      price: 2500,
      quantity: 3,
    });
    const body = ids();
    const before = Date.now();
    const answer = await app().request({ method: 'POST', path: `/admin/api/orders/${order.id}/activate-subscription`, body });
    assert.equal(answer.status, 201);
    const { id, public_id } = JSON.parse(answer.text);
    assert.match(public_id, /^[0-9A-HJKMNP-TV-Z]{12}$/);
    assert.deepEqual(Object.keys(JSON.parse(answer.text)), ['id', 'public_id']);
    assert.equal(answer.headers['location'], `/admin/api/subscriptions/${id}`);
    assert.equal(answer.headers['etag']?.split('.')[0], `"subscription-${id}-1`);
    const { created_at, updated_at, current_period_start, current_period_end, ...rest } = await app().client.subscriptions.get(id);
    assert.ok(Date.parse(created_at) >= before && created_at === updated_at && created_at === current_period_start);
    assert.equal(Date.parse(current_period_end) - Date.parse(current_period_start), 14 * 86_400_000);
    const [item] = (await app().client.orders.get(order.id)).items;
    assert.deepEqual(rest, {
      id,
      public_id,
      status: 'active',
      product_id: product.id,
      variant_id: variant.id,
      product_name: item?.product_name,
      variant_label: 'Monthly',
      customer_id: customer.id,
      customer_name: 'Ann Lee',
      customer_email: 'ann@example.com',
      provider: 'paypal',
      ...body,
      billing_interval: 'week',
      billing_interval_count: 2,
      cancellation_policy: 'period_end',
      max_billing_cycles: 6,
      unit_amount: '€25.00',
      unit_amount_cents: 2500,
      currency: 'EUR',
      quantity: 3,
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      initial_order_id: order.id,
      initial_order_public_id: order.public_id,
      order_item_id: item?.id,
    });
    const events = await app().store.reader.selectFrom('domain_events').select('data').where('type', '=', 'subscription.created').execute();
    assert.ok(events.some(({ data }) => JSON.parse(data).subscription_id === id));
  });

  test('O23: only a paid order, only one with such a line, each line once', async () => {
    for (const payment_status of paymentStatuses.filter((status) => status !== 'paid')) {
      const { order } = await storeSubscriptionOrder(app().store, { order: { payment_status } });
      await refused(app().client.subscriptions.activate(order.id, ids()), 409, 'order_not_paid');
    }
    const plain = await makeOrder(app(), { payment_status: 'paid' }, [{ variant: await makeVariant(app()), quantity: 1 }]);
    await refused(app().client.subscriptions.activate(plain.id, ids()), 409, 'no_subscription_item');
    const { order } = await storeSubscriptionOrder(app().store, { lines: 2 });
    const body = ids();
    const first = await app().client.subscriptions.activate(order.id, body);
    await refused(app().client.subscriptions.activate(order.id, body), 409, 'subscription_exists');
    const second = await app().client.subscriptions.activate(order.id, ids());
    await refused(app().client.subscriptions.activate(order.id, ids()), 409, 'subscription_exists');
    const lines = [];
    for (const { id } of [first, second]) lines.push((await app().client.subscriptions.get(id)).order_item_id);
    const { items } = await app().client.orders.get(order.id);
    assert.deepEqual(
      lines,
      items.map(({ id }) => id),
      'the first unlinked, then the next',
    );
  });

  test('O23: an id that another subscription has is refused, and nothing is made', async () => {
    const [one, two] = [await storeSubscriptionOrder(app().store), await storeSubscriptionOrder(app().store)];
    const body = ids();
    await app().client.subscriptions.activate(one.order.id, body);
    const error = await refused(app().client.subscriptions.activate(two.order.id, body), 422, 'external_id_taken');
    assert.equal(error.errors[0]?.pointer, '/external_subscription_id');
    assert.equal((await app().client.subscriptions.list({ product_id: two.product.id })).total, 0);
  });

  test('O23: two admins at once: one of them makes it', async () => {
    const { order, product } = await storeSubscriptionOrder(app().store);
    const calls = Array.from({ length: 6 }, () => app().client.subscriptions.activate(order.id, ids()));
    const answers = await Promise.allSettled(calls);
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await app().client.subscriptions.list({ product_id: product.id })).total, 1);
    const [a, b] = [await storeSubscriptionOrder(app().store), await storeSubscriptionOrder(app().store)];
    const body = ids();
    const same = await Promise.allSettled([a, b].map((made) => app().client.subscriptions.activate(made.order.id, body)));
    assert.deepEqual(same.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  test('O23: both ids are wanted, and not empty', async () => {
    const { order } = await storeSubscriptionOrder(app().store);
    const path = `/admin/api/orders/${order.id}/activate-subscription`;
    for (const body of [{}, { external_subscription_id: 'sub' }, { external_subscription_id: ' ', external_customer_id: 'c' }]) {
      assert.equal((await app().request({ method: 'POST', path, body })).status, 422);
    }
    await refused(app().client.subscriptions.activate(999_999, ids()), 404, 'not_found');
  });
});
