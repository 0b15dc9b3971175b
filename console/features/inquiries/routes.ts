import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/root.tsx';
import { defined, type ListSearch, readListSearch, type Search } from '../../parts/search.ts';

export type InquiriesSearch = ListSearch & { answered?: boolean };

function readInquiriesSearch(raw: Search): InquiriesSearch {
  const answered = raw['answered'];
  return { ...readListSearch(raw), ...defined({ answered: typeof answered === 'boolean' ? answered : undefined }) };
}

export const inquiriesRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/inquiries',
    validateSearch: readInquiriesSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'InquiriesPage'),
  }),
] as const;
