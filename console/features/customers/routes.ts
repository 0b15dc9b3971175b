import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { defined, flagOf, idOf } from '../../parts/search.ts';
import { readCustomersSearch } from './search.ts';

export const customersRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/customers',
    validateSearch: readCustomersSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'CustomersPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/customers/$id',
    params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
    // `open`: an address.
    validateSearch: (raw: Record<string, unknown>): { open?: number; new?: true } =>
      defined({ open: idOf(raw['open']), new: flagOf(raw['new']) }),
    component: lazyRouteComponent(() => import('./customer-page.tsx'), 'CustomerPage'),
  }),
] as const;
