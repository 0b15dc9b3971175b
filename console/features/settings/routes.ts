import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { defined, type ListSearch, readListSearch, type Search, textOf } from '../../parts/search.ts';

/** `field`: the setting to which the page leads, by the pointer of its field. */
type SettingsSearch = ListSearch & { field?: string };
const readSettingsSearch = (raw: Search): SettingsSearch => ({ ...readListSearch(raw), ...defined({ field: textOf(raw['field']) }) });

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
    validateSearch: readSettingsSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'SettingsPage'),
  }),
] as const;
