import { type Routes, read } from '../../verbs/route.ts';
import { listOrderIds, listOrders, orderCalendar } from './domain.ts';
import { isHeavyCalendar, isHeavyList } from './rules.ts';

export const orderListsRoutes = {
  'orders.list': read((ctx, { query }) => listOrders(ctx, query), { isHeavy: isHeavyList }),
  'orders.list_ids': read((ctx, { query }) => listOrderIds(ctx, query), { isHeavy: () => true }),
  'orders.calendar': read((ctx, { query }) => orderCalendar(ctx, query), { isHeavy: isHeavyCalendar }),
} satisfies Partial<Routes>;
