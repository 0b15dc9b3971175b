import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, Name, Search } from './values.ts';

/** Internal workflow status, named by the shop. */
export const InternalOrderStatus = z
  .object({ id: Id, name: z.string(), color: z.string(), sort_order: z.int(), order_count: z.int() })
  .meta({ id: 'InternalOrderStatus' });
export type InternalOrderStatus = z.infer<typeof InternalOrderStatus>;

export const orderStatusesList = endpoint({
  id: 'order_statuses.list',
  method: 'GET',
  path: '/order-statuses',
  summary: 'List internal order statuses in their order',
  permission: 'admin_api.order_statuses.read',
  query: cursorQuery({ search: Search.optional() }),
  status: 200,
  response: cursorPageOf(InternalOrderStatus),
  added: true,
});

export const orderStatusesCreate = endpoint({
  id: 'order_statuses.create',
  method: 'POST',
  path: '/order-statuses',
  summary: 'Create an internal order status',
  permission: 'admin_api.order_statuses.write',
  body: z.object({
    name: Name,
    color: z
      .string()
      .refine((value) => /^#[0-9a-fA-F]{6}$/.test(value), { message: 'a colour as #rrggbb', params: { code: 'invalid_value' } })
      .default('#808080'),
    /** Omitted: after the last. */
    sort_order: z.int().optional(),
  }),
  status: 201,
  response: InternalOrderStatus,
  refusals: ['duplicate'],
  added: true,
});
