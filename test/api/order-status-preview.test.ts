import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderStatus } from '../../contract/orders.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeFile, makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { makeVoucher } from '../helpers/terms.ts';

onBothStores('what a change of the status of orders would do', (app) => {
  const preview = (ids: number[], status: OrderStatus) => app().client.orders.preview_status({ ids, status });
  const nothing = {
    returned_pieces: 0,
    sent_orders: 0,
    returned_vouchers: 0,
    paid_orders: 0,
    bought_labels: 0,
    ended_downloads: 0,
    ended_accesses: 0,
    new_downloads: 0,
    started_tasks: 0,
  };

  test('O29: a cancellation is told by what it does: the stock that comes back is the stock that comes back', async () => {
    const cup = await makeVariant(app(), { stock: 10 });
    const loose = await makeVariant(app(), { track_stock: false });
    const voucher = await makeVoucher(app(), { code: 'PREVIEWED', kind: 'fixed', amount_cents: 100 });
    const lines = [
      { variant: cup, quantity: 3 },
      { variant: loose, quantity: 5 },
    ];
    const open = await makeOrder(app(), {}, lines);
    await app().client.orders.edit(open.id, { voucher_code: voucher.code });
    const paid = await makeOrder(app(), { payment_status: 'paid' }, [{ variant: cup, quantity: 1 }]);
    const sent = await makeOrder(app(), { status: 'shipped' }, [{ variant: cup, quantity: 2 }]);
    const gone = await makeOrder(app(), { status: 'cancelled' }, [{ variant: cup, quantity: 2 }]);
    const ids = [gone.id, sent.id, paid.id, open.id];
    assert.deepEqual(await preview([...ids, 999_999], 'cancelled'), {
      ...nothing,
      from: [
        { status: 'pending', ids: [open.id] },
        { status: 'processing', ids: [paid.id] },
        { status: 'shipped', ids: [sent.id] },
        { status: 'cancelled', ids: [gone.id] },
      ],
      returned_pieces: 4,
      sent_orders: 1,
      returned_vouchers: 1,
      paid_orders: 1,
    });
    const before = (await app().client.products.get_variant(cup.id)).stock;
    await app().client.orders.bulk_status({ ids, status: 'cancelled' });
    assert.equal((await app().client.products.get_variant(cup.id)).stock - before, 4);
    assert.deepEqual(await preview(ids, 'cancelled'), { ...nothing, from: [{ status: 'cancelled', ids: ids.toSorted((a, b) => a - b) }] });
    // Reopened and cancelled again, the order holds what it took the second time.
    await app().client.orders.update_status(open.id, { status: 'pending' });
    assert.equal((await preview([open.id], 'cancelled')).returned_pieces, 3);
  });

  test('O29: links and access that end, links that begin, and the tasks that listen', async () => {
    const product = await makeProduct(app(), { kind: 'digital' });
    const variant = await makeVariant(app(), { product_id: product.id });
    await makeFile(app(), { product_id: product.id });
    const group = await app().client.access_groups.create({ slug: 'previewed', name: 'Previewed' });
    await app().client.products.replace_access_groups(product.id, { assignments: [{ group_id: group.id, duration_days: null }] });
    const order = await makeOrder(app(), { payment_status: 'paid' }, [{ variant, quantity: 1 }]);
    assert.equal((await preview([order.id], 'delivered')).new_downloads, 1);
    await app().client.orders.update_status(order.id, { status: 'delivered' });
    assert.equal((await preview([order.id], 'delivered')).new_downloads, 0);
    const { task_id } = await app().client.ai_tasks.create({
      name: 'Listens',
      description: '',
      source_code: 'log(1)',
      permissions: [],
      parameters: [],
    });
    for (const event of ['order.cancelled', 'order.status_changed'] as const) {
      await app().client.ai_tasks.create_trigger(task_id, { event });
    }
    assert.deepEqual(await preview([order.id], 'cancelled'), {
      ...nothing,
      from: [{ status: 'delivered', ids: [order.id] }],
      sent_orders: 1,
      paid_orders: 1,
      ended_downloads: 1,
      ended_accesses: 1,
      started_tasks: 1,
    });
  });

  test('O24: with the status that the orders must have, those that have another one by then are refused', async () => {
    const [one, other] = [await makeOrder(app()), await makeOrder(app(), { status: 'delivered' })];
    const { results } = await app().client.orders.bulk_status({ ids: [one.id, other.id], status: 'shipped', from_status: 'pending' });
    assert.deepEqual(results, [
      { id: one.id, status: 'shipped' },
      { id: other.id, status: 'delivered', code: 'status_changed' },
    ]);
    await refused(preview([1], 'returned' as OrderStatus), 422, 'invalid_enum');
  });
});
