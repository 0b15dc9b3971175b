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

test('ED4: several lines of one variant are added up, and the error for too little stock says how much there is', () => {
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

test('ED4: a line with quantity 0 needs no stock', () => {
  assert.deepEqual(perVariant([wish(1, 0)]), []);
});

test('PH10: only the change that takes the stock to the threshold or below it crosses the threshold', () => {
  assert.equal(crossesLow(6, 5, 5), true);
  assert.equal(crossesLow(5, 4, 5), false);
  assert.equal(crossesLow(4, 6, 5), false);
  assert.equal(crossesLow(9, -1, 0), true);
});

test('O16: a cancelled order returns its stock if it was not shipped; an order that is no longer cancelled takes it again', () => {
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

test('C3: an order’s payment progress is unpaid, partial, paid or overpaid', () => {
  assert.deepEqual(
    [0, 1, 10, 11].map((paid) => paymentProgress(10, paid)),
    ['unpaid', 'partial', 'paid', 'overpaid'],
  );
});
