import { type Routes, read } from '../../verbs/route.ts';
import { listOrders, orderCalendar } from './domain.ts';
import { hasTextOrBounds, isHeavyList } from './rules.ts';

export const orderListsRoutes = {
  'orders.list': read((ctx, { query }) => listOrders(ctx, query), { isHeavy: isHeavyList }),
  'orders.calendar': read((ctx, { query }) => orderCalendar(ctx, query), { isHeavy: hasTextOrBounds }),
} satisfies Partial<Routes>;
