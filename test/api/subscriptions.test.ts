import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscriptionStatuses } from '../../contract/subscriptions.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { storeInvoice, storeSubscription, storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';

onBothStores('reading subscriptions', (app) => {
  test('SU1: subscriptions are listed newest first, then by id, by page and by cursor', async () => {
    const customer = await makeCustomer(app());
    const made: number[] = [];
    for (const created_at of ['2026-01-01', '2026-01-03', '2026-01-02', '2026-01-03', '2026-01-03']) {
      const values = { customer_id: customer.id, created_at: `${created_at}T00:00:00.000Z` };
      made.push((await storeSubscription(app().store, values)).id);
    }
    const wanted = [4, 3, 1, 2, 0].map((n) => made[n]);
    const filter = { customer_id: customer.id, per_page: 2 };
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await app().client.subscriptions.list({ ...filter, page }));
    assert.deepEqual(
      pages.flatMap(({ data }) => data.map(({ id }) => id)),
      wanted,
    );
    assert.deepEqual([pages[0]?.total, pages[0]?.total_pages, pages[3]?.data], [5, 3, []]);
    const byCursor: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await app().client.subscriptions.list({ ...filter, ...(cursor === undefined ? {} : { cursor }) });
      byCursor.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    assert.deepEqual(byCursor, wanted);
  });

  test('SU1: subscriptions are filtered by status, customer, product and order; an unknown status is refused', async () => {
    const variant = await makeVariant(app());
    const customer = await makeCustomer(app());
    for (const status of subscriptionStatuses) await storeSubscription(app().store, { status, variant_id: variant.id });
    await storeSubscription(app().store, { variant_id: variant.id, customer_id: customer.id });
    const product_id = variant.product_id;
    for (const status of subscriptionStatuses) {
      const { data } = await app().client.subscriptions.list({ product_id, status });
      assert.deepEqual(new Set(data.map((row) => row.status)), new Set([status]));
      assert.equal(data.length, status === 'active' ? 2 : 1);
    }
    assert.equal((await app().client.subscriptions.list({ product_id })).total, 8);
    assert.equal((await app().client.subscriptions.list({ product_id, customer_id: customer.id, status: 'active' })).total, 1);
    assert.equal((await app().client.subscriptions.list({ customer_id: 999_999 })).total, 0);
    const { order } = await storeSubscriptionOrder(app().store, { lines: 2 });
    const link = { external_subscription_id: 'sub_of_order', external_customer_id: 'cus' };
    const { id } = await app().client.subscriptions.activate(order.id, link);
    const { data } = await app().client.subscriptions.list({ order_id: order.id });
    assert.deepEqual(
      data.map((row) => row.id),
      [id],
    );
    // Orders have the status `cancelled`, subscriptions `canceled` (spec G12).
    const { status, text } = await app().request({ path: '/admin/api/subscriptions?status=cancelled' });
    assert.equal(status, 422);
    assert.match(text, /canceled/);
  });

  test('G13, G14: amounts are shown in minor units and as formatted text', async () => {
    const { id } = await storeSubscription(app().store, { unit_amount_cents: 123_456_78, currency: 'EUR' });
    const { unit_amount, unit_amount_cents } = await app().client.subscriptions.get(id);
    assert.deepEqual([unit_amount, unit_amount_cents], ['€123,456.78', 123_456_78]);
    const row = (await app().client.subscriptions.list({ per_page: 100 })).data.find((one) => one.id === id);
    assert.deepEqual([row?.unit_amount, row?.unit_amount_cents], [unit_amount, unit_amount_cents]);
  });

  test('G15: amounts have the decimal digits that the shop defines for a currency, not those of Intl', async () => {
    const shown = async (currency: string, unit_amount_cents: number) => {
      const { id } = await storeSubscription(app().store, { currency, unit_amount_cents });
      return (await app().client.subscriptions.get(id)).unit_amount.replaceAll(/[^\d.,-]/g, '');
    };
    assert.deepEqual(
      [await shown('HUF', 499_000), await shown('JPY', 1200), await shown('KWD', 1234), await shown('ISK', 990)],
      ['4,990.00', '1,200', '1.234', '990'],
    );
  });

  test('the detail adds the first order, its line, the end and the customer id at the provider', async () => {
    const { order } = await storeSubscriptionOrder(app().store);
    const made = await app().client.subscriptions.activate(order.id, {
      external_subscription_id: 'sub_detail',
      external_customer_id: 'cus_detail',
    });
    const detail = await app().client.subscriptions.get(made.id);
    const [item] = (await app().client.orders.get(order.id)).items;
    assert.deepEqual(
      [detail.initial_order_id, detail.initial_order_public_id, detail.ended_at, detail.external_customer_id, detail.order_item_id],
      [order.id, order.public_id, null, 'cus_detail', item?.id],
    );
    const rowKeys = Object.keys((await app().client.subscriptions.list({ per_page: 1 })).data[0] ?? {});
    for (const key of ['told_at', 'last_event_id', 'row_version', 'changed_in', 'ended_at']) assert.ok(!rowKeys.includes(key), key);
    assert.ok(!Object.keys(detail).some((key) => ['told_at', 'last_event_id', 'row_version', 'changed_in'].includes(key)));
  });

  test('invoices are listed newest first with amounts in both forms, without deleted ones', async () => {
    const { id } = await storeSubscription(app().store);
    const older = await storeInvoice(app().store, { subscription_id: id, created_at: '2026-01-01T00:00:00.000Z' });
    const open = { amount_paid_cents: 0, status: 'open', hosted_invoice_url: 'https://invoice.stripe.com/i/1' };
    const newer = await storeInvoice(app().store, { subscription_id: id, created_at: '2026-02-01T00:00:00.000Z', ...open });
    await storeInvoice(app().store, { subscription_id: id, created_at: '2026-03-01T00:00:00.000Z', status: 'deleted' });
    const invoices = await app().client.subscriptions.list_invoices(id);
    assert.deepEqual(
      invoices.map((one) => one.id),
      [newer.id, older.id],
    );
    assert.deepEqual(invoices[0], {
      id: newer.id,
      external_invoice_id: newer.external_invoice_id,
      external_payment_intent: '',
      amount_total: '€19.99',
      amount_total_cents: 1999,
      amount_paid: '€0.00',
      amount_paid_cents: 0,
      currency: 'EUR',
      status: 'open',
      period_start: '2026-03-01T12:00:00.000Z',
      period_end: '2026-04-01T12:00:00.000Z',
      hosted_invoice_url: 'https://invoice.stripe.com/i/1',
      created_at: '2026-02-01T00:00:00.000Z',
    });
    assert.deepEqual(await app().client.subscriptions.list_invoices((await storeSubscription(app().store)).id), []);
  });

  test('a subscription stays when an edit removes its order line; its product is archived instead of deleted', async () => {
    const { order, product } = await storeSubscriptionOrder(app().store, { order: { status: 'pending' } });
    const link = { external_subscription_id: 'sub_of_removed', external_customer_id: 'cus' };
    const { id } = await app().client.subscriptions.activate(order.id, link);
    const detail = await app().client.subscriptions.get(id);
    const other = await makeVariant(app());
    await app().client.orders.edit(order.id, {
      items: [
        { id: detail.order_item_id, quantity: 0 },
        { id: null, variant_id: other.id, quantity: 1 },
      ],
    });
    assert.deepEqual(await app().client.subscriptions.get(id), { ...detail, order_item_id: null });
    await app().client.products.delete(product.id);
    assert.equal((await app().client.products.get(product.id)).status, 'archived');
  });

  test('R3, AU7: an unknown subscription is 404; listing and activating need their own permissions', async () => {
    await refused(app().client.subscriptions.get(999_999), 404, 'not_found');
    await refused(app().client.subscriptions.list_invoices(999_999), 404, 'not_found');
    const { token } = await person(app(), { permissions: ['admin_api.orders.write'] });
    const { order } = await storeSubscriptionOrder(app().store);
    await refused(app().clientFor(token).subscriptions.list(), 403, 'forbidden');
    const ids = { external_subscription_id: 'sub_forbidden', external_customer_id: 'cus' };
    await refused(app().clientFor(token).subscriptions.activate(order.id, ids), 403, 'forbidden');
  });
});
