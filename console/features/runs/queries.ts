import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallOptions } from '../../../contract/calls.ts';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { BulkAction } from '../../../contract/run-bulk.ts';
import type { JsonObject } from '../../../contract/run-events.ts';
import type { Run, RunFilter } from '../../../contract/runs.ts';
import type { UndoRow } from '../../../contract/undo.ts';
import { api, changeRecord } from '../../api/client.ts';
import { queryOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import type { RunsSearch } from './search.ts';

export type Effect = ResponseOf<Endpoints['ai_tasks.list_effects']>[number];
export type TaskWithVersions = ResponseOf<Endpoints['ai_tasks.get']>;

const OPEN_RUN_POLL_MS = 3000;
const EFFECTS_PAGE = 500;
export const RUNS_PAGE = 50;
const whileOpen = (isOpen: boolean) => ({ refetchInterval: isOpen ? OPEN_RUN_POLL_MS : (false as const) });

/** One run without its log, which the stream brings; null if there is no such run. */
export function runRecord(taskId: number, runId: number) {
  return queryOptions({
    queryKey: ['ai_tasks.list_runs', taskId, runId],
    queryFn: async (): Promise<Run | null> => {
      const [run] = await api.ai_tasks.list_runs(taskId, { limit: 1, before_id: runId + 1 });
      return run?.id === runId ? run : null;
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? OPEN_RUN_POLL_MS : false),
  });
}

/** The task of a run, to tell of its trial; dialogs that act on the task read it anew. */
export const taskOfRun = queryOf('ai_tasks.get', api.ai_tasks.get, { refetchInterval: false });

/** The newest runs of the task, for comparing. */
export function runsOfTask(taskId: number) {
  return queryOptions({ queryKey: ['ai_tasks.list_runs', taskId], queryFn: () => api.ai_tasks.list_runs(taskId, { limit: RUNS_PAGE }) });
}

export function runEffects(taskId: number, runId: number, isOpen: boolean) {
  return infiniteQueryOptions({
    queryKey: ['ai_tasks.list_effects', taskId, runId],
    queryFn: ({ pageParam }) => api.ai_tasks.list_effects(taskId, runId, { after: pageParam, limit: EFFECTS_PAGE }),
    initialPageParam: 0,
    getNextPageParam: (page: Effect[]) => (page.length < EFFECTS_PAGE ? undefined : page.at(-1)?.call),
    ...whileOpen(isOpen),
  });
}

export type RunCall = ResponseOf<Endpoints['ai_tasks.list_calls']>[number];
const CALLS_PAGE = 1000;

export function runCalls(taskId: number, runId: number, isOpen: boolean) {
  return infiniteQueryOptions({
    queryKey: ['ai_tasks.list_calls', taskId, runId],
    queryFn: ({ pageParam }) => api.ai_tasks.list_calls(taskId, runId, { after: pageParam, limit: CALLS_PAGE }),
    initialPageParam: 0,
    getNextPageParam: (page: RunCall[]) => (page.length < CALLS_PAGE ? undefined : page.at(-1)?.call),
    ...whileOpen(isOpen),
  });
}

/** When the server stored the lines that come after one. */
export async function lineTimes(taskId: number, runId: number, after: number, limit: number): Promise<string[]> {
  const { lines } = await api.ai_tasks.list_run_lines(taskId, runId, { after, limit });
  return lines.map(({ at }) => at);
}

export function runCheckpoints(taskId: number, runId: number, isOpen: boolean) {
  return queryOf('ai_tasks.list_checkpoints', api.ai_tasks.list_checkpoints, whileOpen(isOpen))(taskId, runId, { limit: 1000 });
}

/** The state of a checkpoint with what was written after it, read anew whenever somebody is about to restart. */
export const checkpointState = queryOf('ai_tasks.get_checkpoint_state', api.ai_tasks.get_checkpoint_state, {
  staleTime: 0,
  refetchInterval: false,
});

type Restart = Parameters<typeof api.ai_tasks.restart_run>[2];
export const restartRun = (taskId: number, runId: number, body: Restart, options: CallOptions) =>
  api.ai_tasks.restart_run(taskId, runId, body, options);

export function runPrompts(taskId: number, runId: number, isOpen: boolean) {
  return queryOf('ai_tasks.list_prompts', api.ai_tasks.list_prompts, whileOpen(isOpen))(taskId, runId);
}

export function runWaits(taskId: number, runId: number) {
  return queryOf('ai_tasks.list_waits', api.ai_tasks.list_waits, whileOpen(true))(taskId, runId);
}

export const sendSignal = api.ai_tasks.signal_run;

export function runArtifacts(taskId: number, runId: number, isOpen: boolean) {
  return queryOf('ai_tasks.list_artifacts', api.ai_tasks.list_artifacts, whileOpen(isOpen))(taskId, runId);
}

export function artifactPath(taskId: number, runId: number, artifactId: number): string {
  return `/ai-tasks/${taskId}/runs/${runId}/artifacts/${artifactId}/content`;
}

export function streamPath(taskId: number, runId: number): string {
  return `/ai-tasks/${taskId}/runs/${runId}/stream`;
}

/** The differences of a replay; null while it is not ended, or its recording is no longer kept. */
export const replayReport = queryOf('replays.get', api.replays.get, { refetchInterval: false });

/** All that two runs are compared by. */
export function comparedRun(taskId: number, runId: number) {
  return queryOptions({
    queryKey: ['ai_tasks.get_run', taskId, runId],
    queryFn: async () => {
      const run = await api.ai_tasks.get_run(taskId, runId);
      return { run, effects: run.withheld.length > 0 ? [] : await allEffects(taskId, runId) };
    },
    refetchInterval: false,
  });
}

const ALL_EFFECTS_PAGE = 1000;

async function allEffects(taskId: number, runId: number): Promise<Effect[]> {
  const effects: Effect[] = [];
  for (;;) {
    const page = await api.ai_tasks.list_effects(taskId, runId, { after: effects.at(-1)?.call ?? 0, limit: ALL_EFFECTS_PAGE });
    effects.push(...page);
    if (page.length < ALL_EFFECTS_PAGE) return effects;
  }
}

export type StartRun = {
  parameters?: JsonObject;
  dry_run?: boolean;
  record?: boolean;
  resume_run_id?: number;
  version?: 'current';
  journal?: 'drop';
};

export const startRun = (taskId: number, body: StartRun, options: CallOptions) => api.ai_tasks.start_run(taskId, body, options);
export const cancelRun = (taskId: number, runId: number) => api.ai_tasks.cancel_run(taskId, runId);
/** `rows`: of an undo, those of its plan that are carried out; without them, all that are ready. */
export const applyRun = (taskId: number, runId: number, options: CallOptions, rows?: number[]) =>
  api.ai_tasks.apply_run(taskId, runId, rows ? { rows } : {}, options);

export type UndoChoice = Parameters<typeof api.ai_tasks.undo_run>[2];
export const planUndo = (taskId: number, runId: number, body: UndoChoice, options: CallOptions) =>
  api.ai_tasks.undo_run(taskId, runId, body, options);

const UNDO_PAGE = 1000;

/** All rows of the plan of an undo, the newest write first. */
export function undoRows(taskId: number, runId: number) {
  return queryOptions({
    queryKey: ['ai_tasks.list_undo', taskId, runId],
    queryFn: async () => {
      const rows: UndoRow[] = [];
      for (;;) {
        const page = await api.ai_tasks.list_undo(taskId, runId, { after: rows.length, limit: UNDO_PAGE });
        rows.push(...page);
        if (page.length < UNDO_PAGE) return rows;
      }
    },
    refetchInterval: false,
  });
}
export const startReplay = (taskId: number, runId: number, versionId: number, options: CallOptions) =>
  api.replays.start(taskId, runId, { version_id: versionId }, options);

/** Raises one limit of the task and leaves the others as somebody else may have set them. */
export function raiseLimit(taskId: number, name: string, value: number | null) {
  return changeRecord(
    () => api.ai_tasks.get(taskId),
    ({ task }, options) => api.ai_tasks.update(taskId, { settings: { limits: { ...task.settings.limits, [name]: value } } }, options),
  );
}

/** The filters as the API names them. */
export function filterOf({ status, waiting, dry, end, by, since, from, to, q, task }: Omit<RunsSearch, 'cursor'>): RunFilter {
  return defined({
    ...{ status, waiting_reason: waiting, end_reason: end, started_by: by, since, from, to, q, task_id: task },
    dry_run: dry === undefined ? undefined : dry === 'only',
  });
}

/** The last answer stays while the next is read. A search of many logs is not repeated by itself. */
const polledUnless = (q: string | undefined) => ({
  placeholderData: keepPreviousData,
  ...(q === undefined ? {} : { refetchInterval: false as const }),
});

/** One page of the runs of all tasks. */
export function runsPage({ cursor, ...filters }: RunsSearch) {
  const query = { limit: RUNS_PAGE, ...filterOf(filters), ...defined({ cursor }) };
  return queryOf('ai_tasks.list_all_runs', api.ai_tasks.list_all_runs, polledUnless(filters.q))(query);
}

export function runCounts(filters: Omit<RunsSearch, 'cursor'>) {
  return queryOf('ai_tasks.count_runs', api.ai_tasks.count_runs, polledUnless(filters.q))(filterOf(filters));
}

export type BulkResults = ResponseOf<Endpoints['ai_tasks.bulk_runs']>;

/** How many runs an act is for; it is asked anew whenever somebody is about to decide. */
export function bulkPreview(action: BulkAction, filter: RunFilter) {
  return queryOf('ai_tasks.preview_bulk_runs', api.ai_tasks.preview_bulk_runs, { staleTime: 0, refetchInterval: false })({
    action,
    filter,
  });
}

export const bulkRuns = (body: Parameters<typeof api.ai_tasks.bulk_runs>[0], options: CallOptions) => api.ai_tasks.bulk_runs(body, options);
