import { type RawBuilder, sql } from 'kysely';
import type { Used } from '../../../contract/run-events.ts';
import type { Ctx, TaskActor } from '../../context.ts';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import { insertInto, statement, updateVersioned } from '../../db/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type RunRow = Row<'runs'>;

export function selectRun(db: Db, taskId: number, id: number): Promise<RunRow | undefined> {
  return db.selectFrom('runs').selectAll().where('id', '=', id).where('task_id', '=', taskId).executeTakeFirst();
}

export async function selectRunVersion(db: Db, taskId: number, id: number): Promise<number | null> {
  const [row] = await versionOfRun(db, { taskId, id });
  return row?.row_version ?? null;
}

const versionOfRun = statement<{ taskId: number; id: number }, { row_version: number }>(
  (value) => sql`SELECT row_version FROM runs WHERE id = ${value('id')} AND task_id = ${value('taskId')}`,
);

/** What tells why a run waits. */
export type Standing = Pick<RunRow, 'id' | 'status' | 'executor' | 'claim_id' | 'concurrency_key' | 'concurrency_limit'>;

export async function selectStanding(db: Db, taskId: number, id: number): Promise<Standing | undefined> {
  const [row] = await standingOf(db, { taskId, id });
  return row;
}

const standingOf = statement<{ taskId: number; id: number }, Standing>(
  (value) => sql`
    SELECT id, status, executor, claim_id, concurrency_key, concurrency_limit FROM runs WHERE id = ${value('id')} AND task_id = ${value('taskId')}`,
);

/** The run, held against changes by another transaction until this one ends. */
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

/** A client that drives the run has just been heard of. */
export async function noteClient(db: Db, id: number): Promise<void> {
  await noteClientOf(db, { id });
}

const noteClientOf = statement<{ id: number }>(
  (value, { nowMs }) => sql`UPDATE runs SET client_seen_ms = ${nowMs} WHERE id = ${value('id')}`,
);

/** Runs whose client was last heard of so long ago, the longest ago first. */
export async function selectAbandoned(db: Db, { nowMs }: Dialect, ms: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM runs WHERE status = 'running' AND executor = 'external' AND client_seen_ms < ${nowMs} - ${ms}
    ORDER BY client_seen_ms LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function isAbandoned({ db, dialect: { nowMs } }: Pick<Ctx, 'db' | 'dialect'>, id: number, ms: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT id FROM runs WHERE id = ${id} AND executor = 'external' AND client_seen_ms < ${nowMs} - ${ms}`.execute(db);
  return rows.length > 0;
}

/** As if every client had been heard of no longer ago than this. */
export async function graceClients(db: Db, { nowMs }: Dialect, ms: number): Promise<void> {
  await sql`UPDATE runs SET client_seen_ms = ${nowMs} - ${ms}
    WHERE status = 'running' AND executor = 'external' AND coalesce(client_seen_ms, 0) < ${nowMs} - ${ms}`.execute(db);
}

/** Newest first, by the index on (task_id, id). */
export function selectRuns(db: Db, taskId: number, limit: number): Promise<RunRow[]> {
  return db.selectFrom('runs').selectAll().where('task_id', '=', taskId).orderBy('id', 'desc').limit(limit).execute();
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

/** What the scripts of these runs may do, and those before them. */
export async function selectPermissions(db: Db, runIds: readonly number[]): Promise<{ id: number; permissions: string }[]> {
  if (runIds.length === 0) return [];
  const { rows } = await sql<{ id: number; permissions: string }>`
    SELECT r.id, coalesce(l.permissions, v.permissions) AS permissions
    FROM runs r JOIN lineages l ON l.id = r.lineage_id JOIN task_versions v ON v.id = r.version_id
    WHERE r.id IN (${sql.join(runIds)})`.execute(db);
  return rows;
}

/** The last lines of several runs, newest last: each by its index, since one statement for all would have to sort. */
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

type NewLines = { runId: number; before: number; at: string; lines: string };

/** `lines`: JSON of an array of texts; they are numbered from the one after `before` on. */
export async function insertLines(db: Db, lines: NewLines): Promise<void> {
  await insertLineRows(db, lines);
}

const insertLineRows = statement<NewLines>(
  (value, dialect) => sql`
    INSERT INTO run_events (run_id, seq, at, line)
    SELECT CAST(${value('runId')} AS bigint), CAST(${value('before')} AS bigint) + position, CAST(${value('at')} AS text), line
    FROM ${dialect.linesOf(value('lines'))}`,
);

/** True where this result was not yet kept. */
export async function keepResult(db: Db, { lineageId, runId, claimId }: TaskActor, key: string): Promise<boolean> {
  const { rows } = await sql`INSERT INTO run_results (lineage_id, key, run_id, asked_by_claim_id)
    VALUES (${lineageId}, ${key}, ${runId}, ${claimId}) ON CONFLICT DO NOTHING RETURNING key`.execute(db);
  if (rows.length > 0) return true;
  await sql`UPDATE run_results SET asked_by_claim_id = ${claimId} WHERE lineage_id = ${lineageId} AND key = ${key}`.execute(db);
  return false;
}

/** Whether this claim has ended no epoch yet. */
export async function beganInEpoch(db: Db, claimId: number, epoch: number): Promise<boolean> {
  const [claim] = await epochOfClaim(db, { claimId });
  return (claim?.epoch ?? epoch) === epoch;
}

const epochOfClaim = statement<{ claimId: number }, { epoch: number | null }>(
  (value) => sql`SELECT epoch FROM run_claims WHERE id = ${value('claimId')}`,
);

type EpochOfClaim = { lineageId: string; epoch: number; claimId: number };
/** The keys of an epoch begin with its number and a slash, which the zero follows. */
const ofEpoch = (column: string, prefix: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} >= ${`${prefix}/`} AND ${sql.ref(column)} < ${`${prefix}0`}`;

/** Of an earlier attempt, in this epoch, and not asked for again by this claim: what took effect, or may have. */
export async function selectUnaskedWrite(
  db: Db,
  { lineageId, epoch, claimId }: EpochOfClaim,
): Promise<{ method: string; path: string; body: string | null } | undefined> {
  const here = sql`lineage_id = ${lineageId} AND epoch = ${epoch} AND is_write = 1`;
  const { rows } = await sql<{ method: string; path: string; body: string | null }>`
    SELECT method, path, body FROM journal WHERE ${here} AND status < 400 AND abs(asked_by_claim_id) <> ${claimId}
    UNION ALL
    SELECT method, path, body FROM started_calls WHERE ${here} AND claim_id <> ${claimId}
    LIMIT 1`.execute(db);
  return rows[0];
}

/** The same of what changes nothing in the shop: questions, sleeps and results. */
export async function hasUnaskedWait(db: Db, { lineageId, epoch, claimId }: EpochOfClaim): Promise<boolean> {
  const left = sql`lineage_id = ${lineageId} AND asked_by_claim_id <> ${claimId}`;
  const { rows } = await sql`
    SELECT 1 AS found FROM run_prompts WHERE ${left} AND ${ofEpoch('key', String(epoch))}
    UNION ALL SELECT 1 FROM lineage_memory WHERE ${left} AND ${ofEpoch('name', `sleep/${epoch}`)}
    UNION ALL SELECT 1 FROM run_results WHERE ${left} AND ${ofEpoch('key', String(epoch))}
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

export async function insertLineage(db: Db, row: NewRow<'lineages'>): Promise<void> {
  await insertLineageRow(db, row);
}

const insertLineageRow = insertInto('lineages');

export async function lockLineage(db: Db, id: string): Promise<Row<'lineages'> | undefined> {
  const [row] = await lockedLineage(db, { id });
  return row;
}

const lockedLineage = statement<{ id: string }, Row<'lineages'>>(
  (value, dialect) => sql`SELECT * FROM lineages WHERE id = ${value('id')} ${dialect.forUpdate}`,
);

export async function beginEpoch(db: Db, id: string, epoch: number, at: string): Promise<void> {
  await db.updateTable('lineages').set({ epoch, epoch_started_at: at, journal_bytes: 0 }).where('id', '=', id).execute();
}

export async function deleteJournal(db: Db, lineageId: string, epoch: number): Promise<void> {
  for (const table of ['journal', 'started_calls'] as const)
    await db.deleteFrom(table).where('lineage_id', '=', lineageId).where('epoch', '=', epoch).execute();
}

export async function resetJournalBytes(db: Db, lineageId: string): Promise<void> {
  await db.updateTable('lineages').set({ journal_bytes: 0 }).where('id', '=', lineageId).execute();
}

export async function updatePermissions(db: Db, lineageId: string, permissions: string): Promise<void> {
  await db.updateTable('lineages').set({ permissions }).where('id', '=', lineageId).execute();
}

/** What is bounded for each run of a lineage that a person opens: its host calls, and what a dry run may carry out again. */
export async function resetRunBudgets(db: Db, lineageId: string): Promise<void> {
  await db.updateTable('lineages').set({ carried_out_again: 0, host_calls: 0 }).where('id', '=', lineageId).execute();
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

/** Runs of a task that somebody works on, a runner or a client, by concurrency key. */
export async function countBusy(db: Db, taskId: number): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ concurrency_key: string | null; n: number }>`
    SELECT concurrency_key, count(*) AS n FROM runs
    WHERE status = 'running' AND (claim_id IS NOT NULL OR executor = 'external') AND task_id = ${taskId} GROUP BY concurrency_key`.execute(
    db,
  );
  return new Map(rows.map(({ concurrency_key, n }) => [concurrency_key, n]));
}

export async function endClaim(db: Db, claimId: number, at: string): Promise<boolean> {
  return (await endOpenClaim(db, { claimId, at })).length > 0;
}

const endOpenClaim = statement<{ claimId: number; at: string }>(
  (value) => sql`UPDATE run_claims SET ended_at = ${value('at')} WHERE id = ${value('claimId')} AND ended_at IS NULL RETURNING id`,
);

export async function isClaimEnded(db: Db, claimId: number): Promise<boolean> {
  const row = await db.selectFrom('run_claims').select('ended_at').where('id', '=', claimId).executeTakeFirst();
  return row?.ended_at != null;
}

export async function selectClaimId(db: Db, runId: number): Promise<number | null> {
  const row = await db.selectFrom('runs').select('claim_id').where('id', '=', runId).executeTakeFirst();
  return row?.claim_id ?? null;
}

/** Nothing of the claim's token commits until this transaction ends. */
export async function holdClaimRow({ db, dialect }: Pick<Ctx, 'db' | 'dialect'>, claimId: number): Promise<void> {
  await sql`SELECT id FROM run_claims WHERE id = ${claimId} ${dialect.forUpdate}`.execute(db);
}

/** Keeps the lease by the database's clock, and what the runner says that the run has used: it never becomes less. */
export async function renewClaim(db: Db, claimId: number, leaseMs: number, used: Used): Promise<void> {
  await renewClaimRow(db, { claimId, leaseMs, ...used });
}

const renewClaimRow = statement<{ claimId: number; leaseMs: number } & Used>((value, dialect) => {
  const most = (name: 'cpu_ms' | 'wall_ms' | 'host_calls') => {
    const [column, told] = [sql.ref(name), sql`CAST(${value(name)} AS bigint)`];
    return sql`${column} = CASE WHEN ${told} > ${column} THEN ${told} ELSE ${column} END`;
  };
  return sql`UPDATE run_claims SET confirmed = 1, lease_until = ${dialect.nowMs} + ${value('leaseMs')},
    ${most('cpu_ms')}, ${most('wall_ms')}, ${most('host_calls')} WHERE id = ${value('claimId')}`;
});

export async function selectMemory(db: Db, lineageId: string, name: string): Promise<Row<'lineage_memory'> | undefined> {
  return db.selectFrom('lineage_memory').selectAll().where('lineage_id', '=', lineageId).where('name', '=', name).executeTakeFirst();
}

/** These calls, by their keys in the epoch, are answered for in this claim, which does not make them. */
export async function markCallsAsked(
  { db, dialect }: Pick<Ctx, 'db' | 'dialect'>,
  { lineageId, epoch, claimId }: EpochOfClaim,
  keys: readonly string[],
): Promise<void> {
  const those = (list: readonly string[]): RawBuilder<unknown> => sql`(SELECT line FROM ${dialect.linesOf(sql`${JSON.stringify(list)}`)})`;
  await sql`UPDATE journal SET asked_by_claim_id = ${-claimId}
    WHERE lineage_id = ${lineageId} AND epoch = ${epoch} AND key IN ${those(keys)}`.execute(db);
  await sql`UPDATE run_prompts SET asked_by_claim_id = ${claimId}
    WHERE lineage_id = ${lineageId} AND key IN ${those(keys.map((key) => `${epoch}/${key}`))}`.execute(db);
}

/** What is kept is asked for by another claim than before. */
export async function markMemoryAsked(db: Db, lineageId: string, name: string, claimId: number): Promise<void> {
  await db
    .updateTable('lineage_memory')
    .set({ asked_by_claim_id: claimId })
    .where('lineage_id', '=', lineageId)
    .where('name', '=', name)
    .execute();
}

/** Counts so many bytes more; all of the lineage's. */
export async function countMemory(db: Db, lineageId: string, bytes: number): Promise<number> {
  const { rows } = await sql<{ memory_bytes: number }>`
    UPDATE lineages SET memory_bytes = memory_bytes + ${bytes} WHERE id = ${lineageId} RETURNING memory_bytes`.execute(db);
  return rows[0]?.memory_bytes ?? 0;
}

export async function insertMemory(db: Db, row: NewRow<'lineage_memory'> & { claim_id: number; made: string | null }): Promise<void> {
  await sql`INSERT INTO lineage_memory (lineage_id, name, value, claim_id, asked_by_claim_id, made)
    VALUES (${row.lineage_id}, ${row.name}, ${row.value}, ${row.claim_id}, ${row.claim_id}, ${row.made}) ON CONFLICT DO NOTHING`.execute(
    db,
  );
}

/** When a runner was last seen, in milliseconds before now; null: never. */
export async function selectRunnerAge(db: Db, dialect: Dialect): Promise<number | null> {
  const { rows } = await sql<{ age: number | null }>`SELECT ${dialect.nowMs} - max(last_seen) AS age FROM runners`.execute(db);
  return rows[0]?.age ?? null;
}

/** The results that earlier runs of the lineage have told: a run that goes on with it does not tell them again, nor does its replay. */
export async function copyResults(
  db: Db,
  { from, toLineageId, toRunId }: { from: Pick<RunRow, 'id' | 'lineage_id'>; toLineageId: string; toRunId: number },
): Promise<void> {
  await sql`INSERT INTO run_results (lineage_id, key, run_id)
    SELECT CAST(${toLineageId} AS text), key, CAST(${toRunId} AS bigint) FROM run_results
    WHERE lineage_id = ${from.lineage_id} AND run_id < ${from.id}`.execute(db);
}

/** Whether a runner works on anything: one with no slot free asks for nothing. */
export async function hasClaimInForce(db: Db, dialect: Dialect): Promise<boolean> {
  const { rows } = await sql`SELECT 1 AS held FROM run_claims WHERE ended_at IS NULL AND lease_until > ${dialect.nowMs} LIMIT 1`.execute(
    db,
  );
  return rows.length > 0;
}
