import { type Generated, sql } from 'kysely';
import type { TaskError } from '../../../../contract/task-errors.ts';
import type { At, Db } from '../../../db/open.ts';
import { type Position, type Reading, selectKeys } from '../../../db/queries/keyset.ts';
import { rowVersion } from '../../../db/queries/row-version.ts';
import { rowStatement, statement, updateVersioned } from '../../../db/queries/statement.ts';
import type { Row } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Database {
    /** Errors of tasks: bad ends of runs in groups. What their message says stands in the runs alone. */
    task_errors: {
      id: Generated<number>;
      task_id: number;
      fingerprint: string;
      end_reason: string | null;
      state: TaskError['state'];
      resolved_in_version: number | null;
      returned_at: string | null;
      /** The run with which it last came back. */
      returned_run_id: number | null;
      count: number;
      first_seen_at: string;
      last_seen_at: string;
      /** The latest run, which stands for all. */
      last_run_id: number;
      /** Counts changes of the state alone, so that nobody's decision fails because another run ended. */
      row_version: Generated<number>;
    };
    /** How often an error was seen in a version on a day of the shop. */
    task_error_counts: { error_id: number; version_id: number; day: string; count: number };
  }
}

export type ErrorRow = Row<'task_errors'>;

export const errorVersion = rowVersion('task_errors');

type Seen = { taskId: number; versionId: number; runId: number; fingerprint: string; endReason: string | null; now: string };
export type SeenError = Pick<ErrorRow, 'id' | 'state' | 'count' | 'returned_run_id'>;

/**
 * Counts an end in its group, and opens a resolved group again if the run's version is later than the one that it was resolved in. One
 * statement, so that of ends at the same time one makes the group and each is counted.
 */
export async function countSeen(db: Db, seen: Seen): Promise<SeenError> {
  const [row] = await countSeenOf(db, seen);
  if (!row) throw new Error('an error was not counted');
  return row;
}

const countSeenOf = statement<Seen, SeenError>((value) => {
  const returns = sql`(task_errors.state = 'resolved' AND task_errors.resolved_in_version <
    (SELECT version FROM task_versions WHERE id = ${value('versionId')}))`;
  const ifReturns = (then: ReturnType<typeof value>, otherwise: ReturnType<typeof value>) =>
    sql`CASE WHEN ${returns} THEN ${then} ELSE ${otherwise} END`;
  return sql<SeenError>`
    INSERT INTO task_errors (task_id, fingerprint, end_reason, state, count, first_seen_at, last_seen_at, last_run_id)
    VALUES (${value('taskId')}, ${value('fingerprint')}, ${value('endReason')}, 'open', 1, ${value('now')}, ${value('now')}, ${value('runId')})
    ON CONFLICT (task_id, fingerprint) DO UPDATE SET
      count = task_errors.count + 1, last_seen_at = excluded.last_seen_at, last_run_id = excluded.last_run_id,
      state = ${ifReturns(sql`'open'`, sql`task_errors.state`)},
      resolved_in_version = ${ifReturns(sql`NULL`, sql`task_errors.resolved_in_version`)},
      returned_at = ${ifReturns(sql`excluded.last_seen_at`, sql`task_errors.returned_at`)},
      returned_run_id = ${ifReturns(sql`excluded.last_run_id`, sql`task_errors.returned_run_id`)},
      row_version = task_errors.row_version + ${ifReturns(sql`1`, sql`0`)}
    RETURNING id, state, count, returned_run_id`;
});

export async function countOfDay(db: Db, seen: { errorId: number; versionId: number; day: string }): Promise<void> {
  await countOfDayOf(db, seen);
}

const countOfDayOf = statement<{ errorId: number; versionId: number; day: string }>(
  (value) => sql`
    INSERT INTO task_error_counts (error_id, version_id, day, count) VALUES (${value('errorId')}, ${value('versionId')}, ${value('day')}, 1)
    ON CONFLICT (error_id, version_id, day) DO UPDATE SET count = task_error_counts.count + 1`,
);

export type ErrorFilter = {
  taskId: number | undefined;
  state: TaskError['state'] | undefined;
  versionId: number | undefined;
  version: number | undefined;
};

/** By the index on (last_seen_at, id), or that of the task or the state. */
export function selectErrorKeys(db: Db, { taskId, state, versionId, version }: ErrorFilter, reading: Reading): Promise<Position[]> {
  let query = db.selectFrom('task_errors');
  if (taskId !== undefined) query = query.where('task_id', '=', taskId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (versionId !== undefined)
    query = query.where(
      sql<boolean>`EXISTS (SELECT 1 FROM task_error_counts c WHERE c.error_id = task_errors.id AND c.version_id = ${versionId})`,
    );
  if (version !== undefined)
    query = query.where(
      sql<boolean>`EXISTS (SELECT 1 FROM task_error_counts c JOIN task_versions v ON v.id = c.version_id
        WHERE c.error_id = task_errors.id AND v.version = ${version})`,
    );
  return selectKeys(query, reading);
}

export type ShownRow = ErrorRow & { task_name: string; status: string; error_message: string | null };

/** Errors with their latest runs, in no particular order. */
export async function selectErrors(db: Db, ids: readonly number[]): Promise<ShownRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ShownRow>`
    SELECT e.*, t.name AS task_name, r.status, r.error_message
    FROM task_errors e JOIN tasks t ON t.id = e.task_id JOIN runs r ON r.id = e.last_run_id WHERE e.id IN (${sql.join(ids)})`.execute(db);
  return rows;
}

export const selectError = rowStatement<{ id: number }, Pick<ErrorRow, 'count' | 'last_seen_at' | 'last_run_id'>>(
  (value) => sql`SELECT count, last_seen_at, last_run_id FROM task_errors WHERE id = ${value('id')}`,
);

export const lockError = rowStatement<{ id: number }, ErrorRow>(
  (value, { forUpdate }) => sql`SELECT * FROM task_errors WHERE id = ${value('id')} ${forUpdate}`,
);

export const updateError = updateVersioned('task_errors');

export type VersionCount = { error_id: number; version_id: number; version: number; count: number };

/** The versions that each of these errors was seen in, newest first. */
export async function selectVersionCounts(db: Db, ids: readonly number[]): Promise<VersionCount[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<VersionCount>`
    SELECT c.error_id, c.version_id, v.version, CAST(sum(c.count) AS bigint) AS count
    FROM task_error_counts c JOIN task_versions v ON v.id = c.version_id
    WHERE c.error_id IN (${sql.join(ids)}) GROUP BY c.error_id, c.version_id, v.version ORDER BY v.version DESC`.execute(db);
  return rows;
}

export type DayCount = { error_id: number; day: string; count: number };

/** How often each of these errors was seen on each day from one on. */
export async function selectDayCounts(db: Db, ids: readonly number[], from: string): Promise<DayCount[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<DayCount>`
    SELECT error_id, day, CAST(sum(count) AS bigint) AS count FROM task_error_counts
    WHERE error_id IN (${sql.join(ids)}) AND day >= ${from} GROUP BY error_id, day ORDER BY day`.execute(db);
  return rows;
}

/** The number of a version of the task, if it has it. */
export const selectVersionNumber = rowStatement<{ taskId: number; version: number }, { version: number }>(
  (value) => sql`SELECT version FROM task_versions WHERE task_id = ${value('taskId')} AND version = ${value('version')}`,
);

/** The number of the current version of the task; null: it has none. */
export const selectCurrentNumber = rowStatement<{ taskId: number }, { version: number | null }>(
  (value) => sql`
    SELECT v.version FROM tasks t LEFT JOIN task_versions v ON v.id = t.current_version_id WHERE t.id = ${value('taskId')}`,
);

export type RunOfError = Pick<Row<'runs'>, 'id' | 'status' | 'started_at' | 'finished_at' | 'started_by'> & { version: number | null };

/** The latest runs that ended with the error, by their index. */
export async function selectRunsOf(db: Db, errorId: number, limit: number): Promise<RunOfError[]> {
  const { rows } = await sql<RunOfError>`
    SELECT r.id, v.version, r.status, r.started_at, r.finished_at, r.started_by FROM runs r LEFT JOIN task_versions v ON v.id = r.version_id
    WHERE r.error_id = ${errorId} ORDER BY r.id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * After runs were deleted: deletes the errors that have no run left, and lets another run stand for those whose latest was deleted. The
 * conditions on `last_run_id` are tested again if an end of another transaction has just counted the error.
 */
export async function forgetErrorsOf(db: Db, runIds: readonly number[]): Promise<void> {
  if (runIds.length === 0) return;
  const of = sql`last_run_id IN (${sql.join(runIds)})`;
  await sql`DELETE FROM task_errors WHERE ${of} AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.error_id = task_errors.id)`.execute(db);
  await sql`UPDATE task_errors SET last_run_id = (SELECT max(r.id) FROM runs r WHERE r.error_id = task_errors.id) WHERE ${of}`.execute(db);
}

/** Deletes the counts of days before one. */
export async function deleteOldCounts({ db }: Pick<At, 'db'>, day: string, limit: number): Promise<number> {
  const { rows } = await sql`
    DELETE FROM task_error_counts WHERE (error_id, version_id, day) IN (
      SELECT error_id, version_id, day FROM task_error_counts WHERE day < ${day} ORDER BY day LIMIT ${limit}) RETURNING day`.execute(db);
  return rows.length;
}
