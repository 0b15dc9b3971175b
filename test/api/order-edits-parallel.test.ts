import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../contract/calls.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeVariant } from '../helpers/builders.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { storeVariants } from '../helpers/stored-rows/sizes.ts';

const CLIENTS = 32;

onBothStores('simultaneous order edits', (app) => {
  const create = async (variantId: number, quantity: number) =>
    app().client.orders.get((await app().client.orders.create(phoneOrder([{ variant_id: variantId, quantity }]))).id);

  /** The stock of a variant, and the sum of its movements. */
  async function stockOf(variantId: number): Promise<[number, number]> {
    const movements = await app().client.products.list_stock_movements(variantId, { limit: 200 });
    return [(await app().client.products.get_variant(variantId)).stock, movements.reduce((sum, { delta }) => sum + delta, 0)];
  }

  test('ED14: 32 simultaneous edits of one order keep the stock right', async () => {
    const variant = await makeVariant(app(), { stock: 1000, price_cents: 700 });
    const order = await create(variant.id, 1);
    const id = order.items[0]?.id;
    const edits = await Promise.all(
      Array.from({ length: CLIENTS }, (_, n) => app().client.orders.edit(order.id, { items: [{ id, quantity: 1 + ((n * 7) % CLIENTS) }] })),
    );
    const now = await app().client.orders.get(order.id);
    const quantity = now.items[0]?.quantity ?? 0;
    assert.deepEqual(await stockOf(variant.id), [1000 - quantity, 1000 - quantity]);
    assert.deepEqual([now.subtotal, now.total], [quantity * 700, quantity * 700]);
    const record = await app().client.orders.list_edits(order.id);
    assert.equal(record.length, edits.length);
    assert.equal(
      record.reduce((sum, { payment_delta_cents }) => sum + payment_delta_cents, 700),
      now.total,
      'each edit started from the result of the one before',
    );
  });

  test('ED5, PH3: an order of 1000 lines is created, edited and cancelled; a further line is refused', async () => {
    const { store, client } = app();
    const { product_id } = await makeVariant(app());
    const many = await storeVariants(store, product_id, 1000);
    const { id } = await client.orders.create(phoneOrder(many.map((variant_id) => ({ variant_id, quantity: 1 }))));
    const { items } = await client.orders.get(id);
    assert.equal(items.length, 1000);
    const edited = await client.orders.edit(id, { items: items.map((item) => ({ id: item.id, quantity: 2 })) });
    assert.deepEqual([edited.items.length, edited.total], [1000, 999 * 1000]);
    await refused(client.orders.edit(id, { items: [{ variant_id: many[0], quantity: 1 }] }), 422, 'out_of_range');
    await client.orders.update_status(id, { status: 'cancelled' });
    const left = await client.products.list_variants(product_id);
    assert.deepEqual([left.length, left.filter(({ stock }) => stock < 0)], [1001, []]);
  });

  test('ED14: simultaneous edits and cancellations of 32 orders of one variant never take more than the stock', async () => {
    const variant = await makeVariant(app(), { stock: CLIENTS + 20 });
    const orders = await Promise.all(Array.from({ length: CLIENTS }, () => create(variant.id, 1)));
    const outcomes = await Promise.allSettled(
      orders.map((order, n) =>
        n % 4 === 3
          ? app().client.orders.update_status(order.id, { status: 'cancelled' })
          : app().client.orders.edit(order.id, { items: [{ id: order.items[0]?.id, quantity: 2 + (n % 3) }] }),
      ),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        assert.ok(outcome.reason instanceof ApiError && outcome.reason.code === 'insufficient_stock', String(outcome.reason));
    }
    const after = await Promise.all(orders.map(({ id }) => app().client.orders.get(id)));
    const held = after.filter(({ status }) => status !== 'cancelled').reduce((sum, { items }) => sum + (items[0]?.quantity ?? 0), 0);
    assert.deepEqual(await stockOf(variant.id), [CLIENTS + 20 - held, CLIENTS + 20 - held]);
    assert.ok(held <= CLIENTS + 20);
  });
});
