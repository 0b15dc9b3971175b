import type { OrderDownload } from '../../../contract/orders.ts';
import type { Ctx } from '../../context.ts';
import { randomSecret } from '../tokens/secret.ts';
import { allowanceFrom } from './rules.ts';
import * as store from './store.ts';

export async function downloadsOf(ctx: Ctx, orderId: number): Promise<OrderDownload[]> {
  const rows = await store.selectDownloads(ctx.db, { orderId });
  return rows.map((row) => ({ ...row, url: `/downloads/${row.token}` }));
}

/**
 * Links for the digital lines of a delivered order, one a line and file, made once; those that a cancellation ended
 * work again as when they were new (decisions.md O15). The order is locked. Gives how many are new or renewed.
 */
export async function armDownloads(ctx: Ctx, orderId: number): Promise<number> {
  const allowance = allowanceFrom(ctx.now, ctx.settings);
  const renewed = await store.renewRevoked(ctx.db, orderId, allowance);
  const missing = await store.selectMissing(ctx.db, orderId);
  const made = missing.map((line) => ({
    ...line,
    ...allowance,
    token: randomSecret(),
    order_id: orderId,
    revoked_at: null,
    created_at: ctx.now,
  }));
  await store.insertDownloads(ctx.db, made);
  return renewed + made.length;
}

/** A cancelled order's links end (decisions.md O16). */
export function revokeDownloads(ctx: Ctx, orderId: number): Promise<void> {
  return store.revoke(ctx.db, orderId, ctx.now);
}
