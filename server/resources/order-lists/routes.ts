import type { Handlers, HeavyReads } from '../../http/handlers.ts';
import { listOrders, orderCalendar } from './domain.ts';
import { hasTextOrBounds, isHeavyList } from './rules.ts';

export const orderListsRoutes: Handlers = {
  'orders.list': (ctx, { query }) => listOrders(ctx, query),
  'orders.calendar': (ctx, { query }) => orderCalendar(ctx, query),
};

export const heavyOrderLists: HeavyReads = {
  'orders.list': isHeavyList,
  'orders.calendar': hasTextOrBounds,
};
