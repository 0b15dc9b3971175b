import { type Routes, read } from '../../verbs/route.ts';
import { readTimeline } from './domain.ts';

export const timelinesRoutes = {
  'orders.timeline': read((ctx, { params, query }) => readTimeline(ctx, 'order', params.id, query)),
  'customers.timeline': read((ctx, { params, query }) => readTimeline(ctx, 'customer', params.id, query)),
} satisfies Partial<Routes>;
