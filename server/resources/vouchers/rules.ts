import type { Voucher, VoucherReason } from '../../../contract/vouchers.ts';

/** What an order that wants to use a voucher is like. */
export type VoucherCase = {
  now: string;
  /** Of the lines, before any discount. */
  subtotal: number;
  /** Orders that use it, this one not counted; of the customer where one is known. */
  uses: { all: number; byCustomer: number };
};

/** Why a voucher cannot be used; null: it can. The moment of `valid_to` is too late. */
export function whyNot(voucher: Voucher, { now, subtotal, uses }: VoucherCase): VoucherReason | null {
  if (!voucher.active) return 'inactive';
  if (voucher.valid_from !== null && now < voucher.valid_from) return 'not_started';
  if (voucher.valid_to !== null && now >= voucher.valid_to) return 'expired';
  if (voucher.usage_limit !== null && uses.all >= voucher.usage_limit) return 'exhausted';
  if (voucher.per_customer_limit !== null && uses.byCustomer >= voucher.per_customer_limit) return 'exhausted';
  return subtotal < voucher.min_subtotal_cents ? 'below_minimum' : null;
}

/** What it takes off a subtotal: a percentage rounded half up, an amount at most the subtotal, nothing for free shipping. */
export function voucherDiscount(
  { kind, percent_bps, amount_cents }: Pick<Voucher, 'kind' | 'percent_bps' | 'amount_cents'>,
  subtotal: number,
): number {
  switch (kind) {
    case 'percent':
      return Number((BigInt(subtotal) * BigInt(percent_bps ?? 0) * 2n + 10_000n) / 20_000n);
    case 'fixed':
      return Math.min(amount_cents ?? 0, subtotal);
    case 'free_shipping':
      return 0;
  }
}

export const reasonsInWords: Record<VoucherReason, string> = {
  unknown: 'there is no such voucher',
  expired: 'the voucher has expired',
  not_started: 'the voucher is not valid yet',
  exhausted: 'the voucher was used as often as it may be',
  below_minimum: 'the order is below the minimum of the voucher',
  inactive: 'the voucher is not active',
};
