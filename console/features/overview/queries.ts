import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const TREND_DAYS = 60;

export const figures = queryOptions({ queryKey: ['dashboard.get'], queryFn: () => api.dashboard.get() });
export const trends = queryOptions({
  queryKey: ['dashboard.trends', TREND_DAYS],
  queryFn: () => api.dashboard.trends({ days: TREND_DAYS }),
});
