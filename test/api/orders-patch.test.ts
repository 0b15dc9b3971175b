import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderStatuses, paymentStatuses } from '../../contract/orders.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeOrderStatus, makeProduct, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('changing orders', (app) => {
  const stockOf = async (id: number) => (await app().client.products.get_variant(id)).stock;

  /** The domain events of an order, oldest first. */
  async function eventsOf(orderId: number) {
    const rows = await app().store.reader.selectFrom('domain_events').select(['type', 'data']).orderBy('id').execute();
    return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) })).filter(({ data }) => data.order_id === orderId);
  }

  test('C14: an order may change from any status to any, also to the same', async () => {
    const { id } = await makeOrder(app());
    for (const before of orderStatuses) {
      for (const after of orderStatuses) {
        await app().client.orders.update_status(id, { status: before });
        await app().client.orders.update_status(id, { status: after });
        assert.equal((await app().client.orders.get(id)).status, after);
      }
    }
  });

  test('O14: a changed status makes one event, the same status again none', async () => {
    const { id } = await makeOrder(app());
    await app().client.orders.update_status(id, { status: 'shipped' });
    await app().client.orders.update_status(id, { status: 'shipped' });
    assert.deepEqual(await eventsOf(id), [
      { type: 'order.created', data: { order_id: id, total: 1000, currency: 'EUR' } },
      { type: 'order.status_changed', data: { order_id: id, status: 'shipped', previous_status: 'pending' } },
    ]);
  });

  test('O16: cancelling an unshipped order returns its stock, reopening takes it again', async () => {
    for (const status of ['pending', 'processing'] as const) {
      const variant = await makeVariant(app(), { stock: 10 });
      const { id } = await makeOrder(app(), { status, payment_status: 'paid' }, [
        { variant, quantity: 2 },
        { variant, quantity: 1 },
      ]);
      assert.equal(await stockOf(variant.id), 7);
      await app().client.orders.update_status(id, { status: 'cancelled' });
      assert.equal(await stockOf(variant.id), 10);
      await app().client.orders.update_status(id, { status: 'cancelled' });
      assert.equal(await stockOf(variant.id), 10, 'the stock is returned once');
      assert.equal((await app().client.orders.get(id)).payment_status, 'paid', 'the payment status has not changed');
      await app().client.orders.update_status(id, { status: 'pending' });
      assert.equal(await stockOf(variant.id), 7);
      const movements = await app().client.products.list_stock_movements(variant.id);
      assert.deepEqual(
        movements.slice(0, 2).map(({ delta, order_id }) => [delta, order_id]),
        [
          [-3, id],
          [3, id],
        ],
      );
      assert.equal(
        movements.reduce((sum, { delta }) => sum + delta, 0),
        7,
      );
    }
  });

  test('O16: cancelling a shipped order does not return its stock, and reopening does not take it twice', async () => {
    for (const status of ['shipped', 'delivered'] as const) {
      const variant = await makeVariant(app(), { stock: 10 });
      const { id } = await makeOrder(app(), { status }, [{ variant, quantity: 4 }]);
      await app().client.orders.update_status(id, { status: 'cancelled' });
      assert.equal(await stockOf(variant.id), 6);
      await app().client.orders.update_status(id, { status: 'processing' });
      assert.equal(await stockOf(variant.id), 6, 'the order still has its goods');
      await app().client.orders.update_status(id, { status: 'cancelled' });
      assert.equal(await stockOf(variant.id), 10);
    }
  });

  test('O16, ED14: goods that an edit removed after shipping are not returned by a later cancellation', async () => {
    const variant = await makeVariant(app(), { stock: 10 });
    const { id } = await makeOrder(app(), { status: 'shipped' }, [{ variant, quantity: 5 }]);
    const [line] = (await app().client.orders.get(id)).items;
    await app().client.orders.edit(id, { items: [{ id: line?.id ?? 0, quantity: 3 }], warn_acknowledged: true });
    await app().client.orders.update_status(id, { status: 'processing' });
    await app().client.orders.update_status(id, { status: 'cancelled' });
    assert.equal(await stockOf(variant.id), 8, 'two of the five goods stay away');
    await app().client.orders.update_status(id, { status: 'processing' });
    assert.equal(await stockOf(variant.id), 5);
    await app().client.orders.update_status(id, { status: 'cancelled' });
    assert.equal(await stockOf(variant.id), 8);
  });

  test('O16: goods ordered while stock was not tracked are not returned by an edit or a cancellation', async () => {
    const variant = await makeVariant(app(), { stock: 0, track_stock: false });
    const { id } = await makeOrder(app(), {}, [{ variant, quantity: 4 }]);
    const [line] = (await app().client.orders.get(id)).items;
    await app().client.products.update_variant(variant.id, { track_stock: true });
    await app().client.products.change_stock(variant.id, { stock: 10, expected_stock: 0, reason: 'counted' });
    await app().client.orders.edit(id, { items: [{ id: line?.id ?? 0, quantity: 3 }] });
    assert.equal(await stockOf(variant.id), 10, 'fewer goods return nothing, because none were taken');
    await app().client.orders.edit(id, { items: [{ id: line?.id ?? 0, quantity: 5 }] });
    assert.equal(await stockOf(variant.id), 8, 'two further goods are taken');
    await app().client.orders.update_status(id, { status: 'cancelled' });
    assert.equal(await stockOf(variant.id), 10, 'the two goods are returned');
    await app().client.orders.update_status(id, { status: 'pending' });
    assert.equal(await stockOf(variant.id), 5, 'reopening takes all five, because stock is now tracked');
  });

  test('O16: reopening without enough stock is refused, names the missing goods and changes nothing', async () => {
    const product = await makeProduct(app());
    const short = await makeVariant(app(), { product_id: product.id, stock: 2 });
    const enough = await makeVariant(app(), { product_id: product.id, stock: 9 });
    const { id } = await makeOrder(app(), { status: 'cancelled' }, [
      { variant: enough, quantity: 2 },
      { variant: short, quantity: 2 },
    ]);
    await app().client.products.change_stock(short.id, { delta: -1, reason: 'broken' });
    const error = await refused(app().client.orders.update_status(id, { status: 'pending' }), 409, 'insufficient_stock');
    assert.deepEqual(error.problem?.['stock_warnings'], [
      { product_id: product.id, variant_id: short.id, product_name: product.name, requested: 2, available: 1 },
    ]);
    assert.deepEqual([await stockOf(short.id), await stockOf(enough.id)], [1, 9]);
    assert.equal((await app().client.orders.get(id)).status, 'cancelled');
  });

  test('PH3: reopening takes backorders below zero and leaves untracked stock alone', async () => {
    const backorder = await makeVariant(app(), { stock: 1, allow_backorder: true });
    const untracked = await makeVariant(app(), { stock: 5, track_stock: false });
    const { id } = await makeOrder(app(), { status: 'cancelled' }, [
      { variant: backorder, quantity: 3 },
      { variant: untracked, quantity: 3 },
    ]);
    await app().client.orders.update_status(id, { status: 'processing' });
    assert.deepEqual([await stockOf(backorder.id), await stockOf(untracked.id)], [-2, 5]);
  });

  test('PH10: reopening an order that brings a product below its threshold makes the event stock.low', async () => {
    const variant = await makeVariant(app(), { stock: 20 });
    const { id } = await makeOrder(app(), { status: 'cancelled' }, [{ variant, quantity: 3 }]);
    await app().client.products.change_stock(variant.id, { delta: -13, reason: 'counted' });
    await app().client.orders.update_status(id, { status: 'pending' });
    const events = await app().store.reader.selectFrom('domain_events').select('data').where('type', '=', 'stock.low').execute();
    const ours = events.map(({ data }) => JSON.parse(data)).filter(({ product_id }) => product_id === variant.product_id);
    assert.deepEqual(ours, [{ product_id: variant.product_id, stock: 4, threshold: 5 }]);
  });

  test('O16: a cancellation makes one event order.cancelled', async () => {
    const { id } = await makeOrder(app());
    await app().client.orders.update_status(id, { status: 'cancelled' });
    await app().client.orders.update_status(id, { status: 'cancelled' });
    const told = await eventsOf(id);
    assert.deepEqual(
      told.map(({ type }) => type),
      ['order.created', 'order.status_changed', 'order.cancelled'],
    );
  });

  test('O16: of two simultaneous reopenings that need the last piece one succeeds', async () => {
    const variant = await makeVariant(app(), { stock: 1 });
    const orders = [];
    for (let n = 0; n < 2; n++) orders.push(await makeOrder(app(), { status: 'cancelled' }, [{ variant, quantity: 1 }]));
    const results = await Promise.allSettled(orders.map(({ id }) => app().client.orders.update_status(id, { status: 'pending' })));
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal(await stockOf(variant.id), 0);
  });

  test('O16: simultaneous cancellations of an order return its stock once', async () => {
    const variant = await makeVariant(app(), { stock: 10 });
    const { id } = await makeOrder(app(), {}, [{ variant, quantity: 3 }]);
    await Promise.all(Array.from({ length: 8 }, () => app().client.orders.update_status(id, { status: 'cancelled' })));
    assert.equal(await stockOf(variant.id), 10);
  });

  test('O18: any payment status may be set; only the first change to paid makes the event order.paid', async () => {
    const { id } = await makeOrder(app());
    for (const payment_status of [...paymentStatuses, 'paid'] as const) {
      await app().client.orders.update_payment_status(id, { payment_status });
      assert.equal((await app().client.orders.get(id)).payment_status, payment_status);
    }
    assert.deepEqual(await eventsOf(id), [
      { type: 'order.created', data: { order_id: id, total: 1000, currency: 'EUR' } },
      { type: 'order.paid', data: { order_id: id, total: 1000, currency: 'EUR' } },
      { type: 'order.refunded', data: { order_id: id } },
    ]);
  });

  test('O7, O18: the paid total and the balance follow the payment status', async () => {
    const { id } = await makeOrder(app());
    const money = async () => {
      const { paid_total_cents, balance_due_cents, payment_progress } = await app().client.orders.get(id);
      return [paid_total_cents, balance_due_cents, payment_progress];
    };
    assert.deepEqual(await money(), [0, 1000, 'unpaid']);
    await app().client.orders.update_payment_status(id, { payment_status: 'paid' });
    assert.deepEqual(await money(), [1000, 0, 'paid']);
    await app().client.orders.update_payment_status(id, { payment_status: 'refunded' });
    assert.deepEqual(await money(), [0, 1000, 'unpaid']);
  });

  test('O18: an order created as paid makes order.paid only once', async () => {
    const { id } = await makeOrder(app(), { payment_status: 'paid' });
    await app().client.orders.update_payment_status(id, { payment_status: 'pending' });
    await app().client.orders.update_payment_status(id, { payment_status: 'paid' });
    assert.deepEqual(await eventsOf(id), [
      { type: 'order.created', data: { order_id: id, total: 1000, currency: 'EUR' } },
      { type: 'order.paid', data: { order_id: id, total: 1000, currency: 'EUR' } },
    ]);
  });

  test('O19: the tracking number is set or cleared, and a sent status changes the order with all effects', async () => {
    const variant = await makeVariant(app(), { stock: 10 });
    const { id } = await makeOrder(app(), {}, [{ variant, quantity: 1 }]);
    await app().client.orders.update_shipping(id, { tracking_number: 'AT123' });
    assert.deepEqual(
      [(await app().client.orders.get(id)).tracking_number, (await app().client.orders.get(id)).status],
      ['AT123', 'pending'],
    );
    await app().client.orders.update_shipping(id, { tracking_number: '', status: null });
    assert.deepEqual([(await app().client.orders.get(id)).tracking_number, (await app().client.orders.get(id)).status], ['', 'pending']);
    await app().client.orders.update_shipping(id, { tracking_number: 'AT456', status: 'cancelled' });
    assert.equal((await app().client.orders.get(id)).status, 'cancelled');
    assert.equal(await stockOf(variant.id), 10);
    await app().client.products.change_stock(variant.id, { stock: 0, expected_stock: 10 });
    await refused(app().client.orders.update_shipping(id, { tracking_number: 'AT789', status: 'shipped' }), 409, 'insufficient_stock');
    assert.equal((await app().client.orders.get(id)).tracking_number, 'AT456', 'a refused status leaves the tracking number as it was');
  });

  test('O20: the delivery date is set, kept or cleared, and each success is logged', async () => {
    const { id } = await makeOrder(app());
    const logged = async () => {
      const { logs } = await app().client.logs.list();
      return logs
        .filter(({ action }) => action === 'admin.orders.update_delivery_date')
        .map((row) => ({ ...row, detail: JSON.parse(row.detail ?? 'null') }))
        .filter(({ detail }) => detail.order_id === id)
        .reverse();
    };
    await app().client.orders.update_delivery_date(id, { delivery_date: '2020-02-29' });
    assert.equal((await app().client.orders.get(id)).delivery_date, '2020-02-29');
    await app().client.orders.update_delivery_date(id, { delivery_date: '2020-02-29' });
    await app().client.orders.update_delivery_date(id, { delivery_date: null });
    assert.equal((await app().client.orders.get(id)).delivery_date, null);
    await refused(app().client.orders.update_delivery_date(id, { delivery_date: '2026-02-29' }), 422, 'invalid_date');
    const entries = await logged();
    assert.deepEqual(
      entries.map(({ detail, source, status }) => [source, status, detail.before, detail.after]),
      [
        ['admin', 'success', null, '2020-02-29'],
        ['admin', 'success', '2020-02-29', '2020-02-29'],
        ['admin', 'success', '2020-02-29', null],
      ],
    );
    assert.deepEqual(Object.keys(entries[0]?.detail).sort(), ['admin_id', 'after', 'before', 'order_id']);
    assert.match(entries[2]?.summary ?? '', /2020-02-29 → none/);
  });

  test('O19, O20, O21, O22: each change must send its field with a valid value', async () => {
    const { id } = await makeOrder(app());
    const patch = async (path: string, body: object) => {
      const { status } = await app().request({ method: 'PATCH', path: `/admin/api/orders/${id}/${path}`, body });
      return status;
    };
    for (const path of ['status', 'payment-status', 'shipping', 'delivery-date', 'test-flag', 'internal-status']) {
      assert.equal(await patch(path, {}), 422, path);
    }
    assert.equal(await patch('status', { status: 'returned' }), 422);
    assert.equal(await patch('payment-status', { payment_status: 'partially_paid' }), 422);
    assert.equal(await patch('test-flag', { is_test: 1 }), 422);
  });

  test('O21: the test flag removes an order from the list and puts it back', async () => {
    const { id } = await makeOrder(app(), { customer_name: 'Flaggy' });
    const shown = async () => (await app().client.orders.list({ search: 'flaggy' })).total;
    await app().client.orders.update_test_flag(id, { is_test: true });
    await app().client.orders.update_test_flag(id, { is_test: true });
    assert.equal(await shown(), 0);
    await app().client.orders.update_test_flag(id, { is_test: false });
    assert.equal(await shown(), 1);
  });

  test('O22: the internal status must exist or be null', async () => {
    const { id } = await makeOrder(app());
    const status = await makeOrderStatus(app());
    assert.deepEqual(await app().client.orders.update_internal_status(id, { internal_status_id: status.id }), {
      id,
      internal_status_id: status.id,
    });
    const error = await refused(
      app().client.orders.update_internal_status(id, { internal_status_id: 999_999 }),
      422,
      'internal_status_not_found',
    );
    assert.equal(error.errors[0]?.pointer, '/internal_status_id');
    assert.equal((await app().client.orders.get(id)).internal_status_id, status.id);
    assert.deepEqual(await app().client.orders.update_internal_status(id, { internal_status_id: null }), { id, internal_status_id: null });
  });

  test('R3: every change of an unknown order is 404', async () => {
    const unknown = 999_999;
    await refused(app().client.orders.update_status(unknown, { status: 'shipped' }), 404, 'not_found');
    await refused(app().client.orders.update_payment_status(unknown, { payment_status: 'paid' }), 404, 'not_found');
    await refused(app().client.orders.update_shipping(unknown, { tracking_number: '' }), 404, 'not_found');
    await refused(app().client.orders.update_delivery_date(unknown, { delivery_date: null }), 404, 'not_found');
    await refused(app().client.orders.update_test_flag(unknown, { is_test: true }), 404, 'not_found');
    await refused(app().client.orders.update_internal_status(unknown, { internal_status_id: null }), 404, 'not_found');
  });

  test('ET1: a change raises the version of the order; the same value does not', async () => {
    const { id } = await makeOrder(app());
    const at = (version: number) => ({ headers: { 'If-Match': `"order-${id}-${version}"` } });
    await app().client.orders.update_status(id, { status: 'processing' }, at(1));
    await refused(app().client.orders.update_status(id, { status: 'shipped' }, at(1)), 412, 'precondition_failed');
    await app().client.orders.update_status(id, { status: 'processing' }, at(2));
    await app().client.orders.update_test_flag(id, { is_test: true }, at(2));
    assert.notEqual((await app().client.orders.get(id)).updated_at, '2026-03-01T12:00:00.000Z');
  });
});
