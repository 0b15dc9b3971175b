import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { defined, idOf } from '../../parts/search.ts';

export const approvalsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/approvals',
    /** `open`: the question whose form is open. */
    validateSearch: (raw: Record<string, unknown>) => defined({ open: idOf(raw['open']) }),
    component: lazyRouteComponent(() => import('./page.tsx'), 'ApprovalsPage'),
  }),
] as const;
