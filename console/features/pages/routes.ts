import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { defined, readListSearch, type Search, textOf } from '../../parts/search.ts';

export const pagesRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/pages',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'PagesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages/$id',
    params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
    // The language in which the preview is shown.
    validateSearch: (raw: Search): { locale?: string } => defined({ locale: textOf(raw['locale']) }),
    component: lazyRouteComponent(() => import('./shop-page.tsx'), 'ShopPage'),
  }),
] as const;
