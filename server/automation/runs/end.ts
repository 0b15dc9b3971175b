import type { Row } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';
import { settingsOf } from '../tasks/domain.ts';
import * as claims from './claim-store.ts';
import * as lineages from './lineage-store.ts';
import { appendLines } from './log.ts';
import { isOfferedAgain } from './rules.ts';
import * as store from './store.ts';
import { tellEnd } from './tell.ts';

/** The endpoint id under which the server's own transactions that end runs are stored in the log. */
export const FINISHED = 'ai_tasks.append_run_events';

export type End = { status: string; errorMessage: string | null; endReason: string | null; result: string | null };

/**
 * Ends a run; no other function takes a run out of `running`. If the machine failed the run and the task's settings allow it,
 * the run is offered again as its next attempt instead (automation.md §3, Recovery). `changes` are further columns to store;
 * `run` has them already.
 */
export async function endRun(
  ctx: Ctx,
  task: Pick<Row<'tasks'>, 'id' | 'name' | 'settings'>,
  run: store.RunRow,
  end: End,
  changes: store.RunChanges = {},
): Promise<void> {
  if (run.claim_id !== null) await claims.endClaim(ctx.db, run.claim_id, ctx.now);
  if (run.executor === 'runner' && isOfferedAgain(settingsOf(task), run.attempt, end.endReason))
    return offerAgain(ctx, run, run.attempt + 1, changes);
  await store.updateRun(ctx.db, run.id, {
    ...changes,
    status: end.status,
    error_message: end.errorMessage,
    end_reason: end.endReason,
    result: end.result,
    finished_at: ctx.now,
    claim_id: null,
  });
  await tellEnd(ctx, task, run, end);
  ctx.after(() => ctx.services.metrics.runsEnded.inc({ status: end.status }));
}

/**
 * Offers the run to runners again. `attempt` is the run's own if the claim was never confirmed, because such a claim does not
 * count as an attempt.
 */
export async function offerAgain(ctx: Ctx, run: store.RunRow, attempt: number, changes: store.RunChanges = {}): Promise<void> {
  let log = {};
  if (attempt !== run.attempt) {
    const lineage = await lineages.lockLineage(ctx.db, run.lineage_id);
    const line = `attempt ${attempt} from checkpoint ${lineage?.epoch ?? 0}`;
    log = await appendLines(ctx, run, [{ kind: 'log', line }], { past: 'limit' });
  }
  await store.updateRun(ctx.db, run.id, { ...changes, ...log, claim_id: null, claimed_by: null, claimed_at: null, attempt });
  ctx.after(() => ctx.services.work.fire());
}
