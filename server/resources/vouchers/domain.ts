import type { Voucher, VoucherInput, VoucherPatch, VoucherReason } from '../../../contract/vouchers.ts';
import { sortKey } from '../../values/texts.ts';
import { given, noteCreated, noteDeleted, type OnlyOf } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { changeRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { applyPatch, faultIn, isExhausted, reasonNotUsable, reasonsInWords, type VoucherCase, voucherDefaults } from './rules.ts';
import * as store from './store.ts';
import { vouchers } from './store.ts';

export const recordVersions = {
  voucher: {
    version: vouchers.version,
    derived: async ({ db }, { id }) => (await vouchers.find(db, Number(id)))?.used_count,
  },
} satisfies RecordVersions;

/** The order for which a code is used. `subtotal` is the sum of its lines before any discount. */
export type VoucherOrder = {
  subtotal: number;
  /** null for a guest, to whom a limit per customer does not apply. */
  customerId: number | null;
  /** The id of an existing order, whose own use does not count against the limits; null for a new order. */
  orderId: number | null;
};

/**
 * Finds the voucher of a code; refuses (422 `voucher_invalid`, with the reason) if it cannot be used. Writes nothing. `hold`
 * locks the voucher for a commit, after the order's row and before variants; a preview only reads.
 */
export async function checkVoucher(
  ctx: Ctx,
  code: string,
  order: VoucherOrder,
  options: { hold: boolean; pointer?: string },
): Promise<Voucher> {
  const codeFolded = sortKey(code.trim());
  // The voucher that the order has used so far is locked together with the new one, so that two orders that exchange their
  // vouchers do not deadlock.
  if (options.hold && order.orderId !== null) await store.lockVouchers(ctx, { codeFolded, usedBy: [order.orderId] });
  const voucher = await store.selectByCode(ctx, codeFolded, options.hold);
  const reason = voucher ? await reasonAgainst(ctx, voucher, order) : 'unknown';
  if (voucher && reason === null) return voucher;
  throw invalidVoucher(reason ?? 'unknown', options.pointer ?? '/voucher_code');
}

/** Counts the use of a locked voucher; a second call for the same order does not count. */
export async function useVoucher(ctx: Ctx, voucherId: number, use: { orderId: number; customerId: number | null }): Promise<void> {
  const row = { voucher_id: voucherId, order_id: use.orderId, customer_id: use.customerId, at: ctx.now };
  if (await store.insertUse(ctx.db, row)) await store.addUses(ctx.db, [voucherId], 1);
}

/** Returns the use of an order's vouchers, because it was cancelled or edited; does nothing if it used none. */
export async function giveBackVoucher(ctx: Ctx, orderId: number): Promise<void> {
  const ids = await store.deleteUsesOf(ctx.db, orderId);
  if (ids.length > 0) await store.addUses(ctx.db, ids, -1);
}

/**
 * Locks the voucher that a cancelled order is to use again; returns false if it was deleted. Refuses if other orders have used it up
 * meanwhile. Whatever else a new order needs (dates, minimum) held when the order was made.
 */
export async function holdVoucherAgain(ctx: Ctx, voucherId: number, order: Omit<VoucherOrder, 'subtotal'>): Promise<boolean> {
  const voucher = await vouchers.lock(ctx.db, voucherId);
  if (!voucher) return false;
  if (!isExhausted(voucher, await otherUses(ctx, voucher, order))) return true;
  throw new Refusal(
    'voucher_exhausted',
    `Other orders have used "${voucher.code}" as often as it may be, so this order cannot use it again; raise the voucher's limit to reopen the order.`,
  );
}

/**
 * Locks these vouchers and those that the orders use, in the order of their ids. Called before several writes in one
 * transaction, so that concurrent writes do not deadlock.
 */
export function holdVouchers(ctx: Ctx, ids: readonly number[], orderIds: readonly number[]): Promise<void> {
  return store.lockVouchers(ctx, { ids, usedBy: orderIds });
}

async function reasonAgainst(ctx: Ctx, voucher: Voucher, order: VoucherOrder): Promise<VoucherReason | null> {
  return reasonNotUsable(voucher, { now: ctx.now, subtotal: order.subtotal, uses: await otherUses(ctx, voucher, order) });
}

/** How often other orders use the voucher. */
async function otherUses(
  ctx: Ctx,
  voucher: Voucher,
  { customerId, orderId }: Omit<VoucherOrder, 'subtotal'>,
): Promise<VoucherCase['uses']> {
  const own = orderId !== null && (await store.isUsedBy(ctx.db, voucher.id, orderId)) ? 1 : 0;
  const isLimited = customerId !== null && voucher.per_customer_limit !== null;
  const byCustomer = isLimited ? await store.countUsesOf(ctx.db, voucher.id, customerId, orderId ?? 0) : 0;
  return { all: voucher.used_count - own, byCustomer };
}

function invalidVoucher(reason: VoucherReason, pointer: string): Refusal {
  const detail = reasonsInWords[reason];
  return new Refusal('voucher_invalid', detail, { errors: [{ pointer, parameter: null, code: 'voucher_invalid', detail, reason }] });
}

export async function createVoucher(ctx: Ctx, { code, kind, ...rest }: VoucherInput): Promise<Voucher> {
  rest satisfies OnlyOf<typeof rest, Voucher>;
  const wanted = { code, kind, ...voucherDefaults, ...given(rest) };
  refuseFault(wanted);
  const voucher = await vouchers.insertUnlessTaken(ctx.db, { ...wanted, used_count: 0 }, 'code_folded');
  if (!voucher) throw codeTaken(code);
  const { used_count: _, ...values } = voucher;
  noteCreated(ctx, 'voucher', values, code);
  return voucher;
}

export async function updateVoucher(ctx: Ctx, id: number, patch: VoucherPatch): Promise<Voucher> {
  const voucher = await lockRecord(ctx, vouchers, id);
  const wanted = applyPatch(voucher, given(patch));
  refuseFault(wanted);
  if (await store.isCodeTaken(ctx.db, sortKey(wanted.code), id)) throw codeTaken(wanted.code);
  return changeRecord(ctx, vouchers, voucher, wanted);
}

export async function deleteVoucher(ctx: Ctx, id: number): Promise<undefined> {
  const voucher = await lockRecord(ctx, vouchers, id);
  if (voucher.used_count > 0) {
    throw new Refusal(
      'in_use',
      `${voucher.used_count} orders use "${voucher.code}", so it cannot be deleted; set its "active" to false instead, then no new order can use it.`,
    );
  }
  await vouchers.remove(ctx.db, id);
  noteDeleted(ctx, 'voucher', voucher, voucher.code);
}

function refuseFault(voucher: Parameters<typeof faultIn>[0]): void {
  const fault = faultIn(voucher);
  if (fault) throw refuseValue(fault.code, `/${fault.field}`, fault.detail);
}

function codeTaken(code: string): Refusal {
  return refuseValue('duplicate', '/code', `there is already a voucher with the code "${code}"`);
}
