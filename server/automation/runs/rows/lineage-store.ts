import { type RawBuilder, sql } from 'kysely';
import type { At, Db } from '../../../db/open.ts';
import { PASSED, PASSING, WAITED_SINCE } from '../../../db/queries/passing.ts';
import { insertInto, statement } from '../../../db/queries/statement.ts';
import type { NewRow, Row } from '../../../db/tables.ts';
import type { TaskActor } from '../../../verbs/context.ts';

/** Stores a result; returns false if the lineage has it already. */
export async function keepResult(db: Db, { lineageId, runId, claimId }: TaskActor, key: string): Promise<boolean> {
  const { rows } = await sql`INSERT INTO run_results (lineage_id, key, run_id, asked_by_claim_id)
    VALUES (${lineageId}, ${key}, ${runId}, ${claimId}) ON CONFLICT DO NOTHING RETURNING key`.execute(db);
  if (rows.length > 0) return true;
  await sql`UPDATE run_results SET asked_by_claim_id = ${claimId} WHERE lineage_id = ${lineageId} AND key = ${key}`.execute(db);
  return false;
}

type EpochOfClaim = { lineageId: string; epoch: number; claimId: number };
/** Selects the keys of one epoch, which begin with `<epoch>/`, as a range that an index can serve: `0` is the character after `/`. */
const ofEpoch = (column: string, prefix: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} >= ${`${prefix}/`} AND ${sql.ref(column)} < ${`${prefix}0`}`;

/** Finds a write of an earlier attempt in this epoch that took effect, or may have, and that this claim has not asked for again. */
export async function selectUnaskedWrite(
  db: Db,
  { lineageId, epoch, claimId }: EpochOfClaim,
): Promise<{ method: string; path: string; body: string | null } | undefined> {
  const here = sql`lineage_id = ${lineageId} AND epoch = ${epoch} AND is_write = 1`;
  const { rows } = await sql<{ method: string; path: string; body: string | null }>`
    SELECT method, path, body FROM journal WHERE ${here} AND (status < 400 OR sent = 1) AND abs(asked_by_claim_id) <> ${claimId}
    UNION ALL
    SELECT method, path, body FROM started_calls WHERE ${here} AND claim_id <> ${claimId}
    LIMIT 1`.execute(db);
  return rows[0];
}

/** Whether an earlier attempt asked a question, slept or stored a result in this epoch that this claim has not asked for again. */
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

/** Notes that an epoch begins while these waits are open. */
export const keepWaitsOpen = statement<{ lineageId: string; epoch: number }>(
  (value) => sql`
    UPDATE run_prompts SET open_in = ${value('epoch')}
    WHERE lineage_id = ${value('lineageId')} AND awaits IS NOT NULL AND answered_at IS NULL`,
);

export async function deleteJournal(db: Db, lineageId: string, epoch: number): Promise<void> {
  for (const table of ['journal', 'started_calls', 'answer_orders'] as const)
    await db.deleteFrom(table).where('lineage_id', '=', lineageId).where('epoch', '=', epoch).execute();
}

/** The script has ended its attempt: the next one makes the calls anew whose refusals may be different by then. */
export async function settlePassing(db: Db, lineageId: string): Promise<void> {
  await sql`UPDATE journal SET passing = ${PASSED}
    WHERE lineage_id = ${lineageId} AND epoch = (SELECT epoch FROM lineages WHERE id = ${lineageId})
      AND passing IN (${PASSING}, ${WAITED_SINCE})`.execute(db);
}

/** The script waits: when it goes on, it comes by its calls once more, and gets their refusals again. */
export const keepPassing = statement<{ lineageId: string }>(
  (value) => sql`
    UPDATE journal SET passing = ${sql.lit(WAITED_SINCE)}
    WHERE lineage_id = ${value('lineageId')} AND epoch = (SELECT epoch FROM lineages WHERE id = ${value('lineageId')})
      AND passing = ${sql.lit(PASSING)}`,
);

/** The calls behind the lineage's stored values are no longer known. */
export async function forgetHowMade(db: Db, lineageId: string): Promise<void> {
  await db.updateTable('lineage_memory').set({ made: null }).where('lineage_id', '=', lineageId).execute();
}

export async function resetJournalBytes(db: Db, lineageId: string): Promise<void> {
  await db.updateTable('lineages').set({ journal_bytes: 0 }).where('id', '=', lineageId).execute();
}

export async function updatePermissions(db: Db, lineageId: string, permissions: string): Promise<void> {
  await db.updateTable('lineages').set({ permissions }).where('id', '=', lineageId).execute();
}

/** Resets the budgets that count for each run that a person opens: host calls, and the records that a dry run changes again. */
export async function resetRunBudgets(db: Db, lineageId: string): Promise<void> {
  await db.updateTable('lineages').set({ carried_out_again: 0, host_calls: 0 }).where('id', '=', lineageId).execute();
}

export async function resetHostCalls(db: Db, lineageId: string): Promise<void> {
  await db.updateTable('lineages').set({ host_calls: 0 }).where('id', '=', lineageId).execute();
}

/** Whether a write of the epoch took effect, or may have. */
export async function hasWritten(db: Db, lineageId: string, epoch: number): Promise<boolean> {
  const here = sql`lineage_id = ${lineageId} AND epoch = ${epoch} AND is_write = 1`;
  const { rows } = await sql`
    SELECT 1 AS written FROM journal WHERE ${here} AND (status < 400 OR sent = 1)
    UNION ALL SELECT 1 FROM started_calls WHERE ${here} LIMIT 1`.execute(db);
  return rows.length > 0;
}

export async function selectMemory(db: Db, lineageId: string, name: string): Promise<Row<'lineage_memory'> | undefined> {
  return db.selectFrom('lineage_memory').selectAll().where('lineage_id', '=', lineageId).where('name', '=', name).executeTakeFirst();
}

/**
 * Marks these calls of the epoch (by their keys) as asked for by this claim, although it does not make them. The negative
 * claim id in the journal tells such calls from calls that were made.
 */
export async function markCallsAsked(
  { db, dialect }: At,
  { lineageId, epoch, claimId }: EpochOfClaim,
  keys: readonly string[],
): Promise<void> {
  const those = (list: readonly string[]): RawBuilder<unknown> => sql`(SELECT line FROM ${dialect.linesOf(sql`${JSON.stringify(list)}`)})`;
  await sql`UPDATE journal SET asked_by_claim_id = ${-claimId}
    WHERE lineage_id = ${lineageId} AND epoch = ${epoch} AND key IN ${those(keys)}`.execute(db);
  await sql`UPDATE run_prompts SET asked_by_claim_id = ${claimId}
    WHERE lineage_id = ${lineageId} AND key IN ${those(keys.map((key) => `${epoch}/${key}`))}`.execute(db);
}

/** Stores which claim has asked for this value last. */
export async function markMemoryAsked(db: Db, lineageId: string, name: string, claimId: number): Promise<void> {
  await db
    .updateTable('lineage_memory')
    .set({ asked_by_claim_id: claimId })
    .where('lineage_id', '=', lineageId)
    .where('name', '=', name)
    .execute();
}

/** Adds to the lineage's stored bytes and returns the new total. */
export async function countMemory(db: Db, lineageId: string, bytes: number): Promise<number> {
  const { rows } = await sql<{ memory_bytes: number }>`
    UPDATE lineages SET memory_bytes = memory_bytes + ${bytes} WHERE id = ${lineageId} RETURNING memory_bytes`.execute(db);
  return rows[0]?.memory_bytes ?? 0;
}

export async function insertMemory(db: Db, row: NewRow<'lineage_memory'> & { claim_id: number; made: string | null }): Promise<void> {
  await sql`INSERT INTO lineage_memory (lineage_id, name, value, claim_id, asked_by_claim_id, made, epoch)
    VALUES (${row.lineage_id}, ${row.name}, ${row.value}, ${row.claim_id}, ${row.claim_id}, ${row.made},
      (SELECT epoch FROM lineages WHERE id = ${row.lineage_id})) ON CONFLICT DO NOTHING`.execute(db);
}

export type Asking = Pick<Row<'run_prompts'>, 'asked_by_run_id' | 'awaits_run_id' | 'awaits' | 'due_ms'>;

/** What these runs wait for and have not got: answers of people, ends of runs that they have started, events and times. */
export async function selectAsking(db: Db, runIds: readonly number[]): Promise<Asking[]> {
  if (runIds.length === 0) return [];
  return db
    .selectFrom('run_prompts')
    .select(['asked_by_run_id', 'awaits_run_id', 'awaits', 'due_ms'])
    .where('asked_by_run_id', 'in', runIds)
    .where('answered_at', 'is', null)
    .execute();
}

/** The open waits for the end of this run, the oldest first. */
export function selectAwaiting(db: Db, runId: number): Promise<Awaiting[]> {
  return awaiting(db, { runId });
}

type Awaiting = Pick<Row<'run_prompts'>, 'id' | 'asked_by_run_id'>;
const awaiting = statement<{ runId: number }, Awaiting>(
  (value) => sql`SELECT id, asked_by_run_id FROM run_prompts WHERE awaits_run_id = ${value('runId')} AND answered_at IS NULL ORDER BY id`,
);

export async function keepOutcome(db: Db, id: number, outcome: { answers: string; answered_at: string; answered_claim_id: number | null }) {
  await db.updateTable('run_prompts').set(outcome).where('id', '=', id).execute();
}

/** Those of these questions that this run has asked itself. */
export function selectAsked(
  db: Db,
  runId: number,
  ids: readonly number[],
): Promise<Pick<Row<'run_prompts'>, 'id' | 'answered_at' | 'answered_claim_id' | 'awaits_run_id' | 'awaits'>[]> {
  return db
    .selectFrom('run_prompts')
    .select(['id', 'answered_at', 'answered_claim_id', 'awaits_run_id', 'awaits'])
    .where('id', 'in', ids)
    .where('asked_by_run_id', '=', runId)
    .orderBy('id')
    .execute();
}

/** Lineages that still have a seed although their last run ended before this time. */
export async function selectForgettable(db: Db, before: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM lineages l WHERE l.seed <> '' AND l.epoch_started_at < ${before} AND NOT EXISTS (
      SELECT 1 FROM runs r WHERE r.lineage_id = l.id AND (r.finished_at IS NULL OR r.finished_at >= ${before})
    ) LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function forgetLineages(db: Db, ids: readonly string[]): Promise<void> {
  for (const table of ['journal', 'started_calls', 'answer_orders', 'lineage_memory', 'lineage_checkpoints', 'run_results'] as const)
    await db.deleteFrom(table).where('lineage_id', 'in', ids).execute();
  await db.updateTable('lineages').set({ seed: '' }).where('id', 'in', ids).execute();
}

/** Those of these lineages that have no run. */
export async function selectRunless(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM lineages l WHERE l.id IN (${sql.join(ids)})
      AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.lineage_id = l.id)`.execute(db);
  return rows.map(({ id }) => id);
}

export async function deleteLineages(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('lineages').where('id', 'in', ids).execute();
}
