import type { Row } from '../../db/tables.ts';
import { type Ctx, isBlind } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import { type Epoch, findClaimOfEpoch, findEpoch } from '../recordings/domain.ts';
import { findRun } from '../runs/rows/domain.ts';
import { requireReads } from '../runs/rows/output-permissions.ts';
import { findExecuted } from '../tasks/executed.ts';
import { requireHeld } from '../tasks/versions.ts';

type Run = Row<'runs'>;

/** The recorded run and the epoch in which it began, for a caller who may replay it (spec RP3). */
export async function requireRecorded(ctx: Ctx, place: { id: number; run_id: number }): Promise<{ recorded: Run; epoch: Epoch }> {
  const recorded = await requireRun(ctx, place.id, place.run_id);
  const epoch = recorded.record === 1 ? await findEpoch(ctx.db, recorded.id, recorded.first_epoch) : undefined;
  if (recorded.record === 0 || (await findClaimOfEpoch(ctx.db, recorded.id, recorded.first_epoch)) === null) {
    throw new Refusal(
      'not_recorded',
      `Run ${recorded.id} was not recorded: only a run that was started with "record": true and that a runner carried out can be replayed.`,
    );
  }
  if (!epoch) throw expired(recorded.id);
  requireEnded(recorded);
  await requireRecordedHeld(ctx, recorded);
  await requireReads(ctx.db, ctx.actor, recorded.id);
  if (isBlind(ctx.actor) && recorded.hides_people === 0 && recorded.parameters !== '{}')
    throw new Refusal(
      'forbidden',
      `A person gave parameters to run ${recorded.id}, which are hidden from this agent; it cannot replay the run.`,
    );
  return { recorded, epoch };
}

export async function requireRun(ctx: Ctx, taskId: number, runId: number): Promise<Run> {
  const run = await findRun(ctx.db, taskId, runId);
  if (!run) throw notFound('run', runId);
  return run;
}

export function requireEnded(run: Run): void {
  if (run.status === 'running') throw new Refusal('run_not_ended', `Run ${run.id} is still running; wait for its end.`);
}

export function expired(runId: number): Refusal {
  return new Refusal('journal_expired', `The journal of run ${runId} is no longer kept.`);
}

/** The answers that the recorded run got become visible to the author of the replayed script; the caller must hold their permissions. */
export async function requireRecordedHeld(ctx: Ctx, recorded: Run): Promise<void> {
  const version = await findExecuted(ctx.db, recorded.task_id, recorded.version_id);
  requireHeld(ctx, version?.permissions ?? []);
}
