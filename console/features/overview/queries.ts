import { queryOptions } from '@tanstack/react-query';
import type { RunRow } from '../../../contract/runs.ts';
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

/** The newest dry run of each task, where it found something to do that nobody has carried out yet. */
export const planned = queryOptions({
  queryKey: ['ai_tasks.list_all_runs', { dry_run: true, status: 'success', limit: SHOWN }],
  async queryFn(): Promise<RunRow[]> {
    const { data } = await api.ai_tasks.list_all_runs({ dry_run: true, status: 'success' });
    const open = newestOfEachTask(data.filter(({ draft }) => !draft)).filter((run) => run.applied_by_run_id === null);
    const shown = open.slice(0, SHOWN);
    const effects = await Promise.all(shown.map((run) => api.ai_tasks.list_effects(run.task_id, run.id, { limit: 1 })));
    return shown.filter((_, n) => effects[n]?.length !== 0);
  },
});

function newestOfEachTask(runs: readonly RunRow[]): RunRow[] {
  return runs.filter((run, n) => runs.findIndex(({ task_id }) => task_id === run.task_id) === n);
}

export const newestRuns = queryOptions({
  queryKey: ['ai_tasks.list_all_runs', { limit: RUNS_SHOWN }],
  queryFn: () => api.ai_tasks.list_all_runs({ limit: RUNS_SHOWN }),
});
