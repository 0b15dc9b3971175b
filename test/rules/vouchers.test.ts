import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { currencyExponent } from '../../contract/money.ts';
import type { Voucher } from '../../contract/vouchers.ts';
import { groupPrice } from '../../server/resources/discount-groups/rules.ts';
import { servesCountry, shippingCost } from '../../server/resources/shipping-methods/rules.ts';
import { reasonNotUsable, voucherDiscount } from '../../server/resources/vouchers/rules.ts';

const voucher: Voucher = {
  id: 1,
  code: 'A',
  kind: 'percent',
  percent_bps: 1000,
  amount_cents: null,
  min_subtotal_cents: 0,
  usage_limit: null,
  per_customer_limit: null,
  used_count: 0,
  valid_from: null,
  valid_to: null,
  active: true,
};
const NOON = '2026-03-01T12:00:00.000Z';
const order = { now: NOON, subtotal: 1000, uses: { all: 0, byCustomer: 0 } };

test('O27: a percentage rounds half up, an amount is at most the subtotal, free shipping is no discount', () => {
  const percent = (subtotal: number, bps: number) => voucherDiscount({ kind: 'percent', percent_bps: bps, amount_cents: null }, subtotal);
  assert.deepEqual([percent(1005, 1000), percent(1004, 1000), percent(999, 10_000)], [101, 100, 999]);
  const fixed = (subtotal: number) => voucherDiscount({ kind: 'fixed', percent_bps: null, amount_cents: 500 }, subtotal);
  assert.deepEqual([fixed(400), fixed(600)], [400, 500]);
  assert.equal(voucherDiscount({ kind: 'free_shipping', percent_bps: null, amount_cents: null }, 1000), 0);
});

test('O27: no discount is larger than the amount that it reduces, or below 0', () => {
  const amounts = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
      const off = voucherDiscount({ kind: 'percent', percent_bps: bps, amount_cents: null }, amount);
      assert.ok(off >= 0 && off <= amount);
      const price = groupPrice(amount, bps);
      assert.ok(price >= 0 && price <= amount);
    }),
  );
});

test('VO2: a voucher is valid from its first moment to just before its last', () => {
  assert.equal(reasonNotUsable({ ...voucher, valid_from: NOON }, order), null);
  assert.equal(reasonNotUsable({ ...voucher, valid_from: '2026-03-01T12:00:00.001Z' }, order), 'not_started');
  assert.equal(reasonNotUsable({ ...voucher, valid_to: '2026-03-01T12:00:00.001Z' }, order), null);
  assert.equal(reasonNotUsable({ ...voucher, valid_to: NOON }, order), 'expired');
});

test('VO3: usage limits count earlier uses; a subtotal equal to the minimum is enough', () => {
  assert.equal(reasonNotUsable({ ...voucher, usage_limit: 2 }, { ...order, uses: { all: 1, byCustomer: 1 } }), null);
  assert.equal(reasonNotUsable({ ...voucher, usage_limit: 2 }, { ...order, uses: { all: 2, byCustomer: 0 } }), 'exhausted');
  assert.equal(reasonNotUsable({ ...voucher, per_customer_limit: 1 }, { ...order, uses: { all: 1, byCustomer: 1 } }), 'exhausted');
  assert.equal(reasonNotUsable({ ...voucher, min_subtotal_cents: 1000 }, order), null);
  assert.equal(reasonNotUsable({ ...voucher, min_subtotal_cents: 1001 }, order), 'below_minimum');
  assert.equal(reasonNotUsable({ ...voucher, active: false, min_subtotal_cents: 1001 }, order), 'inactive');
});

test('O27, SM1: shipping is free from the threshold on; a method without countries is for all countries', () => {
  const method = { price_cents: 500, free_over_cents: 1000 };
  assert.deepEqual([shippingCost(method, 999), shippingCost(method, 1000)], [500, 0]);
  assert.equal(shippingCost({ ...method, free_over_cents: null }, 1_000_000), 500);
  assert.deepEqual([servesCountry({ countries: [] }, 'AT'), servesCountry({ countries: ['DE'] }, 'AT')], [true, false]);
});

test('G15: the forint has two decimals, whatever Intl says', () => {
  assert.deepEqual(['HUF', 'EUR', 'JPY', 'KWD', 'CLF'].map(currencyExponent), [2, 2, 0, 3, 4]);
});
