import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from '@tanstack/react-router';
import { App } from './app/shell.tsx';
import { readOrdersSearch } from './features/orders/search.ts';
import { text } from './texts/en.ts';
import { Empty, PageHead } from './ui/page.tsx';
import { Problem } from './ui/problem.tsx';

const root = createRootRoute({
  component: App,
  notFoundComponent: () => (
    <Empty title={text.app.notFound}>
      <Link to="/">{text.app.toOverview}</Link>
    </Empty>
  ),
  errorComponent: ({ error, reset }) => (
    <>
      <PageHead title={text.app.broken} />
      <Problem error={error} retry={reset} />
    </>
  ),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./features/overview/page.tsx'), 'OverviewPage'),
});

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: readOrdersSearch,
  component: lazyRouteComponent(() => import('./features/orders/page.tsx'), 'OrdersPage'),
});

export const router = createRouter({ routeTree: root.addChildren([overview, orders]), defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
