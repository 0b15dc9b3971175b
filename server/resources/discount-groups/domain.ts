import type { Ctx } from '../../context.ts';
import * as store from './store.ts';

/** Basis points off each unit price for a customer: those of their group while they are a business (decisions.md CU8). */
export async function groupDiscountOf(ctx: Ctx, customerId: number | null): Promise<number> {
  if (customerId === null) return 0;
  return (await store.selectDiscountOf(ctx.db, customerId))?.percent_bps ?? 0;
}
