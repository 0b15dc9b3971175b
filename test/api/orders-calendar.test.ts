import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder, makeOrderStatus } from '../helpers/builders.ts';
import { onOneDay } from '../helpers/one-day.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('order calendar', (app) => {
  const calendar = (query: object = {}) => app().client.orders.calendar(query);
  const countsIn = async (query: object) => {
    const { days, no_delivery_date_count } = await calendar(query);
    return [Object.fromEntries(days.filter(({ count }) => count > 0).map(({ date, count }) => [date, count])), no_delivery_date_count];
  };
  /** Each test uses its own customer name, so that it counts only its own orders. */
  const make = (name: string, values: Parameters<typeof makeOrder>[1]) => makeOrder(app(), { customer_name: name, ...values });

  test('CA2: the grid has whole weeks from Monday to Sunday around the month, 28 to 42 days', async () => {
    const grids = new Map([
      ['2026-02', ['2026-01-26', '2026-03-01', 35]],
      ['2021-02', ['2021-02-01', '2021-02-28', 28]],
      ['2026-03', ['2026-02-23', '2026-04-05', 42]],
      ['2024-02', ['2024-01-29', '2024-03-03', 35]],
      ['0000-02', ['0000-01-31', '0000-03-05', 35]],
      ['9999-11', ['9999-11-01', '9999-12-05', 35]],
    ]);
    for (const [month, [start, end, length]] of grids) {
      const { grid_start, grid_end, days } = await calendar({ month });
      assert.deepEqual([grid_start, grid_end, days.length], [start, end, length], month);
      assert.deepEqual([days[0]?.date, days.at(-1)?.date], [start, end]);
      assert.deepEqual(
        days.map(({ date }) => date),
        days.map(({ date }) => date).toSorted(),
      );
      assert.equal(new Set(days.map(({ date }) => date)).size, length);
    }
  });

  test('CA1: an absent or malformed month means the current month', async () => {
    const malformed = ['2026-13', '2026-00', 'abc', '2026-1', '', '2026-03-01', '202603', '\u0000', '9999-12', '0000-01', '2026-03 '];
    const { today, expected, found, absent } = await onOneDay('UTC', async (today) => ({
      today,
      expected: await calendar({ month: today.slice(0, 7) }),
      found: await Promise.all(
        malformed.map(async (month) => {
          const { status, body } = await app().request({ path: `/admin/api/orders/calendar?month=${encodeURIComponent(month)}` });
          return { month, status, body };
        }),
      ),
      absent: await calendar(),
    }));
    assert.ok(expected.grid_start <= today && today <= expected.grid_end);
    for (const { month, status, body } of found) assert.deepEqual([status, body], [200, expected], month);
    assert.deepEqual(absent, expected);
  });

  test('CA3: orders are counted by delivery date, with the filters of the order list', async () => {
    const filters = { month: '2025-07', search: 'calen' };
    await make('Calen A', { delivery_date: '2025-07-10', total: 1000, status: 'shipped', payment_status: 'paid' });
    await make('Calen B', { delivery_date: '2025-07-10', total: 2000, status: 'pending', payment_status: 'pending' });
    await make('Calen C', { delivery_date: '2025-06-30', total: 3000 });
    await make('Calen D', { delivery_date: '2025-06-29', total: 3000 });
    await make('Calen E', { total: 1500, status: 'shipped' });
    await make('Other', { delivery_date: '2025-07-10', customer_email: 'x@calen.example' });
    assert.deepEqual(await countsIn(filters), [{ '2025-06-30': 1, '2025-07-10': 3 }, 1]);
    assert.deepEqual(await countsIn({ month: '2025-07' }), [{ '2025-06-30': 1, '2025-07-10': 3 }, 1]);
    assert.deepEqual(await countsIn({ ...filters, status: 'shipped' }), [{ '2025-07-10': 1 }, 1]);
    assert.deepEqual(await countsIn({ ...filters, payment_status: 'paid' }), [{ '2025-07-10': 1 }, 0]);
    assert.deepEqual(await countsIn({ ...filters, total_min: '15', total_max: '20' }), [{ '2025-07-10': 1 }, 1]);
    assert.deepEqual(await countsIn({ month: '2025-07', total_min: '15', total_max: '20' }), [{ '2025-07-10': 1 }, 1]);
    for (const query of [{ status: 'gone' }, { payment_status: 'gone' }, { total_min: 'x' }]) {
      await refused(
        calendar({ month: '2025-07', ...query }),
        422,
        'status' in query || 'payment_status' in query ? 'invalid_enum' : 'invalid_value',
      );
    }
  });

  test('the calendar takes customer, internal status and payment progress, which must all match', async () => {
    const [customer, internal] = [await makeCustomer(app()), await makeOrderStatus(app())];
    await make('Cabuyer A', { delivery_date: '2025-05-05', customer, internal_status_id: internal.id });
    await make('Cabuyer B', { delivery_date: '2025-05-05', customer, payment_status: 'paid' });
    await make('Cabuyer C', { delivery_date: '2025-05-06', internal_status_id: internal.id });
    await make('Cabuyer D', { customer });
    const found = (query: object) => countsIn({ month: '2025-05', ...query });
    assert.deepEqual(await found({ customer_id: customer.id }), [{ '2025-05-05': 2 }, 1]);
    assert.deepEqual(await found({ customer_id: customer.id, search: 'cabuyer a' }), [{ '2025-05-05': 1 }, 0]);
    assert.deepEqual(await found({ internal_status_id: internal.id }), [{ '2025-05-05': 1, '2025-05-06': 1 }, 0]);
    assert.deepEqual(await found({ internal_status_id: 'none', search: 'cabuyer' }), [{ '2025-05-05': 1 }, 1]);
    assert.deepEqual(await found({ payment_progress: 'paid' }), [{ '2025-05-05': 1 }, 0]);
    assert.deepEqual(await found({ customer_id: 999_999 }), [{}, 0]);
  });

  test('CA4: cancelled and refunded orders are left out, unless the query has a status', async () => {
    const delivery_date = '2025-09-03';
    for (const status of ['pending', 'cancelled'] as const) {
      for (const payment_status of ['paid', 'refunded'] as const) await make('Cafour', { delivery_date, status, payment_status });
    }
    await make('Cafour', { status: 'cancelled' });
    const found = async (query: object) => countsIn({ month: '2025-09', search: 'cafour', ...query });
    assert.deepEqual(await found({}), [{ [delivery_date]: 1 }, 0]);
    assert.deepEqual(await found({ payment_status: 'refunded' }), [{}, 0]);
    assert.deepEqual(await found({ status: 'cancelled' }), [{ [delivery_date]: 2 }, 1]);
    assert.deepEqual(await found({ status: 'pending' }), [{ [delivery_date]: 2 }, 0]);
    assert.deepEqual(await found({ status: 'pending', payment_status: 'refunded' }), [{ [delivery_date]: 1 }, 0]);
  });

  test('CA4: live_only lists the orders that are counted; needs counts those of its list', async () => {
    const delivery_date = '2025-10-03';
    for (const status of ['pending', 'shipped', 'cancelled'] as const) {
      for (const payment_status of ['paid', 'refunded'] as const) await make('Calive', { delivery_date, status, payment_status });
    }
    const counted = async (query: object) => countsIn({ month: '2025-10', search: 'calive', ...query });
    const listed = async (query: object) =>
      (await app().client.orders.list({ search: 'calive', delivery_from: delivery_date, delivery_to: delivery_date, ...query })).total;
    assert.deepEqual([await counted({}), await listed({ live_only: true }), await listed({})], [[{ [delivery_date]: 2 }, 0], 2, 6]);
    for (const needs of ['sending', 'attention'] as const) {
      assert.deepEqual([await counted({ needs }), await listed({ needs })], [[{ [delivery_date]: 2 }, 0], 2]);
    }
  });

  test('CA5: orders without a delivery date are counted with the same filters, in any month', async () => {
    const [, before] = await countsIn({ month: '2025-11' });
    await make('Cafive', {});
    const dated = await make('Cafive', { delivery_date: '2030-01-01' });
    await make('Cafive', { status: 'cancelled' });
    assert.deepEqual(await countsIn({ month: '2025-11', search: 'cafive' }), [{}, 1]);
    assert.deepEqual(await countsIn({ month: '2025-11' }), [{}, Number(before) + 1]);
    await app().client.orders.update_delivery_date(dated.id, { delivery_date: null });
    assert.deepEqual(await countsIn({ month: '2025-11' }), [{}, Number(before) + 2]);
  });

  test('CA6: test orders are left out unless include_test is sent', async () => {
    await make('Casix', { delivery_date: '2025-12-24', is_test: true });
    await make('Casix', { delivery_date: '2025-12-24' });
    await make('Casix', { is_test: true });
    assert.deepEqual(await countsIn({ month: '2025-12', search: 'casix' }), [{ '2025-12-24': 1 }, 0]);
    assert.deepEqual(await countsIn({ month: '2025-12', search: 'casix', include_test: true }), [{ '2025-12-24': 2 }, 1]);
  });

  test('CA1, G10: the current month is that of the shop’s time zone', async () => {
    const [ahead, behind] = ['Pacific/Kiritimati', 'Pacific/Niue'];
    for (const timezone of [ahead, behind, 'UTC']) {
      await app().client.settings.update({ timezone });
      const [now, expected] = await onOneDay(timezone, async (today) => [await calendar(), await calendar({ month: today.slice(0, 7) })]);
      assert.deepEqual(now, expected, timezone);
    }
  });
});
