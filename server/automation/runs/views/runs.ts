import type { InputOf, ResponseOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { COUNTED_RUNS } from '../../../../contract/run-bulk.ts';
import { type Run, type RunFilter, SEARCHED_RUNS, type WaitingReason, type WholeRun } from '../../../../contract/runs.ts';
import type { Position, Reading } from '../../../db/queries/keyset.ts';
import { instantsOf } from '../../../values/dates.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { cursorAfter, pageForm, readingOf } from '../../../verbs/list-pages.ts';
import { notFound } from '../../../verbs/problem.ts';
import type { RecordVersions } from '../../../verbs/record-versions.ts';
import { requireTask } from '../../tasks/domain.ts';
import { searchLogs } from '../log/search.ts';
import { effectOf } from '../rows/effects.ts';
import { missingReads, requireReads } from '../rows/output-permissions.ts';
import * as store from '../rows/store.ts';
import * as lists from './list-store.ts';
import { showing } from './shown.ts';
import { isNoRunnerThere, waitingReasons } from './waiting-reasons.ts';

export const runVersions = {
  run: {
    version: (db, params) => store.selectRunVersion(db, Number(params['id']), Number(params['run_id'])),
    derived: async (ctx, params) => {
      const taskId = Number(params['id']);
      const id = Number(params['run_id']);
      const row = await store.selectStanding(ctx.db, { taskId, id });
      const waiting = row ? (await waitingReasons(ctx, [row]))(row) : null;
      const withheld = ctx.actor.type === 'admin' ? ((await missingReads(ctx.db, ctx.actor, [id])).get(id) ?? []) : [];
      return { waiting, withheld, task_name: row?.task_name };
    },
  },
} satisfies RecordVersions;

/** The list of runs shows this many bytes of each log (spec RL1). */
const TAIL_BYTES = 4 * 1024;
/** The most lines that TAIL_BYTES can hold: the shortest is `{"kind":"log","line":""}`. */
const TAIL_LINES = Math.ceil(TAIL_BYTES / 25);
const MAX_LINES = 200_000;

export async function listRuns(ctx: Ctx, { params, query }: InputOf<Endpoints['ai_tasks.list_runs']>): Promise<Run[]> {
  const rows = await store.selectRuns(ctx.db, params.id, query.limit, query.before_id);
  const shown = await showing(ctx, rows);
  const tails = await store.selectTails(
    ctx.db,
    rows.filter((row) => shown.withheld(row).length === 0),
    TAIL_LINES,
  );
  return rows.map((row) => ({ ...shown.row(row), ...shown.long(row, lastLines(tails.get(row.id) ?? [])) }));
}

/** Whether the runs that wait for this reason wait for a runner. */
function isOfQueue(reason: WaitingReason): boolean {
  return reason === 'no_runner' || reason === 'runners_busy' || reason === 'concurrency';
}

/** Ids do not quite rise with the time of the start where several servers open runs, so the list is in the order of that time. */
const BY_START = { started_at: { name: 'started_at', type: 'text' } } as const;

export async function listAllRuns(
  ctx: Ctx,
  { query }: InputOf<Endpoints['ai_tasks.list_all_runs']>,
): Promise<ResponseOf<Endpoints['ai_tasks.list_all_runs']>> {
  const { limit: per_page, cursor } = query;
  const reading = readingOf({ cursor, per_page }, '-started_at', BY_START);
  const filter = await storedFilter(ctx, query);
  const { keys, from } =
    query.q === undefined
      ? { keys: await lists.selectRunKeys(ctx, filter, reading), from: null }
      : await saying(ctx, filter, query.q, reading);
  const rows = await lists.selectRunRows(
    ctx.db,
    keys.slice(0, per_page).map(({ id }) => id),
  );
  const shown = await showing(ctx, rows);
  const { data, next_cursor } = pageForm(reading, 0, keys, rows.map(shown.row));
  return { data, next_cursor: next_cursor ?? (from && cursorAfter(reading, from)) };
}

/** The positions of runs whose log contains the text. `from`: where the next page goes on although this one is not full. */
async function saying(
  ctx: Ctx,
  filter: lists.RunFilter,
  text: string,
  { after }: Reading,
): Promise<{ keys: Position[]; from: Position | null }> {
  const { found, last, isComplete } = await searchLogs(ctx, text, await lists.selectCandidates(ctx, filter, after, SEARCHED_RUNS + 1));
  return { keys: found.map(positionOf), from: last && !isComplete ? positionOf(last) : null };
}

function positionOf({ id, started_at }: lists.Candidate): Position {
  return { value: started_at, id };
}

/** The filter by the columns that hold what it asks for. */
export async function storedFilter(ctx: Ctx, filter: RunFilter): Promise<lists.RunFilter> {
  const { waiting_reason: reason, since } = filter;
  const days = instantsOf({ from: filter.from, to: filter.to, timeZone: ctx.settings.timezone });
  return {
    runId: filter.run_id,
    taskId: filter.task_id,
    status: filter.status,
    endReason: filter.end_reason,
    startedBy: filter.started_by,
    dryRun: filter.dry_run,
    waiting: reason && { reason, noRunner: isOfQueue(reason) && (await isNoRunnerThere(ctx)) },
    // Both are in UTC and in the same form, so that their order is that of the texts.
    from: since !== undefined && since > (days.from ?? '') ? since : days.from,
    before: days.before,
  };
}

/** Counts the runs that match; of very many, the newest. */
export async function countRuns(
  ctx: Ctx,
  { query }: InputOf<Endpoints['ai_tasks.count_runs']>,
): Promise<ResponseOf<Endpoints['ai_tasks.count_runs']>> {
  const filter = await storedFilter(ctx, query);
  if (query.q !== undefined) {
    const { found, isComplete } = await searchLogs(ctx, query.q, await lists.selectCandidates(ctx, filter, null, SEARCHED_RUNS + 1));
    const statuses = Map.groupBy(found, ({ status }) => status);
    const counts = [...statuses].map(([status, { length: count }]) => ({ status, count })).sort((a, b) => (a.status < b.status ? -1 : 1));
    return { counts, total: found.length, is_complete: isComplete };
  }
  const counts = await lists.countStatuses(ctx, filter, COUNTED_RUNS + 1);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return { counts, total, is_complete: total <= COUNTED_RUNS };
}

function lastLines(lines: readonly string[]): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.toReversed()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes - 1 > TAIL_BYTES) break;
    kept.push(line);
  }
  return kept.reverse().join('\n');
}

export async function getRun(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.get_run']>): Promise<WholeRun> {
  const row = await store.selectRun(ctx.db, params.id, params.run_id);
  if (!row) throw notFound('run', params.run_id);
  const shown = await showing(ctx, [row]);
  const isTold = shown.withheld(row).length === 0;
  const lines = isTold ? await store.selectLines(ctx.db, row.id, 0, MAX_LINES) : [];
  const details = isTold ? await store.selectDetails(ctx.db, row.id) : null;
  return { ...shown.row(row), ...shown.long(row, lines.map(({ line }) => line).join('\n')), details };
}

export async function listEffects(
  ctx: Ctx,
  { params, query }: InputOf<Endpoints['ai_tasks.list_effects']>,
): Promise<ResponseOf<Endpoints['ai_tasks.list_effects']>> {
  await requireTask(ctx.db, params.id);
  await requireReads(ctx.db, ctx.actor, params.run_id);
  return (await store.selectEffects(ctx.db, params.run_id, query.after, query.limit)).map(effectOf);
}

/** `isComplete`: all logs that had to be searched were. */
export type Actable = { runs: { id: number; taskId: number }[]; isComplete: boolean };

/** The matching runs in a state that an act is for, oldest first, at most `limit`. */
export async function findActable(ctx: Ctx, filter: RunFilter, state: lists.ActableState, limit: number): Promise<Actable> {
  const stored = await storedFilter(ctx, filter);
  const { found, isComplete } =
    filter.q === undefined
      ? { found: await lists.selectActable(ctx, stored, state, limit), isComplete: true }
      : await searchLogs(ctx, filter.q, await lists.selectActable(ctx, stored, state, SEARCHED_RUNS + 1));
  return { runs: found.slice(0, limit).map(({ id, task_id: taskId }) => ({ id, taskId })), isComplete };
}

export function findTasksOf({ db }: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  return lists.selectTasksOf(db, ids);
}
