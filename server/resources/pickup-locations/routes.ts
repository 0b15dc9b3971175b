import type { Handlers } from '../../http/handlers.ts';
import * as pickupLocations from './domain.ts';

export const pickupLocationsRoutes: Handlers = {
  'pickup_locations.list': (ctx, { query }) => pickupLocations.listPickupLocations(ctx, query),
  'pickup_locations.create': (ctx, { body }) => pickupLocations.createPickupLocation(ctx, body),
  'pickup_locations.get': (ctx, { params }) => pickupLocations.getPickupLocation(ctx, params.id),
  'pickup_locations.update': (ctx, { params, body }) => pickupLocations.updatePickupLocation(ctx, params.id, body),
  'pickup_locations.delete': (ctx, { params }) => pickupLocations.deletePickupLocation(ctx, params.id),
};
