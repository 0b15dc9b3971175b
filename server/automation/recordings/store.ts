import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type Epoch = Pick<Row<'recorded_epochs'>, 'lineage_id' | 'epoch' | 'started_at' | 'checkpoint'>;

export async function insertEpoch(db: Db, row: Epoch): Promise<void> {
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

/** Finds an epoch in the lineage of a recorded run. */
export async function selectEpoch(db: Db, runId: number, epoch: number): Promise<Epoch | undefined> {
  const { rows } = await sql<Epoch>`
    SELECT e.lineage_id, e.epoch, e.started_at, e.checkpoint FROM recorded_epochs e
    WHERE e.lineage_id = (SELECT lineage_id FROM runs WHERE id = ${runId}) AND e.epoch = ${epoch}`.execute(db);
  return rows[0];
}

/** The claim that carried out an epoch of a recorded run: the one that ended the epoch, or the run's last claim where none did. */
const claimOfEpoch = (runId: unknown, epoch: unknown) => sql<number>`coalesce((
  SELECT e.ended_by_claim_id FROM runs r JOIN recorded_epochs e ON e.lineage_id = r.lineage_id AND e.epoch = ${epoch}
    JOIN run_claims c ON c.id = e.ended_by_claim_id AND c.run_id = r.id WHERE r.id = ${runId}
), (SELECT max(id) FROM run_claims WHERE run_id = ${runId}))`;

export async function selectClaimOfEpoch(db: Db, runId: number, epoch: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`SELECT ${claimOfEpoch(runId, epoch)} AS id`.execute(db);
  return rows[0]?.id ?? null;
}

export type RecordedMemory = { value: string; made: string | null };
type MemoryName = { lineageId: string; runId: number; name: string };

/** Finds a value that was stored by a claim before the one that carried out the replay's current epoch in the recording. */
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

/** The claim of the recorded run that carried out the current epoch of the replay's lineage. */
export async function selectClaimReplayed(db: Db, lineageId: string, recordedRunId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT ${claimOfEpoch(recordedRunId, sql`l.epoch`)} AS id FROM lineages l WHERE l.id = ${lineageId}`.execute(db);
  return rows[0]?.id ?? null;
}

/** Deletes the answers of all claims of these runs. */
export async function deleteAnswers(db: Db, runIds: readonly number[]): Promise<void> {
  const claims = db.selectFrom('run_claims').select('id').where('run_id', 'in', runIds);
  await db.deleteFrom('recorded_answers').where('claim_id', 'in', claims).execute();
}

export async function deleteEpochs(db: Db, lineageIds: readonly string[]): Promise<void> {
  await db.deleteFrom('recorded_epochs').where('lineage_id', 'in', lineageIds).execute();
}

/** The orders of answers in the lineage's present epoch, by claim. */
export async function selectAnswerOrders(db: Db, lineageId: string): Promise<Pick<Row<'answer_orders'>, 'claim_id' | 'upto' | 'names'>[]> {
  const { rows } = await sql<Pick<Row<'answer_orders'>, 'claim_id' | 'upto' | 'names'>>`
    SELECT claim_id, upto, names FROM answer_orders
    WHERE lineage_id = ${lineageId} AND epoch = (SELECT epoch FROM lineages WHERE id = ${lineageId}) ORDER BY claim_id, upto`.execute(db);
  return rows;
}
