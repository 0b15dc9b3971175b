import { sql } from 'kysely';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type RunRow = Row<'runs'>;

export function selectRun(db: Db, taskId: number, id: number): Promise<RunRow | undefined> {
  return db.selectFrom('runs').selectAll().where('id', '=', id).where('task_id', '=', taskId).executeTakeFirst();
}

export async function selectRunVersion(db: Db, taskId: number, id: number): Promise<number | null> {
  const { rows } = await sql<{ row_version: number }>`SELECT row_version FROM runs WHERE id = ${id} AND task_id = ${taskId}`.execute(db);
  return rows[0]?.row_version ?? null;
}

/** The run, held against changes by another transaction until this one ends. */
export async function lockRun(db: Db, dialect: Dialect, id: number): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`SELECT * FROM runs WHERE id = ${id} ${dialect.forUpdate}`.execute(db);
  return rows[0];
}

export async function insertRun(db: Db, row: NewRow<'runs'>): Promise<number> {
  const { id } = await db.insertInto('runs').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateRun(db: Db, id: number, changes: Partial<NewRow<'runs'>>): Promise<void> {
  await db
    .updateTable('runs')
    .set((eb) => ({ ...changes, row_version: eb('row_version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Newest first, by the index on (task_id, id). */
export function selectRuns(db: Db, taskId: number, limit: number): Promise<RunRow[]> {
  return db.selectFrom('runs').selectAll().where('task_id', '=', taskId).orderBy('id', 'desc').limit(limit).execute();
}

export function selectOpenRunIds(db: Db, taskId: number): Promise<{ id: number }[]> {
  return db.selectFrom('runs').select('id').where('task_id', '=', taskId).where('status', '=', 'running').orderBy('id').execute();
}

export async function selectLines(db: Db, runId: number, after: number, limit: number): Promise<{ seq: number; line: string }[]> {
  const { rows } = await sql<{ seq: number; line: string }>`
    SELECT seq, line FROM run_events WHERE run_id = ${runId} AND seq > ${after} ORDER BY seq LIMIT ${limit}`.execute(db);
  return rows;
}

/** The last lines of several runs at once, newest last. */
export async function selectTails(db: Db, runs: readonly { id: number; log_lines: number }[], lines: number): Promise<Map<number, string[]>> {
  const tails = new Map<number, string[]>();
  if (runs.length === 0) return tails;
  const rows = await db
    .selectFrom('run_events')
    .select(['run_id', 'line'])
    .where((eb) => eb.or(runs.map((run) => eb.and([eb('run_id', '=', run.id), eb('seq', '>', run.log_lines - lines)]))))
    .orderBy('run_id')
    .orderBy('seq')
    .execute();
  for (const { run_id, line } of rows) tails.set(run_id, [...(tails.get(run_id) ?? []), line]);
  return tails;
}

export async function insertLines(db: Db, rows: NewRow<'run_events'>[]): Promise<void> {
  await db.insertInto('run_events').values(rows).execute();
}

/** True where this result was not yet kept. */
export async function keepResult(db: Db, lineageId: string, key: string): Promise<boolean> {
  const { rows } = await sql`INSERT INTO run_results (lineage_id, key) VALUES (${lineageId}, ${key}) ON CONFLICT DO NOTHING RETURNING key`.execute(db);
  return rows.length > 0;
}

export async function insertLineage(db: Db, row: NewRow<'lineages'>): Promise<void> {
  await db.insertInto('lineages').values(row).execute();
}

export async function lockLineage(db: Db, dialect: Dialect, id: string): Promise<Row<'lineages'> | undefined> {
  const { rows } = await sql<Row<'lineages'>>`SELECT * FROM lineages WHERE id = ${id} ${dialect.forUpdate}`.execute(db);
  return rows[0];
}

export async function beginEpoch(db: Db, id: string, epoch: number, at: string): Promise<void> {
  await db.updateTable('lineages').set({ epoch, epoch_started_at: at, journal_bytes: 0 }).where('id', '=', id).execute();
}

export async function deleteJournal(db: Db, lineageId: string, epoch: number): Promise<void> {
  await db.deleteFrom('journal').where('lineage_id', '=', lineageId).where('epoch', '=', epoch).execute();
}

export async function resetJournalBytes(db: Db, lineageId: string): Promise<void> {
  await db.updateTable('lineages').set({ journal_bytes: 0 }).where('id', '=', lineageId).execute();
}

export function selectEffects(db: Db, runId: number, after: number, limit: number): Promise<Row<'run_effects'>[]> {
  return db.selectFrom('run_effects').selectAll().where('run_id', '=', runId).where('id', '>', after).orderBy('id').limit(limit).execute();
}

export async function countRunning(db: Db, taskId: number, key: string | null): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM runs WHERE status = 'running' AND task_id = ${taskId}
      AND ${key === null ? sql`concurrency_key IS NULL` : sql`concurrency_key = ${key}`}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Runs of a task that a runner works on, by concurrency key. */
export async function countClaimed(db: Db, taskId: number): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ concurrency_key: string | null; n: number }>`
    SELECT concurrency_key, count(*) AS n FROM runs
    WHERE status = 'running' AND claim_id IS NOT NULL AND task_id = ${taskId} GROUP BY concurrency_key`.execute(db);
  return new Map(rows.map(({ concurrency_key, n }) => [concurrency_key, n]));
}

export async function endClaim(db: Db, claimId: number, at: string): Promise<boolean> {
  const { rows } = await sql`UPDATE run_claims SET ended_at = ${at} WHERE id = ${claimId} AND ended_at IS NULL RETURNING id`.execute(db);
  return rows.length > 0;
}

/** Keeps the lease by the database's clock. */
export async function renewClaim(db: Db, dialect: Dialect, claimId: number, leaseMs: number): Promise<void> {
  await sql`UPDATE run_claims SET confirmed = 1, lease_until = ${dialect.nowMs} + ${leaseMs} WHERE id = ${claimId}`.execute(db);
}

export async function selectMemory(db: Db, lineageId: string, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('lineage_memory').select('value').where('lineage_id', '=', lineageId).where('name', '=', name).executeTakeFirst();
  return row?.value;
}

export async function insertMemory(db: Db, lineageId: string, name: string, value: string): Promise<void> {
  await sql`INSERT INTO lineage_memory (lineage_id, name, value) VALUES (${lineageId}, ${name}, ${value}) ON CONFLICT DO NOTHING`.execute(db);
}

/** When a runner was last seen, in milliseconds before now; null: never. */
export async function selectRunnerAge(db: Db, dialect: Dialect): Promise<number | null> {
  const { rows } = await sql<{ age: number | null }>`SELECT ${dialect.nowMs} - max(last_seen) AS age FROM runners`.execute(db);
  return rows[0]?.age ?? null;
}
