import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readRunSearch, readRunsSearch } from './search.ts';

export const runsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/runs',
    validateSearch: readRunsSearch,
    component: lazyRouteComponent(() => import('./list/page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/tasks/$id/runs/$r',
    params: {
      parse: ({ id, r }) => ({ id: Number(id), r: Number(r) }),
      stringify: ({ id, r }) => ({ id: String(id), r: String(r) }),
    },
    validateSearch: readRunSearch,
    component: lazyRouteComponent(() => import('./run/page.tsx'), 'RunPage'),
  }),
] as const;
