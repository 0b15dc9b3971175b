import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';

export const connectRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/connect/$request',
    component: lazyRouteComponent(() => import('./page.tsx'), 'ConnectPage'),
  }),
] as const;
