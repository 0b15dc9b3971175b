import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, Name, Search, SortOrder } from './values.ts';

/** A workflow status for internal use; the shop names these itself. */
export const InternalOrderStatus = z
  .object({ id: Id, name: z.string(), color: z.string(), sort_order: z.int(), order_count: z.int() })
  .meta({ id: 'InternalOrderStatus' });
export type InternalOrderStatus = z.infer<typeof InternalOrderStatus>;

const Color = z
  .string()
  .refine((value) => /^#[0-9a-fA-F]{6}$/.test(value), { message: 'must be a colour as #rrggbb', params: { code: 'invalid_value' } });

export const InternalOrderStatusInput = z
  .object({
    name: Name,
    color: Color.default('#808080'),
    /** Omitted: after the last one. */
    sort_order: SortOrder.optional(),
  })
  .meta({ id: 'InternalOrderStatusInput' });
export type InternalOrderStatusInput = z.infer<typeof InternalOrderStatusInput>;
export const InternalOrderStatusPatch = z
  .object({ name: Name, color: Color, sort_order: SortOrder })
  .partial()
  .meta({ id: 'InternalOrderStatusPatch' });
export type InternalOrderStatusPatch = z.infer<typeof InternalOrderStatusPatch>;

export const orderStatusesEndpoints = endpointsOf(
  {
    id: 'order_statuses.list',
    method: 'GET',
    path: '/order-statuses',
    summary: 'List internal order statuses by their sort order',
    permission: 'admin_api.order_statuses.read',
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(InternalOrderStatus),
  },
  {
    id: 'order_statuses.create',
    method: 'POST',
    path: '/order-statuses',
    undo: 'restore',
    summary: 'Create an internal order status',
    permission: 'admin_api.order_statuses.write',
    body: InternalOrderStatusInput,
    status: 201,
    response: InternalOrderStatus,
    location: '/order-statuses/{id}',
    refusals: ['duplicate'],
  },
  {
    id: 'order_statuses.get',
    method: 'GET',
    path: '/order-statuses/{id}',
    summary: 'Get an internal order status',
    permission: 'admin_api.order_statuses.read',
    record: 'order_status',
    response: InternalOrderStatus,
  },
  {
    id: 'order_statuses.update',
    method: 'PATCH',
    path: '/order-statuses/{id}',
    undo: 'restore',
    summary: 'Change an internal order status; omitted fields keep their values',
    permission: 'admin_api.order_statuses.write',
    record: 'order_status',
    body: InternalOrderStatusPatch,
    response: InternalOrderStatus,
    refusals: ['duplicate', 'precondition_failed'],
  },
  {
    id: 'order_statuses.delete',
    method: 'DELETE',
    path: '/order-statuses/{id}',
    undo: 'restore',
    summary: 'Delete an internal order status; its orders get the status `reassign_to` or, with `clear`, none',
    permission: 'admin_api.order_statuses.write',
    record: 'order_status',
    query: z.object({
      reassign_to: z.int().optional().meta({ description: 'Id of the status that its orders get instead' }),
      clear: z.boolean().default(false).meta({ description: 'Its orders then have no internal status' }),
    }),
    status: 204,
    refusals: ['in_use', 'internal_status_not_found', 'precondition_failed'],
  },
);
