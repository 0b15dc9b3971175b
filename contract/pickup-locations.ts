import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { CountryOrNone, NoteText } from './people.ts';
import { Id, Name, Search, SortOrder, text } from './values.ts';

/** A place where customers collect their orders. */
export const PickupLocation = z
  .object({
    id: Id,
    name: z.string(),
    line1: z.string(),
    line2: z.string(),
    city: z.string(),
    postal_code: z.string(),
    country: z.string(),
    opening_hours: z.string(),
    active: z.boolean(),
    sort_order: z.int(),
  })
  .meta({ id: 'PickupLocation' });
export type PickupLocation = z.infer<typeof PickupLocation>;

const optional = {
  line1: text().optional(),
  line2: text().optional(),
  city: text().optional(),
  postal_code: text().optional(),
  country: CountryOrNone.optional(),
  opening_hours: NoteText.optional(),
  active: z.boolean().optional(),
  /** Omitted: after the last one. */
  sort_order: SortOrder.optional(),
};

export const PickupLocationInput = z.object({ name: Name, ...optional }).meta({ id: 'PickupLocationInput' });
export type PickupLocationInput = z.infer<typeof PickupLocationInput>;
export const PickupLocationPatch = z.object({ name: Name.optional(), ...optional }).meta({ id: 'PickupLocationPatch' });
export type PickupLocationPatch = z.infer<typeof PickupLocationPatch>;

export const pickupLocationsEndpoints = endpointsOf(
  {
    id: 'pickup_locations.list',
    method: 'GET',
    path: '/pickup-locations',
    summary: 'List pickup locations by their sort order',
    permission: 'admin_api.pickup_locations.read',
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(PickupLocation),
  },
  {
    id: 'pickup_locations.create',
    method: 'POST',
    path: '/pickup-locations',
    undo: 'restore',
    summary: 'Create a pickup location',
    permission: 'admin_api.pickup_locations.write',
    body: PickupLocationInput,
    status: 201,
    response: PickupLocation,
    location: '/pickup-locations/{id}',
    refusals: ['blank', 'invalid_value'],
  },
  {
    id: 'pickup_locations.get',
    method: 'GET',
    path: '/pickup-locations/{id}',
    summary: 'Get a pickup location',
    permission: 'admin_api.pickup_locations.read',
    record: 'pickup_location',
    response: PickupLocation,
  },
  {
    id: 'pickup_locations.update',
    method: 'PATCH',
    path: '/pickup-locations/{id}',
    undo: 'restore',
    summary: 'Change a pickup location; omitted fields keep their values',
    permission: 'admin_api.pickup_locations.write',
    record: 'pickup_location',
    body: PickupLocationPatch,
    response: PickupLocation,
    refusals: ['blank', 'invalid_value', 'precondition_failed'],
  },
  {
    id: 'pickup_locations.delete',
    method: 'DELETE',
    path: '/pickup-locations/{id}',
    undo: 'restore',
    summary: 'Delete a pickup location that no order refers to',
    permission: 'admin_api.pickup_locations.write',
    record: 'pickup_location',
    status: 204,
    refusals: ['in_use', 'precondition_failed'],
  },
);
