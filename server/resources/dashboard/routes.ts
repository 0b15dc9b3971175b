import { type Routes, read } from '../../verbs/route.ts';
import { countSubscriptions, getDashboard, getInsights, getTrends } from './domain.ts';

export const dashboardRoutes = {
  'dashboard.get': read(getDashboard),
  'dashboard.trends': read((ctx, { query }) => getTrends(ctx, query)),
  'dashboard.insights': read(getInsights, { isHeavy: () => true }),
  'dashboard.subscriptions': read(countSubscriptions),
} satisfies Partial<Routes>;
