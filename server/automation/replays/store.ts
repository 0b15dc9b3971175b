import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

type NewEpoch = Pick<Row<'recorded_epochs'>, 'lineage_id' | 'epoch' | 'started_at' | 'checkpoint'>;

export async function insertEpoch(db: Db, row: NewEpoch): Promise<void> {
  await db
    .insertInto('recorded_epochs')
    .values({ ...row, ended_by_claim_id: null, ended_log_lines: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type EpochEnd = { lineageId: string; epoch: number; claimId: number; logLines: number };

export async function endEpoch(db: Db, { lineageId, epoch, claimId, logLines }: EpochEnd): Promise<void> {
  await db
    .updateTable('recorded_epochs')
    .set({ ended_by_claim_id: claimId, ended_log_lines: logLines })
    .where('lineage_id', '=', lineageId)
    .where('epoch', '=', epoch)
    .execute();
}

/** An epoch of the lineage of a recorded run. */
export async function selectEpoch(db: Db, runId: number, epoch: number): Promise<NewEpoch | undefined> {
  const { rows } = await sql<NewEpoch>`
    SELECT e.lineage_id, e.epoch, e.started_at, e.checkpoint FROM recorded_epochs e
    WHERE e.lineage_id = (SELECT lineage_id FROM runs WHERE id = ${runId}) AND e.epoch = ${epoch}`.execute(db);
  return rows[0];
}

/** The claim of a recorded run that an epoch is owed to: the one that ended it, for the last one the last one. */
export const claimOfEpoch = (runId: unknown, epoch: unknown) => sql<number>`coalesce((
  SELECT e.ended_by_claim_id FROM runs r JOIN recorded_epochs e ON e.lineage_id = r.lineage_id AND e.epoch = ${epoch}
    JOIN run_claims c ON c.id = e.ended_by_claim_id AND c.run_id = r.id WHERE r.id = ${runId}
), (SELECT max(id) FROM run_claims WHERE run_id = ${runId}))`;

export async function selectClaimOfEpoch(db: Db, runId: number, epoch: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`SELECT ${claimOfEpoch(runId, epoch)} AS id`.execute(db);
  return rows[0]?.id ?? null;
}

export type RecordedMemory = { value: string; made: string | null };
type MemoryName = { lineageId: string; runId: number; name: string };

/** Kept by a claim before the one that the replay's epoch is owed to. */
export async function selectRecordedMemory(db: Db, { lineageId, runId, name }: MemoryName): Promise<RecordedMemory | undefined> {
  const { rows } = await sql<RecordedMemory>`
    SELECT m.value, m.made FROM lineages l JOIN runs source ON source.id = ${runId}
      JOIN lineage_memory m ON m.lineage_id = source.lineage_id AND m.name = ${name}
    WHERE l.id = ${lineageId} AND m.claim_id < ${claimOfEpoch(runId, sql`l.epoch`)}`.execute(db);
  return rows[0];
}

export async function selectLastPosition(db: Db, claimId: number): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(position) AS last FROM recorded_answers WHERE claim_id = ${claimId}`.execute(db);
  return rows[0]?.last ?? 0;
}

export async function insertAnswers(db: Db, rows: NewRow<'recorded_answers'>[]): Promise<void> {
  await db.insertInto('recorded_answers').values(rows).execute();
}

export type RecordedAnswer = Pick<Row<'recorded_answers'>, 'position' | 'call' | 'now_ms' | 'again'>;

export async function selectAnswers(db: Db, claimId: number, after: number, limit: number): Promise<RecordedAnswer[]> {
  return db
    .selectFrom('recorded_answers')
    .select(['position', 'call', 'now_ms', 'again'])
    .where('claim_id', '=', claimId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
}

type Which = { runId: number; recordedRunId: number };
export type Counts = { outcome: 'same' | 'changed' | 'added' | 'missing'; effect: number; n: number };

/** A write whose answer tells that it took effect; of one without an answer that is supposed. */
const isEffect = sql`c.is_write = 1 AND coalesce(j.status, 200) < 300`;
const replayed = ({ runId, recordedRunId }: Which) => sql`
  FROM replay_calls c
  LEFT JOIN journal j ON j.lineage_id = (SELECT lineage_id FROM runs WHERE id = ${recordedRunId})
    AND j.epoch = c.recorded_epoch AND j.key = c.recorded_key
  WHERE c.run_id = ${runId}`;

/**
 * Recorded calls that the replay did not make. What an attempt asked for that died before it ended its epoch, and that
 * none after it asked for again, was no call of the run.
 */
const missing = ({ runId, recordedRunId }: Which) => sql`
  FROM runs s
  JOIN recorded_epochs e ON e.lineage_id = s.lineage_id AND e.epoch >= s.first_epoch
  JOIN journal j ON j.lineage_id = e.lineage_id AND j.epoch = e.epoch
  LEFT JOIN run_claims own ON own.id = e.ended_by_claim_id AND own.run_id = s.id
  WHERE s.id = ${recordedRunId} AND j.claim_id <= (SELECT max(id) FROM run_claims WHERE run_id = s.id)
    AND CASE WHEN own.id IS NULL THEN j.asked_by_claim_id >= (SELECT max(id) FROM run_claims WHERE run_id = s.id)
      ELSE j.asked_by_claim_id = own.id END
    AND NOT EXISTS (
      SELECT 1 FROM replay_calls c WHERE c.run_id = ${runId} AND c.recorded_epoch = j.epoch AND c.recorded_key = j.key
    )`;
const isMissingEffect = sql`j.is_write = 1 AND j.status < 300`;

export async function countCalls(db: Db, which: Which): Promise<Counts[]> {
  const { rows } = await sql<Counts>`
    SELECT c.outcome, CASE WHEN ${isEffect} THEN 1 ELSE 0 END AS effect, count(*) AS n ${replayed(which)} GROUP BY 1, 2
    UNION ALL
    SELECT 'missing' AS outcome, CASE WHEN ${isMissingEffect} THEN 1 ELSE 0 END AS effect, count(*) AS n ${missing(which)} GROUP BY 2`.execute(
    db,
  );
  return rows;
}

export type ShownCall = { epoch: number; method: string; path: string; body: string | null };
export type Shown = Which & { effectsOnly: boolean; limit: number; chars: number };

export async function selectChanged(db: Db, shown: Shown): Promise<(ShownCall & { recorded_body: string | null })[]> {
  const { rows } = await sql<ShownCall & { recorded_body: string | null }>`
    SELECT c.epoch, c.method, c.path, substr(c.body, 1, ${shown.chars}) AS body, substr(j.body, 1, ${shown.chars}) AS recorded_body
    ${replayed(shown)} AND c.outcome = 'changed' ${shown.effectsOnly ? sql`AND ${isEffect}` : sql``}
    ORDER BY c.id LIMIT ${shown.limit}`.execute(db);
  return rows;
}

export async function selectAdded(db: Db, shown: Shown): Promise<ShownCall[]> {
  const { rows } = await sql<ShownCall>`
    SELECT c.epoch, c.method, c.path, substr(c.body, 1, ${shown.chars}) AS body
    ${replayed(shown)} AND c.outcome = 'added' ${shown.effectsOnly ? sql`AND ${isEffect}` : sql``}
    ORDER BY c.id LIMIT ${shown.limit}`.execute(db);
  return rows;
}

export async function selectMissing(db: Db, shown: Shown): Promise<ShownCall[]> {
  const { rows } = await sql<ShownCall>`
    SELECT j.epoch, j.method, j.path, substr(j.body, 1, ${shown.chars}) AS body
    ${missing(shown)} ${shown.effectsOnly ? sql`AND ${isMissingEffect}` : sql``}
    ORDER BY j.epoch, j.at, j.key LIMIT ${shown.limit}`.execute(db);
  return rows;
}

/** Each claim of a run and the lines of the log that count of it; none of one that ended no epoch and was not the last. */
export async function selectSpans(db: Db, runId: number): Promise<{ after: number; upto: number | null }[]> {
  const { rows } = await sql<{ after: number; upto: number | null }>`
    SELECT c.log_from AS after, CASE WHEN c.id = (SELECT max(id) FROM run_claims WHERE run_id = r.id) THEN r.log_lines ELSE p.upto END AS upto
    FROM runs r JOIN run_claims c ON c.run_id = r.id
    LEFT JOIN (
      SELECT ended_by_claim_id, max(ended_log_lines) AS upto FROM recorded_epochs
      WHERE lineage_id = (SELECT lineage_id FROM runs WHERE id = ${runId}) GROUP BY ended_by_claim_id
    ) AS p ON p.ended_by_claim_id = c.id
    WHERE r.id = ${runId} ORDER BY c.id`.execute(db);
  return rows;
}

export function selectLines(db: Db, runId: number): Promise<{ seq: number; line: string }[]> {
  return db.selectFrom('run_events').select(['seq', 'line']).where('run_id', '=', runId).orderBy('seq').execute();
}

/** The claim of the recorded run that the epoch of a replay's lineage is owed to. */
export async function selectClaimReplayed(db: Db, lineageId: string, recordedRunId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT ${claimOfEpoch(recordedRunId, sql`l.epoch`)} AS id FROM lineages l WHERE l.id = ${lineageId}`.execute(db);
  return rows[0]?.id ?? null;
}
