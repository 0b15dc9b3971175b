import type { Handlers } from '../../http/handlers.ts';
import * as orderStatuses from './domain.ts';

export const orderStatusesRoutes: Handlers = {
  'order_statuses.list': (ctx, { query }) => orderStatuses.listOrderStatuses(ctx, query),
  'order_statuses.create': (ctx, { body }) => orderStatuses.createOrderStatus(ctx, body),
};
