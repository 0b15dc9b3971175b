import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readListSearch } from '../../parts/search.ts';

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    beforeLoad: () => {
      throw redirect({ to: '/settings/$section', params: { section: 'me' }, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/$section',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'SettingsPage'),
  }),
] as const;
