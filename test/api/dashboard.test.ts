import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeOrderCounts } from '../../server/db/order-upkeep.ts';
import type { NewRow } from '../../server/db/tables.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeProduct, makeVariant } from '../helpers/builders.ts';
import { dayIn, onOneDay } from '../helpers/one-day.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { storeCustomer, storeOrder } from '../helpers/stored-rows/shop.ts';
import { storeSubscription } from '../helpers/stored-rows/subscriptions.ts';

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const LONG_AGO = '2024-05-05T05:05:05.000Z';

onBothStores('dashboard', (app) => {
  const read = () => app().client.dashboard.get();
  const insert = (values: Partial<NewRow<'orders'>>) => storeOrder(app().store, { created_at: LONG_AGO, ...values });
  /** The differences of the dashboard's numbers before and after `work`. */
  async function changes(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const [before, , after] = [await read(), await work(), await read()];
    const flat = ({
      orders_by_status,
      recent_orders: _,
      low_stock_products: __,
      first_steps: ___,
      ...rest
    }: typeof before): [string, number][] => Object.entries({ ...rest, ...orders_by_status });
    const known = new Map(flat(before));
    return Object.fromEntries(flat(after).flatMap(([name, n]) => (n === known.get(name) ? [] : [[name, n - (known.get(name) ?? 0)]])));
  }

  test('DA1: in an empty shop every number is 0 and every list is empty', async () => {
    const { orders_by_status, recent_orders, low_stock_products, first_steps: _, ...numbers } = await read();
    assert.deepEqual(orders_by_status, { pending: 0, processing: 0, shipped: 0, delivered: 0, cancelled: 0 });
    assert.deepEqual([recent_orders, low_stock_products], [[], []]);
    assert.deepEqual(new Set(Object.values(numbers)), new Set([0]));
    const { daily, ...days } = await app().client.dashboard.trends();
    const none = { revenue: 0, orders: 0 };
    assert.deepEqual([daily.length, days], [30, { today: none, yesterday: none, totals: { ...none, new_customers: 0 }, previous: null }]);
    const nothing = { top_products: [], top_customers: [], repeat_customer_rate: 0, mrr: 0, recently_canceled: [] };
    assert.deepEqual(await app().client.dashboard.insights(), nothing);
    const by_status = { active: 0, past_due: 0, canceled: 0, incomplete: 0, incomplete_expired: 0, trialing: 0, unpaid: 0 };
    assert.deepEqual(await app().client.dashboard.subscriptions(), { total: 0, by_status });
  });

  test('DA1: test orders do not count; every other order does, and those paid and not cancelled are revenue', async () => {
    const { store, client } = app();
    assert.deepEqual(await changes(() => insert({ is_test: 1, payment_status: 'paid' })), {});
    assert.deepEqual(await changes(() => insert({ status: 'cancelled', payment_status: 'paid' })), { total_orders: 1, cancelled: 1 });
    const found = await changes(() => insert({ status: 'delivered', payment_status: 'paid', total: 1234 }));
    assert.deepEqual(found, { total_orders: 1, total_revenue: 1234, delivered: 1 });
    const order = await insert({ payment_status: 'none', total: 777 });
    const cancelled = () => client.orders.update_status(order.id, { status: 'cancelled' });
    assert.deepEqual(await changes(cancelled), { pending: -1, cancelled: 1 });
    const asTest = () => client.orders.update_test_flag(order.id, { is_test: true });
    assert.deepEqual(await changes(asTest), { total_orders: -1, cancelled: -1 });
    await mergeOrderCounts(store);
    assert.deepEqual(await changes(() => mergeOrderCounts(store)), {});
    const products = async () => {
      await makeProduct(app(), { status: 'draft' });
      await makeProduct(app(), { status: 'archived' });
    };
    assert.deepEqual(await changes(products), { total_products: 1 });
    const { total_orders, orders_by_status } = await read();
    assert.equal(
      Object.values(orders_by_status).reduce((sum, n) => sum + n, 0),
      total_orders,
    );
  });

  test('DA2: paid orders unsent for a day, or past the delivery date, need attention; failed payments, open inquiries', async () => {
    const { client } = app();
    const attention = async (values: Partial<NewRow<'orders'>>) => (await changes(() => insert(values)))['orders_needing_attention'] ?? 0;
    assert.equal(await attention({ payment_status: 'paid', created_at: hoursAgo(25) }), 1);
    assert.equal(await attention({ payment_status: 'paid', created_at: hoursAgo(23) }), 0);
    assert.equal(await attention({ payment_status: 'paid', created_at: hoursAgo(25), first_paid_at: hoursAgo(23) }), 0);
    assert.equal(await attention({ payment_status: 'paid', status: 'processing', first_paid_at: hoursAgo(25) }), 1);
    assert.equal(await attention({ payment_status: 'pending', created_at: hoursAgo(99) }), 0);
    const [yesterday, today] = [hoursAgo(24).slice(0, 10), hoursAgo(-1).slice(0, 10)];
    assert.equal(await attention({ delivery_date: yesterday }), 1);
    assert.equal(await attention({ delivery_date: yesterday, payment_status: 'paid' }), 1);
    assert.equal(await attention({ delivery_date: today }), 0);
    for (const status of ['shipped', 'delivered', 'cancelled']) {
      assert.equal(await attention({ status, delivery_date: yesterday, payment_status: 'paid' }), 0, status);
    }
    assert.equal(await attention({ delivery_date: yesterday, is_test: 1 }), 0);
    assert.deepEqual(await changes(() => insert({ payment_status: 'failed', status: 'shipped' })), {
      total_orders: 1,
      shipped: 1,
      failed_payment_orders: 1,
    });
    const inquiry = { name: 'Ann', email: 'ann@example.com', subject: 'Size', body: 'Which?' };
    const asked = await client.inquiries.create(inquiry);
    assert.deepEqual(await changes(() => client.inquiries.create(inquiry)), { unanswered_inquiries: 1 });
    assert.deepEqual(await changes(() => client.inquiries.answer(asked.id, { body: 'L' })), { unanswered_inquiries: -1 });
  });

  test('DA3: stock is the sum of tracked variants; low stock is by the threshold of the product or shop, fewest first', async () => {
    const { client } = app();
    const low = async () => (await read()).low_stock_products.map(({ id, stock }) => [id, stock]);
    const make = async (stocks: readonly number[], values: Parameters<typeof makeProduct>[1] = {}): Promise<number> => {
      const { id } = await makeProduct(app(), values);
      for (const stock of stocks) await makeVariant(app(), { product_id: id, stock });
      return id;
    };
    const five = await make([2, 3]);
    await make([3, 3]);
    const own = await make([8], { low_stock_threshold: 8 });
    await make([2], { low_stock_threshold: 1 });
    await make([1], { status: 'archived' });
    const untracked = await make([]);
    await makeVariant(app(), { product_id: untracked, stock: 1, track_stock: false });
    const one = await make([3, -2]);
    assert.deepEqual(await low(), [
      [one, 1],
      [five, 5],
      [own, 8],
    ]);
    assert.deepEqual(await changes(() => make([0, -1])), { total_products: 1, out_of_stock_count: 1 });
    await client.settings.update({ low_stock_threshold: 4 });
    assert.deepEqual(await low(), [
      [one, 1],
      [own, 8],
    ]);
    const more: number[] = [];
    for (let i = 0; i < 10; i++) more.push(await make([2]));
    assert.deepEqual(await low(), [[one, 1], ...more.slice(0, 9).map((id) => [id, 2])]);
    await client.settings.update({ low_stock_threshold: 5 });
  });

  test('DA3: the ten newest orders are listed', async () => {
    const made: number[] = [];
    for (let i = 0; i < 11; i++) made.push((await insert({ created_at: `2100-01-0${1 + Math.floor(i / 2)}T00:00:00.000Z` })).id);
    await insert({ created_at: '2100-02-01T00:00:00.000Z', is_test: 1 });
    const { recent_orders } = await read();
    assert.deepEqual(
      recent_orders.map(({ id }) => id),
      made.toReversed().slice(0, 10),
    );
    assert.deepEqual(Object.keys(recent_orders[0] ?? {}).sort(), ['created_at', 'customer_name', 'id', 'status', 'total']);
  });

  test('DA4, G10: new customers are those of the current month in the time zone of the shop', async () => {
    const { store, client } = app();
    for (const timezone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
      await client.settings.update({ timezone });
      const join = (ms: number) => storeCustomer(store, { created_at: new Date(ms).toISOString() });
      const [first, before, after] = await onOneDay(timezone, async (today) => {
        const month = today.slice(0, 7);
        let start = Date.parse(`${month}-01T00:00:00.000Z`) - 16 * HOUR_MS;
        while (dayIn(new Date(start).toISOString(), timezone).slice(0, 7) !== month) start += HOUR_MS / 4;
        return [
          await changes(() => join(start)),
          await changes(() => join(start - 1)),
          await changes(() => join(start + 32 * 24 * HOUR_MS)),
        ];
      });
      assert.deepEqual(first, { total_customers: 1, new_customers_this_month: 1 }, timezone);
      assert.deepEqual(before, { total_customers: 1 }, timezone);
      assert.deepEqual(after, { total_customers: 1 }, timezone);
    }
    await client.settings.update({ timezone: 'UTC' });
  });

  test('TR1, G10: trends have a row for each day in the shop’s zone, without cancelled and test orders; revenue is paid', async () => {
    const { store, client } = app();
    const states = [
      { payment_status: 'paid' },
      {},
      { payment_status: 'paid', is_test: 1 },
      { payment_status: 'paid', status: 'cancelled' },
    ];
    for (let i = 0; i < 60; i++) await insert({ total: 100 + i, created_at: hoursAgo(i * 3.3), ...states[i % 4] });
    const orders = (await store.reader.selectFrom('orders').selectAll().execute()).filter(
      ({ is_test, status }) => is_test === 0 && status !== 'cancelled',
    );
    for (const timezone of ['UTC', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Kiritimati']) {
      await client.settings.update({ timezone });
      const { today, all, some } = await onOneDay(timezone, async (today) => ({
        today,
        all: await client.dashboard.trends({ days: 90 }),
        some: await Promise.all([1, 2, 30].map(async (days) => ({ days, ...(await client.dashboard.trends({ days })) }))),
      }));
      const dated = orders.map((order) => ({ ...order, day: dayIn(order.created_at, timezone) }));
      const expected = Array.from({ length: 90 }, (_, i) => {
        const date = new Date(Date.parse(today) - (89 - i) * 24 * HOUR_MS).toISOString().slice(0, 10);
        const ofDay = dated.filter(({ day }) => day === date);
        const revenue = ofDay.reduce((sum, { payment_status, total }) => sum + (payment_status === 'paid' ? total : 0), 0);
        return { date, revenue, orders: ofDay.length };
      });
      assert.deepEqual(all.daily, expected, timezone);
      for (const { days, daily, totals, previous, ...ends } of some) {
        const { revenue, orders } = sumOf(daily);
        assert.deepEqual([{ ...totals, new_customers: 0 }, previous], [{ revenue, orders, new_customers: 0 }, null]);
        assert.deepEqual(daily, expected.slice(-days));
        assert.deepEqual(
          [ends.yesterday, ends.today],
          expected.slice(-2).map(({ date: _, ...figures }) => figures),
        );
      }
    }
    await client.settings.update({ timezone: 'UTC' });
    for (const days of ['0', '91', '-1', '1.5', 'a']) {
      const { status } = await app().request({ path: `/admin/api/dashboard/trends?days=${days}` });
      assert.equal(status, 422, days);
    }
  });

  test('TR2: compared, there are as many days before, and the new customers of both periods', async () => {
    const { store, client } = app();
    for (const timezone of ['Asia/Kathmandu', 'America/New_York', 'UTC']) {
      await client.settings.update({ timezone });
      for (const hours of [1, 30, 150, 200, 300, 2000]) await storeCustomer(store, { created_at: hoursAgo(hours) });
      const customers = await store.reader.selectFrom('customers').select('created_at').execute();
      const joined = customers.map(({ created_at }) => dayIn(created_at, timezone));
      const { all, some } = await onOneDay(timezone, async () => ({
        all: (await client.dashboard.trends({ days: 90 })).daily,
        some: await Promise.all([1, 7, 45].map(async (days) => ({ days, ...(await client.dashboard.trends({ days, compare: true })) }))),
      }));
      for (const { days, daily, totals, previous } of some) {
        const parts = [
          [all.slice(-days), { daily, totals }],
          [all.slice(-2 * days, -days), previous],
        ] as const;
        for (const [expected, part] of parts) {
          const [first, last] = [expected[0]?.date ?? '', expected.at(-1)?.date ?? ''];
          const new_customers = joined.filter((day) => day >= first && day <= last).length;
          assert.deepEqual(part, { daily: expected, totals: { ...sumOf(expected), new_customers } }, `${timezone} ${days}`);
        }
      }
    }
    const { previous } = await client.dashboard.trends({ days: 90, compare: true });
    assert.equal(previous?.daily.length, 90);
  });

  test('IN1: top products and customers by revenue of paid orders, and the rate of repeat customers', async () => {
    const { store, client } = app();
    const [a, b] = [await makeVariant(app(), { price_cents: 100_000 }), await makeVariant(app(), { price_cents: 90_000 })];
    const people = [await makeCustomer(app()), await makeCustomer(app()), await makeCustomer(app())] as const;
    const [ann, bob, cat] = people;
    const paid = { payment_status: 'paid', prices_include_tax: 1 };
    await storeOrder(store, { ...paid, customer_id: ann.id, total: 300_000 }, [{ variant: a, quantity: 1 }]);
    const second = await storeOrder(store, { ...paid, customer_id: ann.id, total: 1 }, [{ variant: b, quantity: 2 }]);
    await storeOrder(store, { customer_id: ann.id, total: 5 }, [{ variant: a, quantity: 9 }]);
    await storeOrder(store, { ...paid, customer_id: ann.id, is_test: 1 }, [{ variant: a, quantity: 9 }]);
    await storeOrder(store, { ...paid, customer_id: bob.id, total: 300_000 }, [{ variant: a, quantity: 1 }]);
    await storeOrder(store, { ...paid, customer_id: cat.id, total: 7, status: 'cancelled' });
    const found = await client.dashboard.insights();
    const products = found.top_products.map(({ product_id, revenue, quantity }) => [product_id, revenue, quantity]);
    assert.deepEqual(products, [
      [a.product_id, 200_000, 2],
      [b.product_id, 180_000, 2],
    ]);
    const customer = ({ id, name, email }: typeof ann, total_spent: number, order_count: number) => ({
      ...{ customer_id: id, name, email },
      total_spent,
      order_count,
    });
    assert.deepEqual(found.top_customers, [customer(ann, 300_001, 3), customer(bob, 300_000, 1)]);
    assert.equal(found.repeat_customer_rate, 0.5);
    await insert({ ...paid, customer_id: cat.id, total: 1 });
    assert.equal((await client.dashboard.insights()).repeat_customer_rate, 0.3333);
    await client.orders.update_status(second.id, { status: 'cancelled' });
    const after = await client.dashboard.insights();
    assert.deepEqual([after.repeat_customer_rate, after.top_products.map(({ product_id }) => product_id)], [0, [a.product_id]]);
    assert.deepEqual(
      after.top_customers.map(({ customer_id }) => customer_id),
      [ann.id, bob.id, cat.id],
    );
  });

  test('IN2, DS1: monthly revenue of active and overdue subscriptions, the ten last canceled, and the count of each status', async () => {
    const { store, client } = app();
    const statuses = ['past_due', 'active', 'trialing', 'unpaid', 'incomplete', 'incomplete_expired'] as const;
    for (const status of statuses) await storeSubscription(store, { status, unit_amount_cents: 1000 });
    const add = async (billing_interval: string, count: number, unit_amount_cents: number, quantity = 1): Promise<number> => {
      const before = (await client.dashboard.insights()).mrr;
      await storeSubscription(store, { billing_interval, billing_interval_count: count, unit_amount_cents, quantity });
      return (await client.dashboard.insights()).mrr - before;
    };
    assert.equal((await client.dashboard.insights()).mrr, 2000);
    assert.equal(await add('month', 1, 1000, 3), 3000);
    assert.equal(await add('month', 3, 1000), 333);
    assert.equal(await add('year', 1, 1002), 84); // 83.5
    assert.equal(await add('year', 2, 1002), 42); // 41.75
    assert.equal(await add('week', 1, 1000), 4333);
    assert.equal(await add('week', 2, 1000), 2167);
    assert.equal(await add('day', 1, 100), 3042);
    assert.equal(await add('day', 30, 100), 101);
    const ended: number[] = [];
    for (let i = 0; i < 11; i++) {
      const canceled_at = `2026-01-${String(10 + Math.floor(i / 2))}T00:00:00.000Z`;
      ended.push((await storeSubscription(store, { status: 'canceled', canceled_at })).id);
    }
    const { recently_canceled, mrr } = await client.dashboard.insights();
    assert.deepEqual(
      recently_canceled.map(({ id }) => id),
      ended.toReversed().slice(0, 10),
    );
    assert.deepEqual(Object.keys(recently_canceled[0] ?? {}).sort(), ['canceled_at', 'id', 'product_name', 'public_id']);
    assert.equal(mrr, 2000 + 3000 + 333 + 84 + 42 + 4333 + 2167 + 3042 + 101);
    const by_status = { active: 9, past_due: 1, canceled: 11, incomplete: 1, incomplete_expired: 1, trialing: 1, unpaid: 1 };
    assert.deepEqual(await client.dashboard.subscriptions(), { total: 25, by_status });
  });

  test('AU9: every endpoint of the dashboard needs admin_api.dashboard.read', async () => {
    const allowed = app().clientFor((await person(app(), { permissions: ['admin_api.dashboard.read'] })).token).dashboard;
    const other = app().clientFor((await person(app(), { permissions: ['admin_api.orders.read'] })).token).dashboard;
    for (const id of ['get', 'trends', 'insights', 'subscriptions'] as const) {
      await allowed[id]();
      await refused(other[id](), 403, 'forbidden');
    }
  });
});

function sumOf(days: readonly { revenue: number; orders: number }[]): { revenue: number; orders: number } {
  const sum = { revenue: 0, orders: 0 };
  for (const { revenue, orders } of days) {
    sum.revenue += revenue;
    sum.orders += orders;
  }
  return sum;
}
