import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { defined, flagOf, oneOf, readListSearch, type Search, textOf } from '../../parts/search.ts';

/** As wide as on a phone, a tablet or a desk; else as there is room. */
export const widths = ['phone', 'tablet', 'desk'] as const;

/**
 * The language in which the preview is shown, its width, whether it stands in place of the text, and how the text is shown. `begin`: the page
 * was just made, so its text takes the cursor.
 */
export type PageSearch = { locale?: string; width?: (typeof widths)[number]; alone?: true; text?: 'source'; begin?: true };

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
    validateSearch: (raw: Search): PageSearch =>
      defined({
        locale: textOf(raw['locale']),
        width: oneOf(widths, raw['width']),
        alone: flagOf(raw['alone']),
        text: oneOf(['source'], raw['text']),
        begin: flagOf(raw['begin']),
      }),
    component: lazyRouteComponent(() => import('./shop-page.tsx'), 'ShopPage'),
  }),
] as const;
