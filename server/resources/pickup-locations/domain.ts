import type { InputOf } from '../../../contract/endpoint.ts';
import type { PickupLocation, PickupLocationInput, PickupLocationPatch, pickupLocationsList } from '../../../contract/pickup-locations.ts';
import { fold } from '../../../contract/values.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted } from '../../changes.ts';
import type { Ctx } from '../../context.ts';
import { rowVersion } from '../../db/row-version.ts';
import { listPage } from '../../pages.ts';
import { notFound, Refusal, refuseValue } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = { pickup_location: rowVersion('pickup_locations') };

/** Where a phone order is picked up; 422 where there is no such place, or it is not active. */
export async function pickupLocationFor(ctx: Ctx, id: number): Promise<{ id: number; name: string }> {
  const location = await store.selectLocation(ctx, id, false);
  if (location?.active) return { id, name: location.name };
  throw refuseValue('pickup_location_not_found', '/shipping/method_id', `there is no active pickup location ${id}`);
}

/** Where orders that are picked up there are taxed; none where there is no such place. */
export async function countryOfPickup(ctx: Ctx, id: number): Promise<string> {
  return (await store.selectLocation(ctx, id, false))?.country ?? '';
}

export function listPickupLocations(ctx: Ctx, query: InputOf<typeof pickupLocationsList>['query']) {
  return listPage(query, { name: 'sort_order', type: 'integer' }, store.pickupLocations(ctx, fold(query.search ?? '')));
}

export async function getPickupLocation(ctx: Ctx, id: number): Promise<PickupLocation> {
  const location = await store.selectLocation(ctx, id, false);
  if (!location) throw notFound('pickup location', id);
  return location;
}

const DEFAULTS = { line1: '', line2: '', city: '', postal_code: '', country: '', opening_hours: '', active: true };

export async function createPickupLocation(ctx: Ctx, { name, ...wanted }: PickupLocationInput): Promise<PickupLocation> {
  const sortOrder = wanted.sort_order ?? Math.min((await store.selectLastSortOrder(ctx.db)) + 1, Number.MAX_SAFE_INTEGER);
  const location = await store.insertLocation(ctx.db, { name, ...DEFAULTS, ...given(wanted), sort_order: sortOrder });
  noteCreated(ctx, 'pickup_location', location, name);
  return location;
}

export async function updatePickupLocation(ctx: Ctx, id: number, patch: PickupLocationPatch): Promise<PickupLocation> {
  const location = await lock(ctx, id);
  const wanted = given(patch);
  const changes = changesBetween(location, wanted);
  if (Object.keys(changes).length > 0) await store.updateLocation(ctx.db, id, wanted);
  noteChanged(ctx, 'pickup_location', id, changes);
  return { ...location, ...wanted };
}

export async function deletePickupLocation(ctx: Ctx, id: number): Promise<undefined> {
  const location = await lock(ctx, id);
  const orderId = await store.selectOrderOf(ctx.db, id);
  if (orderId !== null) {
    throw new Refusal('in_use', `Order ${orderId} names "${location.name}": set its "active" to false instead, and no new order will.`);
  }
  await store.deleteLocation(ctx.db, id);
  noteDeleted(ctx, 'pickup_location', location, location.name);
}

async function lock(ctx: Ctx, id: number): Promise<PickupLocation> {
  const location = await store.selectLocation(ctx, id, true);
  if (!location) throw notFound('pickup location', id);
  return location;
}
