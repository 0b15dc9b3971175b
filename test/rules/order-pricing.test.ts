import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { groupPrice } from '../../server/resources/discount-groups/rules.ts';
import { type PriceInput, priceOrder } from '../../server/resources/order-pricing/rules.ts';

const bps = fc.integer({ min: 0, max: 10_000 });
const cents = fc.nat({ max: 100_000 });

const voucher = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('percent' as const), percent_bps: bps, amount_cents: fc.constant(null) }),
  fc.record({ kind: fc.constant('fixed' as const), percent_bps: fc.constant(null), amount_cents: cents }),
  fc.constant({ kind: 'free_shipping' as const, percent_bps: null, amount_cents: null }),
);
const discount = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('fixed' as const), amount_cents: cents }),
  fc.record({ kind: fc.constant('percent' as const), percent_bps: bps }),
);
const input: fc.Arbitrary<PriceInput> = fc.record({
  lines: fc.array(
    fc.record({ unitPrice: cents, quantity: fc.integer({ min: 1, max: 200 }), taxRateBps: fc.constantFrom(0, 500, 1900, 2700) }),
    {
      maxLength: 12,
    },
  ),
  voucher,
  discount,
  shipping: fc.record({ price_cents: cents, free_over_cents: fc.option(cents), tax_rate_bps: fc.constantFrom(0, 1900, 2700) }),
  pricesIncludeTax: fc.boolean(),
});

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const simple = (price: number): PriceInput => ({
  lines: [{ unitPrice: price, quantity: 1, taxRateBps: 0 }],
  voucher: null,
  discount: null,
  shipping: { price_cents: 500, free_over_cents: null, tax_rate_bps: 0 },
  pricesIncludeTax: false,
});
const percent = (percent_bps: number) => ({ kind: 'percent' as const, percent_bps, amount_cents: null });

test('O9: both identities of the total hold with any discounts, and no total is below zero', () => {
  fc.assert(
    fc.property(input, (one) => {
      const { subtotal, discount: off, shipping, tax, total } = priceOrder(one);
      assert.equal(total, subtotal - off + shipping + (one.pricesIncludeTax ? 0 : tax));
      assert.ok(total >= 0 && off >= 0 && off <= subtotal && tax >= 0);
    }),
  );
});

test('O11: the lines’ shares of the discount add up exactly; voucher and manual discount add up to it, up to the subtotal', () => {
  fc.assert(
    fc.property(input, (one) => {
      const price = priceOrder(one);
      assert.equal(sum(price.lines.map((line) => line.discount_amount)), price.discount);
      assert.equal(price.discount, Math.min(price.subtotal, price.voucherDiscount + price.manualDiscount));
      assert.equal(sum(price.lines.map((line) => line.subtotal)), price.subtotal);
    }),
  );
});

test('O11: the order of the lines changes a line’s share of the discount by at most one cent', () => {
  fc.assert(
    fc.property(input, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (one, keys) => {
      const order = one.lines.map((_, index) => index).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
      const shuffled = { ...one, lines: order.flatMap((index) => one.lines[index] ?? []) };
      const [a, b] = [priceOrder(one), priceOrder(shuffled)];
      assert.deepEqual([b.subtotal, b.discount, b.shipping], [a.subtotal, a.discount, a.shipping]);
      for (const [place, index] of order.entries()) {
        assert.ok(Math.abs((b.lines[place]?.discount_amount ?? 0) - (a.lines[index]?.discount_amount ?? 0)) <= 1);
      }
    }),
  );
});

test('ED1: a price depends only on the order, so the same order always costs the same', () => {
  fc.assert(fc.property(input, (one) => assert.deepEqual(priceOrder(structuredClone(one)), priceOrder(one))));
});

test('ED8: the stored parts of a price give the same price again', () => {
  fc.assert(
    fc.property(input, (one) => {
      const price = priceOrder(one);
      const again = priceOrder({
        ...one,
        discount: { kind: 'fixed', amount_cents: price.manualDiscount },
        shipping: { ...one.shipping, price_cents: price.shipping + price.waivedShipping, free_over_cents: null },
      });
      assert.deepEqual(again, price);
    }),
  );
});

test('O27: percentages round half up; the voucher first, a percent discount on what it leaves', () => {
  assert.equal(priceOrder({ ...simple(1005), voucher: percent(1000) }).discount, 101);
  assert.equal(priceOrder({ ...simple(1004), voucher: percent(1000) }).discount, 100);
  const both = priceOrder({ ...simple(1005), voucher: percent(1000), discount: { kind: 'percent', percent_bps: 5000 } });
  assert.deepEqual([both.voucherDiscount, both.manualDiscount, both.discount, both.total], [101, 452, 553, 952]);
  const capped = priceOrder({
    ...simple(1000),
    voucher: { kind: 'fixed', percent_bps: null, amount_cents: 700 },
    discount: { kind: 'fixed', amount_cents: 700 },
  });
  assert.deepEqual([capped.voucherDiscount, capped.manualDiscount, capped.discount, capped.total], [700, 700, 1000, 500]);
});

test('O27: free shipping takes the shipping away and is no discount; a method is free from its threshold on', () => {
  const free = priceOrder({ ...simple(1000), voucher: { kind: 'free_shipping', percent_bps: null, amount_cents: null } });
  assert.deepEqual([free.discount, free.shipping, free.waivedShipping, free.total], [0, 0, 500, 1000]);
  const over = (price: number, off: number) =>
    priceOrder({
      ...simple(price),
      discount: { kind: 'fixed', amount_cents: off },
      shipping: { price_cents: 500, free_over_cents: 1000, tax_rate_bps: 0 },
    }).shipping;
  assert.deepEqual([over(999, 0), over(1000, 0), over(1500, 501), over(1500, 500)], [500, 0, 500, 0]);
});

test('O27: the price of a group is rounded half up, per unit', () => {
  assert.deepEqual(
    [groupPrice(1015, 1000), groupPrice(1014, 1000), groupPrice(1, 5000), groupPrice(999, 10_000), groupPrice(999, 0)],
    [914, 913, 1, 0, 999],
  );
});
