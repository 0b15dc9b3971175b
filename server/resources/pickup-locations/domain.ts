import type { Ctx } from '../../context.ts';
import { refuseValue } from '../../problem.ts';
import * as store from './store.ts';

/** Where a phone order is picked up; 422 where there is no such place, or it is not active. */
export async function pickupLocationFor(ctx: Ctx, id: number): Promise<{ id: number; name: string }> {
  const location = await store.selectActiveName(ctx.db, id);
  if (location) return { id, name: location.name };
  throw refuseValue('pickup_location_not_found', '/shipping/method_id', `there is no active pickup location ${id}`);
}
