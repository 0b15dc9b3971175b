import type { OrderDiscount } from '../../../contract/order-edits.ts';
import type { Voucher } from '../../../contract/vouchers.ts';
import { percentOf } from '../../values/percent.ts';
import { type Totals, type TotalsInput, totals } from '../orders/rules.ts';
import { shippingCost } from '../shipping-methods/rules.ts';
import { voucherDiscount } from '../vouchers/rules.ts';

/** What a voucher gives. The order stores a copy, so that later changes of the voucher do not change the order. */
export type VoucherTerms = Pick<Voucher, 'kind' | 'percent_bps' | 'amount_cents'>;

/** The terms that an order stores; with the voucher's id, by which a reopened order finds the voucher again. */
export function termsOf({ id, kind, percent_bps, amount_cents }: Voucher): VoucherTerms & { id: number } {
  return { id, kind, percent_bps, amount_cents };
}

export type PriceInput = {
  lines: TotalsInput['lines'];
  voucher: VoucherTerms | null;
  /** The manual discount on what the voucher leaves. */
  discount: OrderDiscount | null;
  shipping: { price_cents: number; free_over_cents: number | null; tax_rate_bps: number };
  pricesIncludeTax: boolean;
};

export type Price = Totals & {
  voucherDiscount: number;
  /** The manual discount as entered; at most what the voucher leaves is applied. */
  manualDiscount: number;
  /** The shipping cost that a voucher waives; it is not part of the discount. */
  waivedShipping: number;
};

/**
 * Computes an order's price from its parts alone. Creation, preview and edit all use this function, so that equal orders have
 * equal sums however they came about (spec O27). Throws a RangeError if a sum is too large.
 */
export function priceOrder({ lines, voucher, discount, shipping, pricesIncludeTax }: PriceInput): Price {
  const { subtotal } = totals({ lines, discount: 0, shippingCost: 0, shippingTaxRateBps: 0, pricesIncludeTax });
  const byVoucher = voucher ? voucherDiscount(voucher, subtotal) : 0;
  const left = subtotal - byVoucher;
  const byHand = amountOf(discount, left);
  const goods = left - Math.min(byHand, left);
  const fullShipping = shippingCost(shipping, goods);
  const waivedShipping = voucher?.kind === 'free_shipping' ? fullShipping : 0;
  const sums = totals({
    lines,
    discount: subtotal - goods,
    shippingCost: fullShipping - waivedShipping,
    shippingTaxRateBps: shipping.tax_rate_bps,
    pricesIncludeTax,
  });
  return { ...sums, voucherDiscount: byVoucher, manualDiscount: byHand, waivedShipping };
}

function amountOf(discount: OrderDiscount | null, left: number): number {
  if (discount === null) return 0;
  return discount.kind === 'fixed' ? discount.amount_cents : percentOf(left, discount.percent_bps);
}
