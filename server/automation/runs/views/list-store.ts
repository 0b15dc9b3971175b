import { sql } from 'kysely';
import type { WaitingReason } from '../../../../contract/runs.ts';
import type { At, Db } from '../../../db/open.ts';
import { waitsFor as waitsAfterClaim } from '../../../db/queries/asking-runs.ts';
import { type Position, type Reading, selectKeys } from '../../../db/queries/keyset.ts';
import type { RunRow } from '../rows/store.ts';

/** `noRunner`: no runner is there, which every run without a claim waits for. */
export type RunFilter = {
  runId: number | undefined;
  taskId: number | undefined;
  status: string | undefined;
  endReason: string | undefined;
  startedBy: string | undefined;
  dryRun: boolean | undefined;
  from: string | null;
  before: string | null;
  waiting: { reason: WaitingReason; noRunner: boolean } | undefined;
};

const isRunning = sql<boolean>`status = 'running'`;
const isOver = sql<boolean>`status <> 'running'`;

export function selectRunKeys(at: At, filter: RunFilter, reading: Reading): Promise<Position[]> {
  return selectKeys(matching(at, filter), reading);
}

export type StatusCount = { status: string; count: number };

/** Counts the newest `limit` runs that match, by their status. */
export async function countStatuses(at: At, filter: RunFilter, limit: number): Promise<StatusCount[]> {
  const newest = matching(at, filter).select('status').orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit);
  const { rows } = await sql<StatusCount>`
    SELECT status, count(*) AS count FROM (${newest}) AS newest GROUP BY status ORDER BY status`.execute(at.db);
  return rows;
}

/** A run whose log may be searched. */
export type Candidate = Pick<RunRow, 'id' | 'task_id' | 'status' | 'started_at' | 'log_bytes'>;
const candidate = ['id', 'task_id', 'status', 'started_at', 'log_bytes'] as const;

/** The newest runs that match, after a position in the list. */
export function selectCandidates(at: At, filter: RunFilter, after: Position | null, limit: number): Promise<Candidate[]> {
  const newest = matching(at, filter).select(candidate).orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit);
  return (after ? newest.where(sql<boolean>`(started_at, id) < (${after.value}, ${after.id})`) : newest).execute();
}

/** The runs that match and are in a state that an act is for, oldest first, at most `limit`. */
export async function selectActable(at: At, filter: RunFilter, state: ActableState, limit: number): Promise<Candidate[]> {
  const isIn = state === 'running' ? isRunning : state === 'interrupted' ? sql<boolean>`status = 'interrupted' AND ${isOver}` : isOver;
  let query = matching(at, filter).where(isIn);
  if (state === 'recorded') query = query.where('record', '=', 1);
  if (state === 'ended') {
    query = query.where('replay_of_run_id', 'is', null).where('undo_of_run_id', 'is', null).where('status', '<>', 'resumed');
  }
  return query.select(candidate).orderBy('started_at').orderBy('id').limit(limit).execute();
}

export type ActableState = 'running' | 'interrupted' | 'ended' | 'recorded';

/** The tasks of these runs; ids that no run has are left out. */
export async function selectTasksOf(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('runs').select(['id', 'task_id']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, task_id }) => [id, task_id]));
}

function matching({ db, dialect }: At, filter: RunFilter) {
  const { runId, taskId, status, endReason, startedBy, dryRun, from, before, waiting } = filter;
  let query = db.selectFrom('runs');
  if (runId !== undefined) query = query.where('id', '=', runId);
  if (taskId !== undefined) query = query.where('task_id', '=', taskId);
  // Some conditions are written out, so that the planner sees which partial index holds the rows.
  if (status !== undefined) query = status === 'running' ? query.where(isRunning) : query.where('status', '=', status).where(isOver);
  if (endReason !== undefined) query = query.where('end_reason', '=', endReason);
  if (startedBy !== undefined) query = query.where('started_by', '=', startedBy);
  if (dryRun !== undefined) query = query.where(dryRun ? sql<boolean>`dry_run = 1` : sql<boolean>`dry_run = 0`);
  if (from !== null) query = query.where('started_at', '>=', from);
  if (before !== null) query = query.where('started_at', '<', before);
  if (waiting !== undefined) query = query.where(isRunning).where(waitsFor(dialect, waiting));
  return query;
}

/**
 * The same rules as in `waitingReasons`, for a list that is filtered by the reason. Columns of the queues' indexes are tested without them,
 * because those indexes are not in the order of the list.
 */
function waitsFor(dialect: At['dialect'], { reason, noRunner }: NonNullable<RunFilter['waiting']>) {
  const { withoutIndex } = dialect;
  const byRunner = sql`${withoutIndex(sql.ref('runs.executor'))} = 'runner'`;
  if (reason === 'retry') return sql<boolean>`runs.retry_due_ms IS NOT NULL`;
  if (reason !== 'no_runner' && reason !== 'runners_busy' && reason !== 'concurrency')
    return sql<boolean>`${byRunner} AND ${waitsAfterClaim('runs', reason)}`;
  if (noRunner !== (reason === 'no_runner')) return sql<boolean>`1 = 0`;
  const unclaimed = sql<boolean>`${byRunner} AND runs.claim_id IS NULL`;
  if (reason === 'no_runner') return unclaimed;
  const isFull = isFullOf(dialect);
  return reason === 'concurrency'
    ? sql<boolean>`${unclaimed} AND ${withoutIndex(sql.ref('runs.concurrency_limit'))} IS NOT NULL AND ${isFull}`
    : sql<boolean>`${unclaimed} AND (runs.concurrency_limit IS NULL OR NOT ${isFull})`;
}

const isBusy = sql`b.status = 'running' AND (b.claim_id IS NOT NULL OR b.executor = 'external')`;

/** Whether as many runs of the task with the same key are busy as its limit allows. A key is JSON, so the empty text stands for none. */
const isFullOf = ({
  indexedBy,
  withoutIndex,
}: At['dialect']) => sql`(${withoutIndex(sql.ref('runs.task_id'))}, coalesce(runs.concurrency_key, '')) IN (
  SELECT b.task_id, coalesce(b.concurrency_key, '') FROM runs b ${indexedBy('runs_running')} WHERE ${isBusy}
  GROUP BY b.task_id, b.concurrency_key HAVING count(*) >= max(b.concurrency_limit))`;

/** The order of the rows is not defined. */
export function selectRunRows(db: Db, ids: readonly number[]): Promise<RunRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.selectFrom('runs').selectAll().where('id', 'in', ids).execute();
}

export type Names = { id: number; task_name: string; version: number | null };

/** The task's name and the version's number of each of these runs. */
export async function selectNames(db: Db, runIds: readonly number[]): Promise<Map<number, Names>> {
  if (runIds.length === 0) return new Map();
  const { rows } = await sql<Names>`
    SELECT r.id, t.name AS task_name, v.version FROM runs r
    JOIN tasks t ON t.id = r.task_id LEFT JOIN task_versions v ON v.id = r.version_id
    WHERE r.id IN (${sql.join(runIds)})`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The newest run that took back what each of these runs wrote. */
export async function selectUndone(db: Db, runIds: readonly number[]): Promise<Map<number, number>> {
  if (runIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; by: number }>`
    SELECT undo_of_run_id AS id, max(id) AS by FROM runs
    WHERE undo_of_run_id IN (${sql.join(runIds)}) AND dry_run = 0 GROUP BY undo_of_run_id`.execute(db);
  return new Map(rows.map(({ id, by }) => [id, by]));
}

type Queue = Pick<RunRow, 'task_id' | 'concurrency_key'>;

/** Counts the runs of these tasks that a runner or a client works on, by task and concurrency key. */
export async function countBusy(db: Db, taskIds: readonly number[]): Promise<(queue: Queue) => number> {
  const { rows } = await sql<Queue & { n: number }>`
    SELECT b.task_id, b.concurrency_key, count(*) AS n FROM runs b
    WHERE ${isBusy} AND b.task_id IN (${sql.join(taskIds)}) GROUP BY b.task_id, b.concurrency_key`.execute(db);
  const counts = new Map(rows.map((row) => [nameOf(row), row.n]));
  return (queue) => counts.get(nameOf(queue)) ?? 0;
}

function nameOf({ task_id, concurrency_key }: Queue): string {
  return `${task_id} ${concurrency_key ?? ''}`;
}
