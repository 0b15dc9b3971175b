import { z } from 'zod';
import { Cents, Id, Timestamp } from './values.ts';

export const voucherKinds = ['percent', 'fixed', 'free_shipping'] as const;
export const VoucherKind = z.enum(voucherKinds).meta({ id: 'VoucherKind' });
export type VoucherKind = z.infer<typeof VoucherKind>;

/** Why a code cannot be used (decisions.md §3). */
export const voucherReasons = ['unknown', 'expired', 'not_started', 'exhausted', 'below_minimum', 'inactive'] as const;
export type VoucherReason = (typeof voucherReasons)[number];

export const Voucher = z
  .object({
    id: Id,
    code: z.string(),
    kind: VoucherKind,
    percent_bps: z.int().nullable(),
    amount_cents: Cents.nullable(),
    min_subtotal_cents: Cents,
    usage_limit: z.int().nullable(),
    per_customer_limit: z.int().nullable(),
    used_count: z.int(),
    valid_from: Timestamp.nullable(),
    valid_to: Timestamp.nullable(),
    active: z.boolean(),
  })
  .meta({ id: 'Voucher' });
export type Voucher = z.infer<typeof Voucher>;
