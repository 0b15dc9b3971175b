import { type Routes, read, write } from '../../verbs/route.ts';
import * as orderStatuses from './domain.ts';

export const orderStatusesRoutes = {
  'order_statuses.list': read((ctx, { query }) => orderStatuses.listOrderStatuses(ctx, query)),
  'order_statuses.create': write((ctx, { body }) => orderStatuses.createOrderStatus(ctx, body)),
  'order_statuses.get': read((ctx, { params }) => orderStatuses.getOrderStatus(ctx, params.id)),
  'order_statuses.update': write((ctx, { params, body }) => orderStatuses.updateOrderStatus(ctx, params.id, body)),
  'order_statuses.delete': write((ctx, { params, query }) => orderStatuses.deleteOrderStatus(ctx, params.id, query)),
} satisfies Partial<Routes>;
