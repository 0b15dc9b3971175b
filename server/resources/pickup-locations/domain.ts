import type { PickupLocation, PickupLocationInput, PickupLocationPatch } from '../../../contract/pickup-locations.ts';
import { nextSortOrder } from '../../db/queries/sort-order.ts';
import { given } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { changeRecord, createRecord, deleteRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { pickupLocations, selectOrderOf } from './store.ts';

export const recordVersions = { pickup_location: pickupLocations.version } satisfies RecordVersions;

/** The active pickup location of a phone order; refuses (422) if there is none with this id. */
export async function pickupLocationFor(ctx: Ctx, id: number): Promise<{ id: number; name: string }> {
  const location = await pickupLocations.find(ctx.db, id);
  if (location?.active) return { id, name: location.name };
  throw refuseValue('pickup_location_not_found', '/shipping/method_id', `there is no active pickup location ${id}`);
}

/** The country whose taxes count for orders that are picked up there; '' if there is no such location. */
export async function countryOfPickup(ctx: Ctx, id: number): Promise<string> {
  return (await pickupLocations.find(ctx.db, id))?.country ?? '';
}

const DEFAULTS = { line1: '', line2: '', city: '', postal_code: '', country: '', opening_hours: '', active: true };

export async function createPickupLocation(ctx: Ctx, { name, ...wanted }: PickupLocationInput): Promise<PickupLocation> {
  const sort_order = wanted.sort_order ?? (await nextSortOrder(ctx.db, 'pickup_locations'));
  return createRecord(ctx, pickupLocations, { name, ...DEFAULTS, ...given(wanted), sort_order });
}

export async function updatePickupLocation(ctx: Ctx, id: number, patch: PickupLocationPatch): Promise<PickupLocation> {
  return changeRecord(ctx, pickupLocations, await lockRecord(ctx, pickupLocations, id), patch);
}

export async function deletePickupLocation(ctx: Ctx, id: number): Promise<undefined> {
  const location = await lockRecord(ctx, pickupLocations, id);
  const orderId = await selectOrderOf(ctx.db, id);
  if (orderId !== null) {
    throw new Refusal(
      'in_use',
      `Order ${orderId} refers to "${location.name}", so it cannot be deleted; set its "active" to false instead, then no new order can use it.`,
    );
  }
  return deleteRecord(ctx, pickupLocations, location);
}
