import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Cents, CentsInput, Id, Search, Timestamp, TimestampInput, text } from './values.ts';

export const voucherKinds = ['percent', 'fixed', 'free_shipping'] as const;
export const VoucherKind = z.enum(voucherKinds).meta({ id: 'VoucherKind' });
export type VoucherKind = z.infer<typeof VoucherKind>;

/** Why a code cannot be used (spec VO2). */
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
    used_count: z.int().meta({ description: 'Number of orders that use the voucher now; a cancelled order gives its use back' }),
    valid_from: Timestamp.nullable(),
    valid_to: Timestamp.nullable(),
    active: z.boolean(),
  })
  .meta({ id: 'Voucher' });
export type Voucher = z.infer<typeof Voucher>;

const Code = text({ min: 1, max: 64, trim: true });
const Limit = z.int().min(1).nullable();

const optional = {
  /** Required for a voucher of kind `percent`, and accepted only there; `amount_cents` likewise for `fixed`. */
  percent_bps: z.int().min(1).max(10_000).nullable().optional(),
  amount_cents: CentsInput.min(1).nullable().optional(),
  min_subtotal_cents: CentsInput.optional(),
  usage_limit: Limit.optional(),
  per_customer_limit: Limit.optional(),
  valid_from: TimestampInput.nullable().optional(),
  /** The voucher is valid before this moment, no longer at it. */
  valid_to: TimestampInput.nullable().optional(),
  active: z.boolean().optional(),
};

export const VoucherInput = z.object({ code: Code, kind: VoucherKind, ...optional }).meta({ id: 'VoucherInput' });
export type VoucherInput = z.infer<typeof VoucherInput>;
export const VoucherPatch = z.object({ code: Code.optional(), kind: VoucherKind.optional(), ...optional }).meta({ id: 'VoucherPatch' });
export type VoucherPatch = z.infer<typeof VoucherPatch>;

export const vouchersEndpoints = endpointsOf(
  {
    id: 'vouchers.list',
    method: 'GET',
    path: '/vouchers',
    summary: 'List vouchers by code',
    permission: 'admin_api.vouchers.read',
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(Voucher),
  },
  {
    id: 'vouchers.create',
    method: 'POST',
    path: '/vouchers',
    undo: 'restore',
    summary: 'Create a voucher',
    permission: 'admin_api.vouchers.write',
    body: VoucherInput,
    status: 201,
    response: Voucher,
    location: '/vouchers/{id}',
    refusals: ['duplicate', 'required', 'invalid_value'],
  },
  {
    id: 'vouchers.get',
    method: 'GET',
    path: '/vouchers/{id}',
    summary: 'Get a voucher',
    permission: 'admin_api.vouchers.read',
    record: 'voucher',
    response: Voucher,
  },
  {
    id: 'vouchers.update',
    method: 'PATCH',
    path: '/vouchers/{id}',
    undo: 'restore',
    summary: 'Change a voucher; omitted fields keep their values',
    permission: 'admin_api.vouchers.write',
    record: 'voucher',
    body: VoucherPatch,
    response: Voucher,
    refusals: ['duplicate', 'required', 'invalid_value', 'precondition_failed'],
  },
  {
    id: 'vouchers.delete',
    method: 'DELETE',
    path: '/vouchers/{id}',
    undo: 'restore',
    summary: 'Delete a voucher that no order uses',
    permission: 'admin_api.vouchers.write',
    record: 'voucher',
    status: 204,
    refusals: ['in_use', 'precondition_failed'],
  },
);
