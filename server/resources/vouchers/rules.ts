import type { Voucher, VoucherReason } from '../../../contract/vouchers.ts';
import { percentOf } from '../../values/percent.ts';

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

export type VoucherTerms = Pick<Voucher, 'kind' | 'percent_bps' | 'amount_cents'>;

/** What it takes off a subtotal: a percentage rounded half up, an amount at most the subtotal, nothing for free shipping. */
export function voucherDiscount({ kind, percent_bps, amount_cents }: VoucherTerms, subtotal: number): number {
  switch (kind) {
    case 'percent':
      return percentOf(subtotal, percent_bps ?? 0);
    case 'fixed':
      return Math.min(amount_cents ?? 0, subtotal);
    case 'free_shipping':
      return 0;
  }
}

/** Of a new voucher, whatever is not said of it. */
export const voucherDefaults = {
  percent_bps: null,
  amount_cents: null,
  min_subtotal_cents: 0,
  usage_limit: null,
  per_customer_limit: null,
  valid_from: null,
  valid_to: null,
  active: true,
};

export type TermsFault = { field: 'percent_bps' | 'amount_cents' | 'valid_to'; code: 'required' | 'invalid_value'; detail: string };

const AMOUNT_OF = { percent: 'percent_bps', fixed: 'amount_cents', free_shipping: null } as const;

/** What does not fit together in a voucher; null: nothing. */
export function faultIn(voucher: VoucherTerms & Pick<Voucher, 'valid_from' | 'valid_to'>): TermsFault | null {
  const needed = AMOUNT_OF[voucher.kind];
  if (needed !== null && voucher[needed] === null) return { field: needed, code: 'required', detail: `needed for kind ${voucher.kind}` };
  for (const field of ['percent_bps', 'amount_cents'] as const) {
    if (field !== needed && voucher[field] !== null) return { field, code: 'invalid_value', detail: `not for kind ${voucher.kind}` };
  }
  const { valid_from: from, valid_to: to } = voucher;
  return from !== null && to !== null && to <= from
    ? { field: 'valid_to', code: 'invalid_value', detail: 'must be later than valid_from' }
    : null;
}

/** A voucher after a PATCH: what belongs to the kind that it was no longer holds. */
export function patched(voucher: Voucher, patch: Partial<Voucher>): Voucher {
  const changesKind = patch.kind !== undefined && patch.kind !== voucher.kind;
  return { ...voucher, ...(changesKind ? { percent_bps: null, amount_cents: null } : {}), ...patch };
}

export const reasonsInWords: Record<VoucherReason, string> = {
  unknown: 'there is no such voucher',
  expired: 'the voucher has expired',
  not_started: 'the voucher is not valid yet',
  exhausted: 'the voucher was used as often as it may be',
  below_minimum: 'the order is below the minimum of the voucher',
  inactive: 'the voucher is not active',
};
