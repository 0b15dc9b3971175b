import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Country } from './people.ts';
import { Cents, CentsInput, Id, listOf, Name, Search, SortOrder, text } from './values.ts';

/** A way to send an order: its price and the countries it serves. Orders keep copies of its name and cost. */
export const ShippingMethod = z
  .object({
    id: Id,
    name: z.string(),
    price_cents: Cents,
    free_over_cents: Cents.nullable(),
    tax_rate_id: Id.nullable().meta({ description: 'null: the default rate' }),
    countries: z.array(z.string()).meta({ description: 'Countries that the method serves; empty: all' }),
    delivery_estimate: z.string(),
    active: z.boolean(),
    sort_order: z.int(),
  })
  .meta({ id: 'ShippingMethod' });
export type ShippingMethod = z.infer<typeof ShippingMethod>;

const optional = {
  price_cents: CentsInput.optional(),
  free_over_cents: CentsInput.nullable().optional(),
  tax_rate_id: Id.nullable().optional(),
  countries: listOf(Country, 300).optional(),
  delivery_estimate: text().optional(),
  active: z.boolean().optional(),
  /** Omitted: after the last one. */
  sort_order: SortOrder.optional(),
};

export const ShippingMethodInput = z.object({ name: Name, ...optional }).meta({ id: 'ShippingMethodInput' });
export type ShippingMethodInput = z.infer<typeof ShippingMethodInput>;
export const ShippingMethodPatch = z.object({ name: Name.optional(), ...optional }).meta({ id: 'ShippingMethodPatch' });
export type ShippingMethodPatch = z.infer<typeof ShippingMethodPatch>;

export const shippingMethodsEndpoints = endpointsOf(
  {
    id: 'shipping_methods.list',
    method: 'GET',
    path: '/shipping-methods',
    summary: 'List shipping methods by their sort order',
    permission: 'admin_api.shipping_methods.read',
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(ShippingMethod),
  },
  {
    id: 'shipping_methods.create',
    method: 'POST',
    path: '/shipping-methods',
    undo: 'restore',
    summary: 'Create a shipping method',
    permission: 'admin_api.shipping_methods.write',
    body: ShippingMethodInput,
    status: 201,
    response: ShippingMethod,
    location: '/shipping-methods/{id}',
    refusals: ['tax_rate_not_found', 'duplicate', 'invalid_value'],
  },
  {
    id: 'shipping_methods.get',
    method: 'GET',
    path: '/shipping-methods/{id}',
    summary: 'Get a shipping method',
    permission: 'admin_api.shipping_methods.read',
    record: 'shipping_method',
    response: ShippingMethod,
  },
  {
    id: 'shipping_methods.update',
    method: 'PATCH',
    path: '/shipping-methods/{id}',
    undo: 'restore',
    summary: 'Change a shipping method; omitted fields keep their values',
    permission: 'admin_api.shipping_methods.write',
    record: 'shipping_method',
    body: ShippingMethodPatch,
    response: ShippingMethod,
    refusals: ['tax_rate_not_found', 'duplicate', 'invalid_value', 'precondition_failed'],
  },
  {
    id: 'shipping_methods.delete',
    method: 'DELETE',
    path: '/shipping-methods/{id}',
    undo: 'restore',
    summary: 'Delete a shipping method',
    permission: 'admin_api.shipping_methods.write',
    record: 'shipping_method',
    status: 204,
    refusals: ['precondition_failed'],
  },
);
