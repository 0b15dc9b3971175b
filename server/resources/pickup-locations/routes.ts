import { getRecord, listRecords } from '../../verbs/record-verbs.ts';
import { type Routes, read, write } from '../../verbs/route.ts';
import { createPickupLocation, deletePickupLocation, updatePickupLocation } from './domain.ts';
import { pickupLocations } from './store.ts';

export const pickupLocationsRoutes = {
  'pickup_locations.list': read((ctx, { query }) => listRecords(ctx, pickupLocations, query)),
  'pickup_locations.create': write((ctx, { body }) => createPickupLocation(ctx, body)),
  'pickup_locations.get': read((ctx, { params }) => getRecord(ctx, pickupLocations, params.id)),
  'pickup_locations.update': write((ctx, { params, body }) => updatePickupLocation(ctx, params.id, body)),
  'pickup_locations.delete': write((ctx, { params }) => deletePickupLocation(ctx, params.id)),
} satisfies Partial<Routes>;
