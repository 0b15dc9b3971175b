import type { OrderDiscount } from '../../../contract/order-edits.ts';
import type { Voucher } from '../../../contract/vouchers.ts';
import { percentOf } from '../../values/percent.ts';
import { type Totals, type TotalsInput, totals } from '../orders/rules.ts';
import { shippingCost } from '../shipping-methods/rules.ts';
import { voucherDiscount } from '../vouchers/rules.ts';

/** What a voucher gives; the order keeps it, so that it stays what it was when it was used. */
export type VoucherTerms = Pick<Voucher, 'kind' | 'percent_bps' | 'amount_cents'>;

/** With the voucher's id, by which a reopened order finds it again. */
export function termsOf({ id, kind, percent_bps, amount_cents }: Voucher): VoucherTerms & { id: number } {
  return { id, kind, percent_bps, amount_cents };
}

export type PriceInput = {
  lines: TotalsInput['lines'];
  voucher: VoucherTerms | null;
  /** What the shop gives by hand, of what the voucher leaves. */
  discount: OrderDiscount | null;
  shipping: { price_cents: number; free_over_cents: number | null; tax_rate_bps: number };
  pricesIncludeTax: boolean;
};

export type Price = Totals & {
  voucherDiscount: number;
  /** As wished; what counts is at most what the voucher leaves. */
  manualDiscount: number;
  /** What free shipping by the voucher takes off; it is no part of the discount. */
  waivedShipping: number;
};

/**
 * What an order costs, from what it consists of and nothing else: creation, preview and edit all ask here, so that the
 * way to an order never shows in its sums (decisions.md 1.11, Money). Throws a RangeError where a sum is too large.
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
