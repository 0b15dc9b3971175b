import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';
import * as store from './store.ts';

type Run = Pick<Row<'runs'>, 'lineage_id' | 'record' | 'replay_of_run_id'>;
type Answer = { call: string; now_ms?: number | undefined; again?: boolean | undefined };

/** Whether it is noted how the epochs of this run begin and end: to replay it, or to compare the replay that it is. */
function isNoted(run: Run): boolean {
  return run.record === 1 || run.replay_of_run_id !== null;
}

/** A replay of this run may begin here. */
export async function noteEpochBegins(db: Db, run: Run, epoch: number, startedAt: string, checkpoint: string | null): Promise<void> {
  if (isNoted(run)) await store.insertEpoch(db, { lineage_id: run.lineage_id, epoch, started_at: startedAt, checkpoint });
}

/** `logLines`: what the log of the run held at its checkpoint; later lines of a claim that ends before its next one are said again. */
export async function noteEpochEnds(db: Db, run: Run, epoch: number, claimId: number, logLines: number): Promise<void> {
  if (isNoted(run)) await store.endEpoch(db, { lineageId: run.lineage_id, epoch, claimId, logLines });
}

export async function noteAnswers(db: Db, run: Run, claimId: number, answers: readonly Answer[]): Promise<void> {
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

/** When an epoch starts: now, in a replay when it started in the recording. */
export async function epochStart(ctx: Pick<Ctx, 'db' | 'now'>, { replay_of_run_id: of }: Run, epoch: number): Promise<string> {
  return (of === null ? undefined : await store.selectEpoch(ctx.db, of, epoch))?.started_at ?? ctx.now;
}

/** Whether the recorded script began anew with this epoch: a replay then does too, since what it does at its top is of the epoch. */
export async function beginsAnew(db: Db, { replay_of_run_id: of }: Run, epoch: number): Promise<boolean> {
  if (of === null || !(await store.selectEpoch(db, of, epoch))) return false;
  return (await store.selectClaimOfEpoch(db, of, epoch)) !== (await store.selectClaimOfEpoch(db, of, epoch - 1));
}

/** What the lineage of the recorded run kept under this name before the part of it that the replay is in. */
export function recallRecorded(db: Db, lineageId: string, recordedRunId: number, name: string): Promise<store.RecordedMemory | undefined> {
  return store.selectRecordedMemory(db, { lineageId, runId: recordedRunId, name });
}

/** How an epoch of a recorded run began. */
export function findEpoch(db: Db, runId: number, epoch: number): Promise<store.Epoch | undefined> {
  return store.selectEpoch(db, runId, epoch);
}

/** The claim that an epoch of a recorded run is owed to; null: no runner ever claimed the run. */
export function findClaimOfEpoch(db: Db, runId: number, epoch: number): Promise<number | null> {
  return store.selectClaimOfEpoch(db, runId, epoch);
}

/** Of the part of the recorded run that the replay of this lineage is in, the answers after a position. */
export async function findAnswersFor(
  db: Db,
  { lineageId, recordedRunId }: { lineageId: string; recordedRunId: number },
  after: number,
  limit: number,
): Promise<store.RecordedAnswer[]> {
  const claimId = await store.selectClaimReplayed(db, lineageId, recordedRunId);
  return claimId === null ? [] : store.selectAnswers(db, claimId, after, limit);
}

/** The runs' claims are still there. */
export function forgetAnswers(db: Db, runIds: readonly number[]): Promise<void> {
  return store.deleteAnswers(db, runIds);
}

export function forgetEpochs(db: Db, lineageIds: readonly string[]): Promise<void> {
  return store.deleteEpochs(db, lineageIds);
}
