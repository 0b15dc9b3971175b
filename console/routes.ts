import { createRouter } from '@tanstack/react-router';
import { root } from './app/root.tsx';
import { signInRoutes } from './app/sign-in-route.ts';
import { accessGroupsRoutes } from './features/access-groups/routes.ts';
import { activityRoutes } from './features/activity/routes.ts';
import { approvalsRoutes } from './features/approvals/routes.ts';
import { connectRoutes } from './features/connect/routes.ts';
import { customersRoutes } from './features/customers/routes.ts';
import { errorsRoutes } from './features/errors/routes.ts';
import { inquiriesRoutes } from './features/inquiries/routes.ts';
import { libraryRoutes } from './features/library/routes.ts';
import { ordersRoutes } from './features/orders/routes.ts';
import { overviewRoutes } from './features/overview/routes.ts';
import { pagesRoutes } from './features/pages/routes.ts';
import { productsRoutes } from './features/products/routes.ts';
import { runsRoutes } from './features/runs/routes.ts';
import { settingsRoutes } from './features/settings/routes.ts';
import { subscriptionsRoutes } from './features/subscriptions/routes.ts';
import { tasksRoutes } from './features/tasks/routes.ts';
import { themesRoutes } from './features/themes/routes.ts';

export const router = createRouter({
  routeTree: root.addChildren([
    ...signInRoutes,
    ...overviewRoutes,
    ...ordersRoutes,
    ...productsRoutes,
    ...customersRoutes,
    ...inquiriesRoutes,
    ...subscriptionsRoutes,
    ...accessGroupsRoutes,
    ...pagesRoutes,
    ...themesRoutes,
    ...libraryRoutes,
    ...tasksRoutes,
    ...runsRoutes,
    ...errorsRoutes,
    ...approvalsRoutes,
    ...activityRoutes,
    ...settingsRoutes,
    ...connectRoutes,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
