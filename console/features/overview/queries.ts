import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const TREND_DAYS = 60;

export const figures = queryOptions({ queryKey: ['dashboard.get'], queryFn: () => api.dashboard.get() });
export const trends = queryOptions({
  queryKey: ['dashboard.trends', TREND_DAYS],
  queryFn: () => api.dashboard.trends({ days: TREND_DAYS }),
});

const SHOWN = 5;
const RUNS_SHOWN = 8;

/** Questions of runs that wait for a person. */
export const questions = queryOptions({
  queryKey: ['ai_tasks.list_open_prompts', { limit: SHOWN }],
  queryFn: () => api.ai_tasks.list_open_prompts({ limit: SHOWN }),
});

/** Versions that wait for approval. */
export const pending = queryOptions({
  queryKey: ['ai_tasks.list_pending_versions', { limit: SHOWN }],
  queryFn: () => api.ai_tasks.list_pending_versions({ limit: SHOWN }),
});

/** Runs that were interrupted and not resumed since. */
export const interrupted = queryOptions({
  queryKey: ['ai_tasks.list_all_runs', { status: 'interrupted', limit: SHOWN }],
  queryFn: () => api.ai_tasks.list_all_runs({ status: 'interrupted', limit: SHOWN }),
});

/** The newest notifications; what tasks and colleagues write there with a warning waits for a person until it is read. */
export const told = queryOptions({ queryKey: ['notifications.list', { limit: 20 }], queryFn: () => api.notifications.list({ limit: 20 }) });

export const newestRuns = queryOptions({
  queryKey: ['ai_tasks.list_all_runs', { limit: RUNS_SHOWN }],
  queryFn: () => api.ai_tasks.list_all_runs({ limit: RUNS_SHOWN }),
});
