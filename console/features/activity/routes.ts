import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readActivitySearch } from './search.ts';

export const activityRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/activity',
    beforeLoad: () => {
      throw redirect({ to: '/activity/$kind', params: { kind: 'notifications' }, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/activity/$kind',
    validateSearch: readActivitySearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'ActivityPage'),
  }),
] as const;
