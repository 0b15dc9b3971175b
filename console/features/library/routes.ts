import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readListSearch } from '../../parts/search.ts';

const below = { getParentRoute: () => root, validateSearch: readListSearch } as const;

export const libraryRoutes = [
  createRoute({ ...below, path: '/library/media', component: lazyRouteComponent(() => import('./media.tsx'), 'MediaPage') }),
  createRoute({ ...below, path: '/library/files', component: lazyRouteComponent(() => import('./files.tsx'), 'FilesPage') }),
  createRoute({ ...below, path: '/library/vouchers', component: lazyRouteComponent(() => import('./vouchers.tsx'), 'VouchersPage') }),
  createRoute({
    ...below,
    path: '/library/discount-groups',
    component: lazyRouteComponent(() => import('./discount-groups.tsx'), 'DiscountGroupsPage'),
  }),
  createRoute({
    ...below,
    path: '/library/pickup-locations',
    component: lazyRouteComponent(() => import('./pickup-locations.tsx'), 'PickupLocationsPage'),
  }),
  createRoute({
    ...below,
    path: '/library/shipping-methods',
    component: lazyRouteComponent(() => import('./shipping-methods.tsx'), 'ShippingMethodsPage'),
  }),
  createRoute({
    ...below,
    path: '/library/order-statuses',
    component: lazyRouteComponent(() => import('./order-statuses.tsx'), 'OrderStatusesPage'),
  }),
  createRoute({ ...below, path: '/library/tax-rates', component: lazyRouteComponent(() => import('./tax-rates.tsx'), 'TaxRatesPage') }),
  createRoute({ ...below, path: '/library/secrets', component: lazyRouteComponent(() => import('./secrets.tsx'), 'SecretsPage') }),
  createRoute({ ...below, path: '/library/variables', component: lazyRouteComponent(() => import('./variables.tsx'), 'VariablesPage') }),
] as const;
