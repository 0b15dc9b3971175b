import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { defined, flagOf, idOf, readListSearch, type Search, textOf } from '../../parts/search.ts';

/** The template that is open, or a new one, and the page in which it is shown. */
export type ThemeSearch = { template?: string; new?: true; page?: number };

export const themesRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/themes',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'ThemesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/themes/$id',
    params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
    validateSearch: (raw: Search): ThemeSearch =>
      defined({ template: textOf(raw['template']), new: flagOf(raw['new']), page: idOf(raw['page']) }),
    component: lazyRouteComponent(() => import('./theme-page.tsx'), 'ThemePage'),
  }),
] as const;
