import { fold } from '../../../contract/values.ts';
import type { Voucher, VoucherReason } from '../../../contract/vouchers.ts';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../../problem.ts';
import { reasonsInWords, whyNot } from './rules.ts';
import * as store from './store.ts';

/** The order that a code is for. `subtotal`: of its lines, before any discount. */
export type VoucherOrder = {
  subtotal: number;
  /** null: a guest; a limit per customer does not bind them. */
  customerId: number | null;
  /** An order that exists: its own use does not count against the limits. */
  orderId: number | null;
};

/**
 * The voucher behind a code; 422 `voucher_invalid` with its reason where it cannot be used. Writes nothing. `hold`
 * locks it for a commit: after the order's own row, before variants; not in a preview, which only reads.
 */
export async function checkVoucher(
  ctx: Ctx,
  code: string,
  order: VoucherOrder,
  options: { hold: boolean; pointer?: string },
): Promise<Voucher> {
  const voucher = await store.selectByCode(ctx, fold(code.trim()), options.hold);
  const reason = voucher ? await reasonAgainst(ctx, voucher, order) : 'unknown';
  if (voucher && reason === null) return voucher;
  throw invalidVoucher(reason ?? 'unknown', options.pointer ?? '/voucher_code');
}

/** Counts the use of a voucher that `checkVoucher` has held; again for the same order is no second use. */
export async function useVoucher(ctx: Ctx, voucherId: number, use: { orderId: number; customerId: number | null }): Promise<void> {
  const row = { voucher_id: voucherId, order_id: use.orderId, customer_id: use.customerId, at: ctx.now };
  if (await store.insertUse(ctx.db, row)) await store.addUses(ctx.db, [voucherId], 1);
}

/** An order that is cancelled, or edited to use none, gives back what it used; nothing where it used none. */
export async function giveBackVoucher(ctx: Ctx, orderId: number): Promise<void> {
  const ids = await store.deleteUsesOf(ctx.db, orderId);
  if (ids.length > 0) await store.addUses(ctx.db, ids, -1);
}

async function reasonAgainst(ctx: Ctx, voucher: Voucher, { subtotal, customerId, orderId }: VoucherOrder): Promise<VoucherReason | null> {
  const own = orderId !== null && (await store.isUsedBy(ctx.db, voucher.id, orderId)) ? 1 : 0;
  const isLimited = customerId !== null && voucher.per_customer_limit !== null;
  const byCustomer = isLimited ? await store.countUsesOf(ctx.db, voucher.id, customerId, orderId ?? 0) : 0;
  return whyNot(voucher, { now: ctx.now, subtotal, uses: { all: voucher.used_count - own, byCustomer } });
}

function invalidVoucher(reason: VoucherReason, pointer: string): Refusal {
  const detail = reasonsInWords[reason];
  return new Refusal('voucher_invalid', detail, { errors: [{ pointer, parameter: null, code: 'voucher_invalid', detail, reason }] });
}
