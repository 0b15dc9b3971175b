import type { Handlers, HeavyReads } from '../../http/handlers.ts';
import { countSubscriptions, getDashboard, getInsights, getTrends } from './domain.ts';

export const dashboardRoutes: Handlers = {
  'dashboard.get': getDashboard,
  'dashboard.trends': (ctx, { query }) => getTrends(ctx, query.days),
  'dashboard.insights': getInsights,
  'dashboard.subscriptions': countSubscriptions,
};

export const heavyDashboard: HeavyReads = { 'dashboard.insights': () => true };
