import { sql } from 'kysely';
import type { At, Db } from '../../../db/open.ts';
import { insertInto, rowStatement, statement, updateVersioned } from '../../../db/queries/statement.ts';
import type { NewRow, Row } from '../../../db/tables.ts';

export type RunRow = Row<'runs'>;

export function selectRun(db: Db, taskId: number, id: number): Promise<RunRow | undefined> {
  return db.selectFrom('runs').selectAll().where('id', '=', id).where('task_id', '=', taskId).executeTakeFirst();
}

/** Who wrote the version. */
export async function selectAuthor(db: Db, versionId: number): Promise<number | null> {
  const row = await db.selectFrom('task_versions').select('created_by').where('id', '=', versionId).executeTakeFirst();
  return row?.created_by ?? null;
}

export async function selectRunVersion(db: Db, taskId: number, id: number): Promise<number | null> {
  const [row] = await versionOfRun(db, { taskId, id });
  return row?.row_version ?? null;
}

const versionOfRun = statement<{ taskId: number; id: number }, { row_version: number }>(
  (value) => sql`SELECT row_version FROM runs WHERE id = ${value('id')} AND task_id = ${value('taskId')}`,
);

/** The columns that decide why a run waits. */
export type Standing = Pick<
  RunRow,
  'id' | 'task_id' | 'status' | 'executor' | 'claim_id' | 'claimed_by' | 'concurrency_key' | 'concurrency_limit' | 'retry_due_ms'
>;

/** `task_name`: a run shows its task's name, which may change. */
export const selectStanding = rowStatement<{ taskId: number; id: number }, Standing & { task_name: string }>(
  (value) => sql`
    SELECT r.id, r.task_id, r.status, r.executor, r.claim_id, r.claimed_by, r.concurrency_key, r.concurrency_limit, r.retry_due_ms,
      t.name AS task_name
    FROM runs r JOIN tasks t ON t.id = r.task_id WHERE r.id = ${value('id')} AND r.task_id = ${value('taskId')}`,
);

export async function lockRun(db: Db, id: number): Promise<RunRow | undefined> {
  const [row] = await lockedRun(db, { id });
  return row;
}

const lockedRun = statement<{ id: number }, RunRow>(
  (value, dialect) => sql`SELECT * FROM runs WHERE id = ${value('id')} ${dialect.forUpdate}`,
);

export async function insertRun(db: Db, row: NewRow<'runs'>): Promise<number> {
  const [made] = await insertRunRow(db, row);
  if (!made) throw new Error('a run was not inserted');
  return made.id;
}

const insertRunRow = insertInto('runs', sql<{ id: number }>`id`);

export type RunChanges = Partial<Omit<RunRow, 'id' | 'row_version'>>;

export async function updateRun(db: Db, id: number, changes: RunChanges): Promise<void> {
  await updateRunRow(db, id, { ...changes });
}

const updateRunRow = updateVersioned('runs');

/** Stores that the client which drives the run was heard of now. */
export async function noteClient(db: Db, id: number): Promise<void> {
  await noteClientOf(db, { id });
}

const noteClientOf = statement<{ id: number }>(
  (value, { nowMs }) => sql`UPDATE runs SET client_seen_ms = ${nowMs} WHERE id = ${value('id')}`,
);

/** Lets the run's next attempt begin after this time by the database's clock. */
export async function setRetryDue(db: Db, id: number, delayMs: number): Promise<void> {
  await setRetryDueOf(db, { id, delayMs });
}

const setRetryDueOf = statement<{ id: number; delayMs: number }>(
  (value, { nowMs }) => sql`UPDATE runs SET retry_due_ms = ${nowMs} + ${value('delayMs')} WHERE id = ${value('id')}`,
);

export async function isRetryDue({ db, dialect: { nowMs } }: At): Promise<boolean> {
  const { rows } = await sql`SELECT 1 AS due FROM runs WHERE retry_due_ms <= ${nowMs} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Takes their ended claims from the runs whose next attempt is due, longest due first, so that runners are offered them. */
export async function offerDue({ db, dialect: { nowMs, skipLocked } }: At, limit: number): Promise<void> {
  await sql`UPDATE runs SET claim_id = NULL, retry_due_ms = NULL, row_version = row_version + 1
    WHERE id IN (SELECT id FROM runs WHERE retry_due_ms <= ${nowMs} ORDER BY retry_due_ms LIMIT ${limit} ${skipLocked})`.execute(db);
}

/** Open runs that no runner has taken in time, longest due first. */
export async function selectExpired({ db, dialect: { nowMs } }: At, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM runs WHERE status = 'running' AND start_by_ms <= ${nowMs} AND claim_id IS NULL ORDER BY start_by_ms LIMIT ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Running runs whose client was last heard of more than `ms` ago, longest silence first. */
export async function selectAbandoned({ db, dialect: { nowMs } }: At, ms: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM runs WHERE status = 'running' AND executor = 'external' AND client_seen_ms < ${nowMs} - ${ms}
    ORDER BY client_seen_ms LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function isAbandoned({ db, dialect: { nowMs } }: At, id: number, ms: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT id FROM runs WHERE id = ${id} AND executor = 'external' AND client_seen_ms < ${nowMs} - ${ms}`.execute(db);
  return rows.length > 0;
}

/** Sets the time at which each client was last heard of to at most `ms` ago. */
export async function extendClients({ db, dialect: { nowMs } }: At, ms: number): Promise<void> {
  await sql`UPDATE runs SET client_seen_ms = ${nowMs} - ${ms}
    WHERE status = 'running' AND executor = 'external' AND coalesce(client_seen_ms, 0) < ${nowMs} - ${ms}`.execute(db);
}

/** Newest first, by the index on (task_id, id). */
export function selectRuns(db: Db, taskId: number, limit: number, beforeId?: number): Promise<RunRow[]> {
  const runs = db.selectFrom('runs').selectAll().where('task_id', '=', taskId).orderBy('id', 'desc').limit(limit);
  return (beforeId === undefined ? runs : runs.where('id', '<', beforeId)).execute();
}

export function selectOpenRunIds(db: Db, taskId: number, versionId?: number): Promise<{ id: number }[]> {
  const open = db.selectFrom('runs').select('id').where('task_id', '=', taskId).where('status', '=', 'running').orderBy('id');
  return (versionId === undefined ? open : open.where('version_id', '=', versionId)).execute();
}

export function selectLines(db: Db, runId: number, after: number, limit: number): Promise<{ seq: number; line: string }[]> {
  return linesAfter(db, { runId, after, limit });
}

const linesAfter = statement<{ runId: number; after: number; limit: number }, { seq: number; line: string }>(
  (value) => sql`
    SELECT seq, line FROM run_events WHERE run_id = ${value('runId')} AND seq > ${value('after')} ORDER BY seq LIMIT ${value('limit')}`,
);

type Progress = Pick<RunRow, 'id' | 'status' | 'log_lines' | 'details_number'>;

/** How far the runs are; those that were deleted are missing. */
export async function selectProgress(db: Db, ids: readonly number[]): Promise<Map<number, Progress>> {
  if (ids.length === 0) return new Map();
  const rows = await progressOf(db, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}

const progressOf = statement<{ ids: string }, Progress>(
  (value, dialect) => sql`
    SELECT id, status, log_lines, details_number FROM runs WHERE id IN (SELECT CAST(line AS bigint) FROM ${dialect.linesOf(value('ids'))})`,
);

/** `of_state`: the permissions of the runs that wrote the task's state, if a run of the lineage has used the state; else null. */
export type PermissionsRow = { id: number; permissions: string; hides_people: number; of_state: string | null };

/** The permissions of each run's script and of the scripts of the runs that it continues, as JSON. */
export async function selectPermissions(db: Db, runIds: readonly number[]): Promise<PermissionsRow[]> {
  if (runIds.length === 0) return [];
  return permissionsOf(db, { ids: JSON.stringify(runIds) });
}

const permissionsOf = statement<{ ids: string }, PermissionsRow>(
  (value, dialect) => sql`
    SELECT r.id, coalesce(l.permissions, v.permissions) AS permissions, r.hides_people, (
      SELECT m.permissions FROM task_state_marks m WHERE m.task_id = r.task_id AND EXISTS (
        SELECT 1 FROM runs o JOIN run_permissions p ON p.run_id = o.id WHERE o.lineage_id = r.lineage_id AND p.permission = 'task_state'
      )
    ) AS of_state
    FROM runs r JOIN lineages l ON l.id = r.lineage_id JOIN task_versions v ON v.id = r.version_id
    WHERE r.id IN (SELECT CAST(line AS bigint) FROM ${dialect.linesOf(value('ids'))})`,
);

/** The last lines of several runs, oldest first. One query for each run uses the index; one query for all of them would have to sort. */
export async function selectTails(
  db: Db,
  runs: readonly { id: number; log_lines: number }[],
  lines: number,
): Promise<Map<number, string[]>> {
  const tails = new Map<number, string[]>();
  for (const { id, log_lines } of runs) {
    if (log_lines > 0)
      tails.set(
        id,
        (await selectLines(db, id, log_lines - lines, lines)).map(({ line }) => line),
      );
  }
  return tails;
}

export function selectEffects(db: Db, runId: number, after: number, limit: number): Promise<Row<'run_effects'>[]> {
  return db.selectFrom('run_effects').selectAll().where('run_id', '=', runId).where('id', '>', after).orderBy('id').limit(limit).execute();
}

/** The first effects whose changes take so many bytes together, but at least one; `isComplete`: the run has no others. */
export async function selectFirstEffects(
  db: Db,
  runId: number,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<{ effects: Row<'run_effects'>[]; isComplete: boolean }> {
  const { rows } = await sql<{ id: number; total: number }>`
    SELECT id, CAST(sum(octet_length(changes)) OVER (ORDER BY id) AS bigint) AS total
    FROM run_effects WHERE run_id = ${runId} ORDER BY id LIMIT ${limit + 1}`.execute(db);
  const within = rows.filter(({ total }, n) => n < limit && (n === 0 || total <= bytes));
  const effects = await db
    .selectFrom('run_effects')
    .selectAll()
    .where('run_id', '=', runId)
    .where('id', '<=', within.at(-1)?.id ?? 0)
    .orderBy('id')
    .execute();
  return { effects, isComplete: within.length === rows.length };
}

export async function countRunning(db: Db, taskId: number, key: string | null): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM runs WHERE status = 'running' AND task_id = ${taskId}
      AND ${key === null ? sql`concurrency_key IS NULL` : sql`concurrency_key = ${key}`}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function selectDetails(db: Db, runId: number): Promise<string | null> {
  const [row] = await detailsOf(db, { runId });
  return row?.markdown ?? null;
}

const detailsOf = statement<{ runId: number }, { markdown: string }>(
  (value) => sql`SELECT markdown FROM run_details WHERE run_id = ${value('runId')}`,
);

/** Stores the Markdown that a run shows; null: it shows none any more. */
export async function storeDetails(db: Db, runId: number, markdown: string | null): Promise<void> {
  if (markdown === null) await db.deleteFrom('run_details').where('run_id', '=', runId).execute();
  else await keepDetails(db, { runId, markdown });
}

const keepDetails = statement<{ runId: number; markdown: string }>(
  (value) => sql`
    INSERT INTO run_details (run_id, markdown) VALUES (${value('runId')}, ${value('markdown')})
    ON CONFLICT (run_id) DO UPDATE SET markdown = excluded.markdown`,
);

/** Milliseconds since any runner was last seen; null if none ever was. */
export async function selectRunnerAge(db: Db): Promise<number | null> {
  const [row] = await runnerAge(db, {});
  return row?.age ?? null;
}

const runnerAge = statement<object, { age: number | null }>((_, { nowMs }) => sql`SELECT ${nowMs} - max(last_seen) AS age FROM runners`);

export async function selectEnded(db: Db, before: string, limit: number): Promise<number[]> {
  const rows = await db.selectFrom('runs').select('id').where('finished_at', '<', before).orderBy('finished_at').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** All runs of these tasks. */
export async function selectOfTasks(db: Db, taskIds: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('runs').select('id').where('task_id', 'in', taskIds).execute();
  return rows.map(({ id }) => id);
}

/** Deletes runs with their logs, effects, claims and permissions; returns the ids of their lineages and versions. */
export async function deleteRuns(db: Db, ids: readonly number[]): Promise<{ lineageIds: string[]; versionIds: number[] }> {
  for (const table of [
    'run_events',
    'run_details',
    'run_figures',
    'run_checkpoints',
    'run_effects',
    'run_claims',
    'run_permissions',
  ] as const)
    await db.deleteFrom(table).where('run_id', 'in', ids).execute();
  const rows = await db.deleteFrom('runs').where('id', 'in', ids).returning(['lineage_id', 'version_id']).execute();
  return {
    lineageIds: [...new Set(rows.map(({ lineage_id }) => lineage_id))],
    versionIds: [...new Set(rows.map(({ version_id }) => version_id))],
  };
}
