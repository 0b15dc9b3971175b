import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import type { ReplaySource } from '../../verbs/context.ts';
import type { KeptAnswer } from './journal-store.ts';

export type RecordedCall = KeptAnswer & { epoch: number; key: string };
/** The call that a replay makes: its run and its journal key. */
type Asking = { runId: number; epoch: number; key: string; replay: ReplaySource };
/** How a recorded call is looked up: by its whole key, by the fingerprint of the request, or as a write by method and path. */
export type Wanted = { epoch: number; key: string } | { fingerprint: string } | { method: string; path: string };

/** Selects matching calls of the recorded run, in order, that have not yet answered another call of the replay. */
export async function selectRecorded(
  db: Db,
  { runId, epoch, key, replay }: Asking,
  wanted: Wanted,
  limit: number,
): Promise<RecordedCall[]> {
  const { rows } = await sql<RecordedCall>`
    SELECT j.epoch, j.key, j.status, j.etag, j.location, j.answer, j.answer_gzip, j.at FROM journal j
    WHERE j.lineage_id = ${replay.lineageId} AND j.epoch >= ${replay.firstEpoch} AND ${conditionOf(wanted)}
      AND j.claim_id <= (SELECT max(id) FROM run_claims WHERE run_id = ${replay.runId})
      AND NOT EXISTS (
        SELECT 1 FROM replay_calls c WHERE c.run_id = ${runId} AND c.recorded_epoch = j.epoch AND c.recorded_key = j.key
          AND (c.epoch <> ${epoch} OR c.key <> ${key})
      )
    ORDER BY j.epoch, ${'key' in wanted ? sql`CASE j.passing WHEN 0 THEN 0 ELSE 1 END, j.claim_id DESC,` : sql``} j.at, j.key LIMIT ${limit}`.execute(
    db,
  );
  return rows;
}

function conditionOf(wanted: Wanted) {
  // The keys of passing answers begin with that of their call and a slash; `0` is the character after it.
  if ('key' in wanted) {
    const { epoch, key } = wanted;
    return sql`j.epoch = ${epoch} AND j.key >= ${key} AND j.key < ${`${key}0`} AND (j.key = ${key} OR j.passing <> 0)`;
  }
  if ('fingerprint' in wanted) return sql`substr(j.key, 1, 65) = ${`${wanted.fingerprint}/`}`;
  return sql`j.is_write = 1 AND j.method = ${wanted.method} AND j.path = ${wanted.path}`;
}

/** Stores a replay's call for the report; a repeat of the same call is stored once. */
export async function insertReplayCall(db: Db, row: Omit<Row<'replay_calls'>, 'id'>): Promise<void> {
  const keys = ['run_id', 'epoch', 'key'] as const;
  await db
    .insertInto('replay_calls')
    .values(row)
    .onConflict((conflict) => conflict.columns(keys).doNothing())
    .execute();
}
