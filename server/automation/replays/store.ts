import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

type Which = { runId: number; recordedRunId: number };
export type Counts = { outcome: 'same' | 'changed' | 'added' | 'missing'; effect: number; n: number };

/** A write whose recorded answer shows that it took effect; a write without a recorded answer is assumed to have. */
const isEffect = sql`c.is_write = 1 AND coalesce(j.status, 200) < 300`;
const replayed = ({ runId, recordedRunId }: Which) => sql`
  FROM replay_calls c
  LEFT JOIN journal j ON j.lineage_id = (SELECT lineage_id FROM runs WHERE id = ${recordedRunId})
    AND j.epoch = c.recorded_epoch AND j.key = c.recorded_key
  WHERE c.run_id = ${runId}`;

/**
 * Recorded calls that the replay did not make. A call of an attempt that died before it ended its epoch counts only if a
 * later attempt made it again.
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

/** For each claim of a run, the range of log lines that count; `upto` is null for a claim that ended no epoch and was not the last. */
export async function selectSpans(db: Db, runId: number): Promise<{ after: number; upto: number | null; said: string | null }[]> {
  const { rows } = await sql<{ after: number; upto: number | null; said: string | null }>`
    SELECT c.log_from AS after, c.said,
      CASE WHEN c.id = (SELECT max(id) FROM run_claims WHERE run_id = r.id) THEN r.log_lines ELSE p.upto END AS upto
    FROM runs r JOIN run_claims c ON c.run_id = r.id
    LEFT JOIN (
      SELECT ended_by_claim_id, max(ended_log_lines) AS upto FROM recorded_epochs
      WHERE lineage_id = (SELECT lineage_id FROM runs WHERE id = ${runId}) GROUP BY ended_by_claim_id
    ) AS p ON p.ended_by_claim_id = c.id
    WHERE r.id = ${runId} ORDER BY c.id`.execute(db);
  return rows;
}

export function selectLines(db: Db, runId: number): Promise<Pick<Row<'run_events'>, 'seq' | 'line' | 'source'>[]> {
  return db.selectFrom('run_events').select(['seq', 'line', 'source']).where('run_id', '=', runId).orderBy('seq').execute();
}

type Beginning = Pick<Row<'lineages'>, 'seed' | 'shop' | 'began_at'>;

/** The seed of a lineage's random numbers, and what its scripts were told of the shop and of their beginning. The lineage is locked until the transaction ends. */
export async function lockBeginning({ db, dialect }: At, lineageId: string): Promise<Beginning | undefined> {
  const { rows } = await sql<Beginning>`SELECT seed, shop, began_at FROM lineages WHERE id = ${lineageId} ${dialect.forUpdate}`.execute(db);
  return rows[0];
}

/**
 * Copies the results that earlier runs of the recorded lineage have stored: the recorded run did not report them again, so
 * its replay must not either.
 */
export async function copyResults(
  db: Db,
  { from, toLineageId, toRunId }: { from: Pick<Row<'runs'>, 'id' | 'lineage_id'>; toLineageId: string; toRunId: number },
): Promise<void> {
  await sql`INSERT INTO run_results (lineage_id, key, run_id)
    SELECT CAST(${toLineageId} AS text), key, CAST(${toRunId} AS bigint) FROM run_results
    WHERE lineage_id = ${from.lineage_id} AND run_id < ${from.id}`.execute(db);
}

export async function deleteCalls(db: Db, runIds: readonly number[]): Promise<void> {
  await db.deleteFrom('replay_calls').where('run_id', 'in', runIds).execute();
}
