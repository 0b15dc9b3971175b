import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';
import { joinOrders } from './rules.ts';
import * as store from './store.ts';

type Run = Pick<Row<'runs'>, 'lineage_id' | 'record' | 'replay_of_run_id'>;
type Answer = { call: string; now_ms?: number | undefined; again?: boolean | undefined };

/**
 * Whether the beginnings and ends of this run's epochs are stored: for a recorded run and for a replay, which is compared
 * with its recording.
 */
function hasEpochRecords(run: Run): boolean {
  return run.record === 1 || run.replay_of_run_id !== null;
}

/** Stores how an epoch began, since a replay of a run may begin at each epoch. */
export async function recordEpochStart(db: Db, run: Run, epoch: number, startedAt: string, checkpoint: string | null): Promise<void> {
  if (hasEpochRecords(run)) await store.insertEpoch(db, { lineage_id: run.lineage_id, epoch, started_at: startedAt, checkpoint });
}

/**
 * Stores that a claim ended an epoch. `logLines` is the length of the run's log at the checkpoint: if the claim ends before
 * its next checkpoint, the lines after it are written again by the next claim.
 */
export async function recordEpochEnd(db: Db, run: Run, epoch: number, claimId: number, logLines: number): Promise<void> {
  if (hasEpochRecords(run)) await store.endEpoch(db, { lineageId: run.lineage_id, epoch, claimId, logLines });
}

export async function recordAnswers(db: Db, run: Run, claimId: number, answers: readonly Answer[]): Promise<void> {
  if (run.record === 0 || answers.length === 0) return;
  const last = await store.selectLastPosition(db, claimId);
  await store.insertAnswers(
    db,
    answers.map(({ call, now_ms = null, again = false }, index) => ({
      claim_id: claimId,
      position: last + index + 1,
      call,
      now_ms,
      again: again ? 1 : 0,
    })),
  );
}

/** The start time of an epoch: now, or for a replay the time at which the recorded epoch started. */
export async function epochStart(ctx: Pick<Ctx, 'db' | 'now'>, { replay_of_run_id: of }: Run, epoch: number): Promise<string> {
  return (of === null ? undefined : await store.selectEpoch(ctx.db, of, epoch))?.started_at ?? ctx.now;
}

/**
 * Whether the recorded script was started again (by another claim) at this epoch. The replay's script must then be started
 * again too, because the script's first calls belong to this epoch.
 */
export async function restartsScript(db: Db, { replay_of_run_id: of }: Run, epoch: number): Promise<boolean> {
  if (of === null || !(await store.selectEpoch(db, of, epoch))) return false;
  return (await store.selectClaimOfEpoch(db, of, epoch)) !== (await store.selectClaimOfEpoch(db, of, epoch - 1));
}

/** A value that the recorded run's lineage stored under this name before the claim that the replay repeats now. */
export function recallRecorded(db: Db, lineageId: string, recordedRunId: number, name: string): Promise<store.RecordedMemory | undefined> {
  return store.selectRecordedMemory(db, { lineageId, runId: recordedRunId, name });
}

/** The claim that carried out an epoch of a recorded run; null if no runner ever claimed the run. */
/** The stored beginning of an epoch of a recorded run. */
export { type Epoch, selectClaimOfEpoch as findClaimOfEpoch, selectEpoch as findEpoch } from './store.ts';

/** The recorded answers after a position, of the claim that the replay of this lineage repeats now. */
export async function findAnswersFor(
  db: Db,
  { lineageId, recordedRunId }: { lineageId: string; recordedRunId: number },
  after: number,
  limit: number,
): Promise<store.RecordedAnswer[]> {
  const claimId = await store.selectClaimReplayed(db, lineageId, recordedRunId);
  return claimId === null ? [] : store.selectAnswers(db, claimId, after, limit);
}

/** Deletes the recorded answers of these runs. It finds them by the runs' claims, so it must be called before the claims are deleted. */
export { deleteAnswers as forgetAnswers, deleteEpochs as forgetEpochs } from './store.ts';

/** The order in which the scripts of earlier claims got their answers in the lineage's present epoch, one page after a position. */
export async function earlierAnswers(db: Db, lineageId: string, after: number, limit: number): Promise<EarlierAnswer[]> {
  const order = joinOrders(await store.selectAnswerOrders(db, lineageId));
  return order.slice(after, after + limit).map((call, index) => ({ position: after + index + 1, call, now_ms: null, again: false }));
}

type EarlierAnswer = { position: number; call: string; now_ms: null; again: false };
