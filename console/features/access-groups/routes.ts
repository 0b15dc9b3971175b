import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readListSearch } from '../../parts/search.ts';

export const accessGroupsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/access-groups',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'AccessGroupsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/access-groups/$id',
    params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
    component: lazyRouteComponent(() => import('./group-page.tsx'), 'AccessGroupPage'),
  }),
] as const;
