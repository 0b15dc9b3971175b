import type { Handlers } from '../../http/handlers.ts';
import * as orderStatuses from './domain.ts';

export const orderStatusesRoutes: Handlers = {
  'order_statuses.list': (ctx, { query }) => orderStatuses.listOrderStatuses(ctx, query),
  'order_statuses.create': (ctx, { body }) => orderStatuses.createOrderStatus(ctx, body),
  'order_statuses.get': (ctx, { params }) => orderStatuses.getOrderStatus(ctx, params.id),
  'order_statuses.update': (ctx, { params, body }) => orderStatuses.updateOrderStatus(ctx, params.id, body),
  'order_statuses.delete': (ctx, { params, query }) => orderStatuses.deleteOrderStatus(ctx, params.id, query),
};
