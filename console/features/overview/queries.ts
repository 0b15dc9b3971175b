import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RunRow } from '../../../contract/runs.ts';
import { api } from '../../api/client.ts';
import type { Opened } from '../../parts/opened.ts';
import { queryOf } from '../../parts/queries.ts';

const MINUTE_MS = 60_000;
const CARD_ROWS = 7;

export const figures = queryOf('dashboard.get', api.dashboard.get)();
const trends = queryOf('dashboard.trends', api.dashboard.trends, { placeholderData: keepPreviousData });
export const trendsOf = (days: number) => trends({ days, compare: true });

/** Of all time, so they need not be read at each change. */
export const insights = queryOf('dashboard.insights', api.dashboard.insights, { staleTime: MINUTE_MS, refetchInterval: false })();
export const subscriptions = queryOf('dashboard.subscriptions', api.dashboard.subscriptions)();
export const unanswered = queryOf('inquiries.list', api.inquiries.list)({ answered: false, per_page: CARD_ROWS });

const nameOf: Record<Opened['kind'], (id: number) => Promise<string>> = {
  order: async (id) => (await api.orders.get(id)).customer_name,
  customer: async (id) => (await api.customers.get(id)).name,
  product: async (id) => (await api.products.get(id)).name,
  task: async (id) => (await api.ai_tasks.get(id)).task.name,
};

/** The name of a record; read once in a while, because many may stand in the list. */
export function openedRecord({ kind, id }: Opened) {
  const options = { staleTime: MINUTE_MS, refetchInterval: false, retry: false } as const;
  return queryOptions({ queryKey: ['opened', kind, id], queryFn: () => nameOf[kind](id), ...options });
}

const SHOWN = 5;
/** So many runs at most are counted. */
const COUNTED = 100;
const RUNS_SHOWN = 8;

const runs = queryOf('ai_tasks.list_all_runs', api.ai_tasks.list_all_runs);
/** Runs that were interrupted and not resumed since. */
export const interrupted = runs({ status: 'interrupted', limit: COUNTED });

export const newestRuns = runs({ limit: RUNS_SHOWN });

/** The newest dry run of each task, where it found something to do that nobody has carried out yet. */
export const planned = queryOptions({
  queryKey: ['ai_tasks.list_all_runs', { dry_run: true, status: 'success', limit: SHOWN }],
  async queryFn(): Promise<RunRow[]> {
    const { data } = await api.ai_tasks.list_all_runs({ dry_run: true, status: 'success' });
    const open = newestOfEachTask(data.filter(({ draft }) => !draft)).filter((run) => run.applied_by_run_id === null);
    const shown = open.slice(0, SHOWN);
    const isOpen = await Promise.all(
      shown.map(async ({ task_id, id, version_id }) => {
        const [effects, [decided]] = await Promise.all([
          api.ai_tasks.list_effects(task_id, id, { limit: 1 }),
          api.ai_tasks.list_version_approvals(task_id, version_id, { limit: 1 }),
        ]);
        return effects.length > 0 && decided?.decision !== 'rejected' && decided?.decision !== 'revoked';
      }),
    );
    return shown.filter((_, n) => isOpen[n]);
  },
});

function newestOfEachTask(runs: readonly RunRow[]): RunRow[] {
  return runs.filter((run, n) => runs.findIndex(({ task_id }) => task_id === run.task_id) === n);
}
