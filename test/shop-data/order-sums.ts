import assert from 'node:assert/strict';
import type { Row } from '../../server/db/tables.ts';

type VoucherTerms = { kind: 'percent' | 'fixed' | 'free_shipping'; percent_bps: number | null; amount_cents: number | null };

/** Checks an order with sums that share no code with the server; its amounts are small enough for plain arithmetic. */
export function assertSums(order: Row<'orders'>, lines: readonly Row<'order_items'>[], voucher: VoucherTerms | null): void {
  const { subtotal, discount_amount: discount, shipping_cost: shipping, waived_shipping: waived } = order;
  const includesTax = order.prices_include_tax === 1;
  const taxOf = (amount: number, bps: number): number =>
    includesTax ? amount - Math.round((amount * 10_000) / (10_000 + bps)) : Math.round((amount * bps) / 10_000);
  for (const line of lines) {
    assert.equal(line.subtotal, line.unit_price * line.quantity);
    // The line's proportional share of the discount is rounded up or down.
    assert.ok(Math.abs(line.discount_amount * subtotal - discount * line.subtotal) < subtotal || subtotal === 0);
    assert.equal(line.tax_amount, taxOf(line.subtotal - line.discount_amount, line.tax_rate));
  }
  const sum = (amounts: number[]): number => amounts.reduce((a, b) => a + b, 0);
  assert.equal(subtotal, sum(lines.map((line) => line.subtotal)));
  assert.equal(discount, sum(lines.map((line) => line.discount_amount)));
  assert.equal(order.voucher_discount, voucher === null ? 0 : amountOf(voucher, subtotal));
  assert.equal(discount, Math.min(subtotal, (order.voucher_discount ?? 0) + (order.manual_discount ?? 0)));
  if (voucher?.kind === 'free_shipping') assert.equal(shipping, 0);
  else assert.equal(waived, 0);
  const tax = sum(lines.map((line) => line.tax_amount)) + taxOf(shipping, order.shipping_tax_rate);
  assert.equal(order.tax_amount, tax);
  assert.equal(order.total, subtotal - discount + shipping + (includesTax ? 0 : tax));
}

function amountOf({ kind, percent_bps, amount_cents }: VoucherTerms, subtotal: number): number {
  if (kind === 'free_shipping') return 0;
  return kind === 'percent' ? Math.round((subtotal * (percent_bps ?? 0)) / 10_000) : Math.min(subtotal, amount_cents ?? 0);
}
