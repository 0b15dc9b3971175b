import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewRow } from '../../server/db/tables.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeProduct, makeVariant } from '../helpers/builders.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const dayAgo = (days: number): string => hoursAgo(24 * days).slice(0, 10);

onBothStores('a figure of the dashboard and its list', (app) => {
  const insert = (values: Partial<NewRow<'orders'>>) => storeOrder(app().store, values);

  /** Orders in every state, paid and dated around the limits, real ones and test orders. */
  async function fillShop(): Promise<void> {
    for (const is_test of [0, 1]) {
      for (const status of ['pending', 'processing', 'shipped', 'delivered', 'cancelled']) {
        for (const payment_status of ['none', 'pending', 'paid', 'refunded', 'failed']) {
          for (const delivery_date of [null, dayAgo(2), dayAgo(-2)]) {
            await insert({ is_test, status, payment_status, delivery_date, created_at: hoursAgo(is_test === 1 ? 30 : 23) });
          }
          await insert({ is_test, status, payment_status, created_at: hoursAgo(25) });
          await insert({ is_test, status, payment_status, created_at: hoursAgo(99), first_paid_at: hoursAgo(23) });
          await insert({ is_test, status, payment_status, created_at: hoursAgo(99), first_paid_at: hoursAgo(25) });
        }
      }
    }
    for (const stocks of [[0], [-3], [2, 3], [6], [8, 1]]) {
      for (const status of ['active', 'draft', 'archived'] as const) {
        const { id } = await makeProduct(app(), { status, low_stock_threshold: stocks.length > 1 ? 9 : null });
        for (const stock of stocks) await makeVariant(app(), { product_id: id, stock });
      }
    }
    const inquiry = { name: 'Ann', email: 'ann@example.com', subject: 'Size', body: 'Which?' };
    const { id } = await app().client.inquiries.create(inquiry);
    await app().client.inquiries.create(inquiry);
    await app().client.inquiries.answer(id, { body: 'L' });
  }

  test('DA1-DA3: each figure is the number of records in the list of the same condition, whatever test orders exist', async () => {
    await fillShop();
    const { client } = app();
    const figures = await client.dashboard.get();
    const orders = async (query: Parameters<typeof client.orders.list>[0]) => {
      const { total } = await client.orders.list(query);
      assert.deepEqual((await client.orders.list_ids(query)).total, total);
      return total;
    };
    const products = async (query: object) => (await client.products.list(query)).total;
    const { pending, processing } = figures.orders_by_status;
    assert.ok(figures.orders_needing_attention > 0 && figures.orders_needing_attention < pending + processing);
    assert.equal(await orders({ needs: 'attention' }), figures.orders_needing_attention);
    assert.equal(await orders({ needs: 'sending' }), pending + processing);
    for (const status of ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const) {
      assert.equal(await orders({ status }), figures.orders_by_status[status]);
    }
    assert.equal(await orders({ payment_status: 'failed' }), figures.failed_payment_orders);
    assert.equal(await orders({}), figures.total_orders);
    assert.equal(await products({ out_of_stock: true }), figures.out_of_stock_count);
    assert.equal(await products({ low_stock: true }), figures.low_stock_count);
    assert.ok(figures.low_stock_count > 0 && figures.out_of_stock_count > 0);
    assert.equal((await client.inquiries.list({ answered: false })).total, figures.unanswered_inquiries);
    assert.equal((await client.customers.list()).total, figures.total_customers);
  });

  test('O30: test orders need attention only where a list asks for them; an order that is sent needs nothing', async () => {
    const { client } = app();
    const total = async (query: object) => (await client.orders.list({ search: 'Needy', ...query })).total;
    const real = await insert({ customer_name: 'Needy', payment_status: 'paid', created_at: hoursAgo(25) });
    await insert({ customer_name: 'Needy', payment_status: 'paid', created_at: hoursAgo(25), is_test: 1 });
    const needs = 'attention';
    assert.deepEqual(
      [await total({ needs }), await total({ needs, include_test: true }), await total({ needs, test_only: true })],
      [1, 2, 1],
    );
    assert.deepEqual([await total({ needs, status: 'processing' }), await total({ needs, status: 'pending' })], [0, 1]);
    await client.orders.update_status(real.id, { status: 'shipped' });
    assert.deepEqual([await total({ needs }), await total({ needs: 'sending' })], [0, 0]);
    const { status, body } = await app().request({ path: '/admin/api/orders?needs=rest' });
    assert.equal(status, 422, JSON.stringify(body));
  });
});
