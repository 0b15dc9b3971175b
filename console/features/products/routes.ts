import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { readProductSearch, readProductsSearch } from './search.ts';

export const productsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/products',
    validateSearch: readProductsSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'ProductsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/products/$id',
    params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
    validateSearch: readProductSearch,
    component: lazyRouteComponent(() => import('./product-page.tsx'), 'ProductPage'),
  }),
] as const;
