import { isClaimEnded } from '../../../db/queries/claims.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { appendLines } from '../log/log.ts';
import * as lineages from '../rows/lineage-store.ts';
import * as store from '../rows/store.ts';

/**
 * Offers the run to runners again. `attempt` is the run's own if the claim was never confirmed, because such a claim does not
 * count as an attempt.
 */
export async function offerAgain(ctx: Ctx, run: store.RunRow, attempt: number, changes: store.RunChanges = {}): Promise<void> {
  let log = {};
  if (attempt !== run.attempt) {
    const lineage = await lineages.lockLineage(ctx.db, run.lineage_id);
    const line = `attempt ${attempt} from checkpoint ${lineage?.epoch ?? 0}`;
    log = await appendLines(ctx, run, [{ kind: 'log', line }], { source: 'server' });
  }
  const attempts = run.attempts === null ? null : run.attempts + attempt - run.attempt;
  await store.updateRun(ctx.db, run.id, { ...changes, ...log, claim_id: null, claimed_by: null, claimed_at: null, attempt, attempts });
  ctx.after(() => ctx.services.work.fire());
}

/**
 * Continues a run that has got its answer: if the run was parked, it is offered to runners again, which does not count as an attempt. The log
 * says why; null: it says nothing.
 */
export async function continueRun(ctx: Ctx, run: store.RunRow, why: string | null): Promise<void> {
  // A run that waits for its next attempt has its answer when that attempt asks for it.
  const parked = run.claim_id !== null && run.retry_due_ms === null && (await isClaimEnded(ctx.db, run.claim_id));
  if (why === null) {
    if (parked) await offerAgain(ctx, run, run.attempt);
    return;
  }
  const epoch = parked ? (await lineages.lockLineage(ctx.db, run.lineage_id))?.epoch : undefined;
  const line = parked ? `${why}: the run goes on from checkpoint ${epoch ?? 0}` : why;
  const log = await appendLines(ctx, run, [{ kind: 'log', line }], { source: 'server' });
  if (parked) await offerAgain(ctx, run, run.attempt, log);
  else await store.updateRun(ctx.db, run.id, log);
}
