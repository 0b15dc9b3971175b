import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountBound, totals } from '../../server/resources/orders/rules.ts';

const order = fc.record({
  lines: fc.array(
    fc.record({
      unitPrice: fc.nat({ max: 10_000_000 }),
      quantity: fc.nat({ max: 1000 }),
      taxRateBps: fc.constantFrom(0, 500, 1900, 2700, 10_000),
    }),
    { maxLength: 20 },
  ),
  discount: fc.nat({ max: 100_000_000 }),
  shippingCost: fc.nat({ max: 100_000 }),
  shippingTaxRateBps: fc.constantFrom(0, 500, 1900, 2700),
  pricesIncludeTax: fc.boolean(),
});

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

test('O9: the identity of the total holds for prices without and with tax', () => {
  fc.assert(
    fc.property(order, (input) => {
      const { subtotal, discount, shipping, tax, total } = totals(input);
      assert.equal(total, subtotal - discount + shipping + (input.pricesIncludeTax ? 0 : tax));
      assert.ok(total >= 0);
    }),
  );
});

test('O10: tax is rounded half up, once a line, and the order has their sum with that of the shipping', () => {
  fc.assert(
    fc.property(order, (input) => {
      const result = totals(input);
      const exact = (amount: number, bps: number) =>
        input.pricesIncludeTax ? amount - (amount * 10_000) / (10_000 + bps) : (amount * bps) / 10_000;
      const lines = result.lines.map(({ subtotal, discount_amount }, i) =>
        exact(subtotal - discount_amount, input.lines[i]?.taxRateBps ?? 0),
      );
      for (const [i, { tax_amount }] of result.lines.entries()) assert.ok(Math.abs(tax_amount - (lines[i] ?? 0)) <= 0.5 + 1e-6);
      const shippingTax = result.tax - sum(result.lines.map(({ tax_amount }) => tax_amount));
      assert.ok(Math.abs(shippingTax - exact(input.shippingCost, input.shippingTaxRateBps)) <= 0.5 + 1e-6);
    }),
  );
  const one = { discount: 0, shippingCost: 0, shippingTaxRateBps: 0 };
  const halfCent = { ...one, lines: [{ unitPrice: 50, quantity: 1, taxRateBps: 500 }] };
  assert.equal(totals({ ...halfCent, pricesIncludeTax: false }).tax, 3, '2.5 cents');
  const twoLines = { ...one, lines: [10, 10].map((unitPrice) => ({ unitPrice, quantity: 1, taxRateBps: 500 })) };
  assert.equal(totals({ ...twoLines, pricesIncludeTax: false }).tax, 2, 'the tax of each line must be rounded by itself');
  const inclusive = { ...one, lines: [{ unitPrice: 12_700, quantity: 1, taxRateBps: 2700 }] };
  assert.equal(totals({ ...inclusive, pricesIncludeTax: true }).tax, 2700);
});

test('O11: the discount is capped at the subtotal and its shares add up, each within its line', () => {
  fc.assert(
    fc.property(order, (input) => {
      const { lines, discount, subtotal } = totals(input);
      assert.equal(discount, Math.min(input.discount, subtotal));
      assert.equal(sum(lines.map((line) => line.discount_amount)), discount);
      for (const line of lines) assert.ok(line.discount_amount >= 0 && line.discount_amount <= line.subtotal);
    }),
  );
  const thirds = {
    lines: [1, 1, 1].map((unitPrice) => ({ unitPrice, quantity: 100, taxRateBps: 0 })),
    shippingCost: 0,
    shippingTaxRateBps: 0,
  };
  const shares = totals({ ...thirds, discount: 100, pricesIncludeTax: false }).lines.map((line) => line.discount_amount);
  assert.deepEqual(shares, [34, 33, 33], 'equal remainders must be given in the order of the lines');
});

test('O12: a line has its subtotal before, its tax after the discount', () => {
  const input = { lines: [{ unitPrice: 1000, quantity: 2, taxRateBps: 2000 }], discount: 500, shippingCost: 0, shippingTaxRateBps: 0 };
  assert.deepEqual(totals({ ...input, pricesIncludeTax: false }).lines, [{ subtotal: 2000, discount_amount: 500, tax_amount: 300 }]);
});

test('O10: amounts beyond the safe integers are refused and never rounded', () => {
  const huge = { unitPrice: Number.MAX_SAFE_INTEGER, quantity: 2, taxRateBps: 0 };
  const input = { lines: [huge], discount: 0, shippingCost: 0, shippingTaxRateBps: 0, pricesIncludeTax: false };
  assert.throws(() => totals(input), RangeError);
});

test('O1: decimal bounds are exact; more decimals than the currency has round inwards', () => {
  assert.equal(amountBound('19.99', 2, 'min'), 1999);
  assert.equal(amountBound('19.99', 2, 'max'), 1999);
  assert.equal(amountBound('19.991', 2, 'min'), 2000);
  assert.equal(amountBound('19.999', 2, 'max'), 1999);
  assert.equal(amountBound('19.990', 2, 'min'), 1999);
  assert.equal(amountBound('5', 0, 'min'), 5);
  assert.equal(amountBound('0.1', 3, 'max'), 100);
  assert.equal(amountBound('999999999999999', 4, 'max'), Number.MAX_SAFE_INTEGER);
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 31 - 1 }), (cents) => {
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      assert.equal(amountBound(text, 2, 'min'), cents);
      assert.equal(amountBound(text, 2, 'max'), cents);
    }),
  );
});
