import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readOverviewSearch } from './search.ts';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: readOverviewSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'OverviewPage'),
  }),
] as const;
