import type { Ctx } from '../../verbs/context.ts';
import * as store from './store.ts';

/** Removes a deleted image from the pages that show it; returns the ids of these pages. */
export function clearOgImage(ctx: Ctx, mediaId: number): Promise<number[]> {
  return store.clearOgImage(ctx.db, mediaId, ctx.now);
}
