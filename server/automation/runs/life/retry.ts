import { readsOf } from '../../../db/open.ts';
import type { Services } from '../../../services.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { appendLines } from '../log/log.ts';
import * as claims from '../rows/claim-store.ts';
import * as lineages from '../rows/lineage-store.ts';
import { inWords, type NextAttempt } from '../rows/rules.ts';
import * as store from '../rows/store.ts';
import type { End } from './end.ts';

type Retry = Extract<NextAttempt, { kind: 'retry' }>;

/**
 * Whether another attempt can come further than the last. One that spent its host calls can, since it begins with new ones. All other
 * budgets hold for a run as a whole, so an attempt after one of those would end at once.
 */
export async function canComeFurther(ctx: Pick<Ctx, 'db'>, run: store.RunRow, { endReason }: End): Promise<boolean> {
  if (endReason !== 'budget') return true;
  return run.claim_id !== null && claims.hasSpentCalls(ctx.db, run.claim_id);
}

/**
 * Lets a run that would have ended wait for its next attempt. Like a run that waits for a person it keeps its ended claim, so that no runner
 * is offered it and it keeps its place among its task's runs, until `offerDue` offers it.
 */
export async function retryLater(ctx: Ctx, run: store.RunRow, end: End, { of, delayMs }: Retry, changes: store.RunChanges): Promise<void> {
  const lineage = await lineages.lockLineage(ctx.db, run.lineage_id);
  if (!lineage) throw new Error(`run ${run.id} has no lineage`);
  if (run.claim_id !== null) await allowAgain(ctx, { ...run, claim_id: run.claim_id }, end.endReason);
  if (end.endReason === 'script_error') await askAnew(ctx, lineage);
  const attempt = run.attempt + 1;
  const message = end.errorMessage === null ? '' : `: ${end.errorMessage}`;
  const lines = [
    `attempt ${run.attempt} ended ${end.status}, ${end.endReason}${message}`,
    `attempt ${attempt} of ${of} in ${inWords(delayMs)}, from checkpoint ${lineage.epoch}`,
  ];
  const log = await appendLines(
    ctx,
    run,
    lines.map((line) => ({ kind: 'log', line })),
    { source: 'server' },
  );
  const waits = { claimed_by: null, claimed_at: null, attempt, retries: run.retries + 1, attempts: of };
  await store.updateRun(ctx.db, run.id, { ...changes, ...log, ...waits });
  await store.setRetryDue(ctx.db, run.id, delayMs);
}

/** An attempt that spent a limit is followed by one that has this limit again, as a whole; everything else counts on. */
async function allowAgain(ctx: Ctx, run: store.RunRow & { claim_id: number }, endReason: string | null): Promise<void> {
  if (endReason === 'cpu' || endReason === 'wall')
    await claims.forgetUsage(ctx.db, run.claim_id, endReason === 'cpu' ? 'cpu_ms' : 'wall_ms');
  if (endReason !== 'budget') return;
  await claims.forgetUsage(ctx.db, run.claim_id, 'host_calls');
  await lineages.resetHostCalls(ctx.db, run.lineage_id);
}

/**
 * A script that failed would fail again if it got the same answers. If nothing that it did since its checkpoint took effect, the next
 * attempt asks everything anew; otherwise it must repeat the same steps, and the answers stay.
 */
async function askAnew(ctx: Ctx, { id, epoch }: { id: string; epoch: number }): Promise<void> {
  if (await lineages.hasWritten(ctx.db, id, epoch)) return;
  await lineages.deleteJournal(ctx.db, id, epoch);
  await lineages.resetJournalBytes(ctx.db, id);
}

const AT_A_TIME = 100;

/** Offers the runs whose next attempt is due to runners; any number of servers may do it. */
export async function offerDue(services: Services): Promise<void> {
  const { store: data, work } = services;
  if (!(await store.isRetryDue(readsOf(data)))) return;
  await data.write((db) => store.offerDue({ db, dialect: data.dialect }, AT_A_TIME));
  work.fire();
}
