import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { defined, idOf, oneOf, type Search, textOf } from '../../parts/search.ts';

/** What the address says of the list of errors; without a state those that are open are shown. */
export type ErrorsSearch = { state?: (typeof others)[number]; task?: number; version?: number; q?: string; cursor?: string };
const others = ['resolved', 'ignored', 'all'] as const;

export const errorsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/errors',
    validateSearch: (raw: Search): ErrorsSearch =>
      defined({
        state: oneOf(others, raw['state']),
        task: idOf(raw['task']),
        version: idOf(raw['version']),
        q: textOf(raw['q']),
        cursor: textOf(raw['cursor']),
      }),
    component: lazyRouteComponent(() => import('./list.tsx'), 'ErrorsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/errors/$id',
    component: lazyRouteComponent(() => import('./page.tsx'), 'ErrorPage'),
  }),
] as const;
