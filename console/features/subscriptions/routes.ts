import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readSubscriptionsSearch } from './search.ts';

export const subscriptionsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/subscriptions',
    validateSearch: readSubscriptionsSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'SubscriptionsPage'),
  }),
] as const;
