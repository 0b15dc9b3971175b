import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readCalendarSearch, readOrdersSearch } from './search.ts';

export const ordersRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/orders',
    validateSearch: readOrdersSearch,
    component: lazyRouteComponent(() => import('./list/page.tsx'), 'OrdersPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/orders/new',
    component: lazyRouteComponent(() => import('./form/phone-order.tsx'), 'PhoneOrderPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/orders/calendar',
    validateSearch: readCalendarSearch,
    component: lazyRouteComponent(() => import('./calendar/page.tsx'), 'CalendarPage'),
  }),
] as const;
