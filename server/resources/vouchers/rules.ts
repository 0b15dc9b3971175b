import type { Voucher, VoucherReason } from '../../../contract/vouchers.ts';
import { percentOf } from '../../values/percent.ts';

/** The facts about an order that decide whether it may use a voucher. */
export type VoucherCase = {
  now: string;
  /** The sum of the lines before any discount, in minor units. */
  subtotal: number;
  /** How many other orders use the voucher, in total and of the same customer (0 for a guest). */
  uses: { all: number; byCustomer: number };
};

/** Why a voucher cannot be used; null if it can. At the time `valid_to` it has expired. */
export function reasonNotUsable(voucher: Voucher, { now, subtotal, uses }: VoucherCase): VoucherReason | null {
  if (!voucher.active) return 'inactive';
  if (voucher.valid_from !== null && now < voucher.valid_from) return 'not_started';
  if (voucher.valid_to !== null && now >= voucher.valid_to) return 'expired';
  if (isExhausted(voucher, uses)) return 'exhausted';
  return subtotal < voucher.min_subtotal_cents ? 'below_minimum' : null;
}

export function isExhausted({ usage_limit, per_customer_limit }: Voucher, uses: VoucherCase['uses']): boolean {
  return (usage_limit !== null && uses.all >= usage_limit) || (per_customer_limit !== null && uses.byCustomer >= per_customer_limit);
}

export type VoucherTerms = Pick<Voucher, 'kind' | 'percent_bps' | 'amount_cents'>;

/** The discount on a subtotal in minor units: a percentage is rounded half up, an amount is at most the subtotal, free shipping gives 0. */
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

/** The first fault in a voucher's combination of fields; null if there is none. */
export function faultIn(voucher: VoucherTerms & Pick<Voucher, 'valid_from' | 'valid_to'>): TermsFault | null {
  const needed = AMOUNT_OF[voucher.kind];
  if (needed !== null && voucher[needed] === null)
    return { field: needed, code: 'required', detail: `is required for the kind ${voucher.kind}` };
  for (const field of ['percent_bps', 'amount_cents'] as const) {
    if (field !== needed && voucher[field] !== null)
      return { field, code: 'invalid_value', detail: `must be null for the kind ${voucher.kind}` };
  }
  const { valid_from: from, valid_to: to } = voucher;
  return from !== null && to !== null && to <= from
    ? { field: 'valid_to', code: 'invalid_value', detail: 'must be later than valid_from' }
    : null;
}

/** A voucher after a PATCH. If its kind changes, the amount of the earlier kind is cleared. */
export function applyPatch(voucher: Voucher, patch: Partial<Voucher>): Voucher {
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
