import { type Routes, read, write } from '../../verbs/route.ts';
import * as pickupLocations from './domain.ts';

export const pickupLocationsRoutes = {
  'pickup_locations.list': read((ctx, { query }) => pickupLocations.listPickupLocations(ctx, query)),
  'pickup_locations.create': write((ctx, { body }) => pickupLocations.createPickupLocation(ctx, body)),
  'pickup_locations.get': read((ctx, { params }) => pickupLocations.getPickupLocation(ctx, params.id)),
  'pickup_locations.update': write((ctx, { params, body }) => pickupLocations.updatePickupLocation(ctx, params.id, body)),
  'pickup_locations.delete': write((ctx, { params }) => pickupLocations.deletePickupLocation(ctx, params.id)),
} satisfies Partial<Routes>;
