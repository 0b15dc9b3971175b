import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderStatuses } from '../../contract/orders.ts';
import { paymentProgress, stockEffect } from '../../server/resources/orders/rules.ts';
import { crossesLow, perVariant, stockWarnings } from '../../server/resources/products/rules.ts';

const variant = (values: { id: number; stock: number; track_stock?: boolean; allow_backorder?: boolean }) => ({
  track_stock: true,
  allow_backorder: false,
  ...values,
});
const wish = (variant_id: number, quantity: number) => ({ product_id: 1, variant_id, product_name: 'Tea', quantity });

test('ED4: several lines of one variant are one wish, and short stock is told with what there is', () => {
  const variants = [variant({ id: 1, stock: 3 }), variant({ id: 2, stock: -2 }), variant({ id: 3, stock: 1 })];
  assert.deepEqual(stockWarnings([wish(1, 2), wish(1, 2), wish(2, 1), wish(3, 1)], variants), [
    { product_id: 1, variant_id: 1, product_name: 'Tea', requested: 4, available: 3 },
    { product_id: 1, variant_id: 2, product_name: 'Tea', requested: 1, available: 0 },
  ]);
});

test('ED4: untracked stock and backorders are never short', () => {
  const variants = [variant({ id: 1, stock: 0, track_stock: false }), variant({ id: 2, stock: 0, allow_backorder: true })];
  assert.deepEqual(stockWarnings([wish(1, 5), wish(2, 5)], variants), []);
});

test('ED4: a line of none asks for nothing', () => {
  assert.deepEqual(perVariant([wish(1, 0)]), []);
});

test('PH10: the threshold is crossed downwards only, and once', () => {
  assert.equal(crossesLow(6, 5, 5), true);
  assert.equal(crossesLow(5, 4, 5), false);
  assert.equal(crossesLow(4, 6, 5), false);
  assert.equal(crossesLow(9, -1, 0), true);
});

test('O16: stock comes back from what has not left, and is taken again by what lives again', () => {
  const effects = orderStatuses.flatMap((before) => orderStatuses.map((after) => [before, after, stockEffect(before, after)] as const));
  const moving = effects.filter(([, , effect]) => effect !== null);
  assert.deepEqual(moving, [
    ['pending', 'cancelled', 'return'],
    ['processing', 'cancelled', 'return'],
    ['cancelled', 'pending', 'take'],
    ['cancelled', 'processing', 'take'],
    ['cancelled', 'shipped', 'take'],
    ['cancelled', 'delivered', 'take'],
  ]);
});

test('C3: payment progress', () => {
  assert.deepEqual(
    [0, 1, 10, 11].map((paid) => paymentProgress(10, paid)),
    ['unpaid', 'partial', 'paid', 'overpaid'],
  );
});
