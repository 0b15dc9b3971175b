import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, Name, Search, Timestamp } from './values.ts';

/** A discount for business customers: `percent_bps` (basis points) off each unit price. */
export const DiscountGroup = z
  .object({
    id: Id,
    name: z.string(),
    percent_bps: z.int(),
    member_count: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'DiscountGroup' });
export type DiscountGroup = z.infer<typeof DiscountGroup>;

const Percent = z.int().min(0).max(10_000);
export const DiscountGroupInput = z.object({ name: Name, percent_bps: Percent.default(0) }).meta({ id: 'DiscountGroupInput' });
export type DiscountGroupInput = z.infer<typeof DiscountGroupInput>;
export const DiscountGroupPatch = z.object({ name: Name, percent_bps: Percent }).partial().meta({ id: 'DiscountGroupPatch' });
export type DiscountGroupPatch = z.infer<typeof DiscountGroupPatch>;

export const discountGroupsEndpoints = endpointsOf(
  {
    id: 'discount_groups.list',
    method: 'GET',
    path: '/discount-groups',
    summary: 'List discount groups by name',
    permission: 'admin_api.discount_groups.read',
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(DiscountGroup),
  },
  {
    id: 'discount_groups.create',
    method: 'POST',
    path: '/discount-groups',
    undo: 'restore',
    summary: 'Create a discount group',
    permission: 'admin_api.discount_groups.write',
    body: DiscountGroupInput,
    status: 201,
    response: DiscountGroup,
    location: '/discount-groups/{id}',
    refusals: ['out_of_range'],
  },
  {
    id: 'discount_groups.get',
    method: 'GET',
    path: '/discount-groups/{id}',
    summary: 'Get a discount group',
    permission: 'admin_api.discount_groups.read',
    record: 'discount_group',
    response: DiscountGroup,
  },
  {
    id: 'discount_groups.update',
    method: 'PATCH',
    path: '/discount-groups/{id}',
    undo: 'restore',
    summary: 'Change a discount group; omitted fields keep their values',
    permission: 'admin_api.discount_groups.write',
    record: 'discount_group',
    body: DiscountGroupPatch,
    response: DiscountGroup,
    refusals: ['out_of_range', 'precondition_failed'],
  },
  {
    id: 'discount_groups.delete',
    method: 'DELETE',
    path: '/discount-groups/{id}',
    undo: 'restore',
    summary: 'Delete a discount group; its members are then in no group',
    permission: 'admin_api.discount_groups.write',
    record: 'discount_group',
    status: 204,
    refusals: ['precondition_failed'],
  },
);
