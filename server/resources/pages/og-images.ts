import type { Ctx } from '../../verbs/context.ts';
import * as store from './store.ts';

/** Pages live on without an image that is deleted; returns the ids of those that showed it. */
export function clearOgImage(ctx: Ctx, mediaId: number): Promise<number[]> {
  return store.clearOgImage(ctx.db, mediaId, ctx.now);
}
