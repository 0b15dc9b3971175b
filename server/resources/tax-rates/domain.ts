import type { Ctx } from '../../context.ts';
import * as store from './store.ts';

/** Basis points of a rate; null stands for the default rate, and a shop without rates takes no tax. */
export async function taxRateBps(ctx: Ctx, taxRateId: number | null): Promise<number> {
  return (await store.selectRateBps(ctx.db, taxRateId)) ?? 0;
}
