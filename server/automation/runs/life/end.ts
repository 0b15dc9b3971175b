import type { Row } from '../../../db/tables.ts';
import { countTaskRun } from '../../../process/metrics.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { tellUnanswered } from '../../outgoing/telling.ts';
import { settingsOf } from '../../tasks/domain.ts';
import { countError } from '../errors/counting.ts';
import { countRun } from '../health/domain.ts';
import { tellRun } from '../log/log.ts';
import * as claims from '../rows/claim-store.ts';
import * as lineages from '../rows/lineage-store.ts';
import { nextAttempt, whyNoRetry } from '../rows/rules.ts';
import * as store from '../rows/store.ts';
import { tellAwaiting } from './awaited-runs.ts';
import { tellEnd } from './end-notices.ts';
import { startHandler } from './error-handler.ts';
import { offerAgain } from './offer.ts';
import { pauseIfWorse } from './pausing.ts';
import { canComeFurther, retryLater } from './retry.ts';

/** The endpoint id under which the server's own transactions that end runs are stored in the log. */
export const FINISHED = 'ai_tasks.append_run_events';

export type End = {
  status: string;
  errorMessage: string | null;
  endReason: string | null;
  result: string | null;
  /** The script asked for another attempt after this time. */
  retryAfterMs?: number | undefined;
};

/**
 * Ends a run; no other function takes a run out of `running`. If the task's settings give the run another attempt (`nextAttempt`), it is
 * offered again instead, at once or later. `changes` are further columns to store; `run` has them already.
 */
export async function endRun(
  ctx: Ctx,
  task: Pick<Row<'tasks'>, 'id' | 'name' | 'one_off' | 'settings' | 'handler_acts_for' | 'handler_reads_files' | 'current_version_id'>,
  run: store.RunRow,
  end: End,
  changes: store.RunChanges = {},
): Promise<void> {
  if (run.claim_id !== null) await claims.endClaim(ctx.db, run.claim_id, ctx.now);
  await tellUnanswered(ctx, run);
  if (end.endReason === 'script_error') await lineages.settlePassing(ctx.db, run.lineage_id);
  const settings = settingsOf(task);
  const next = nextAttempt(settings, run, end, ctx.random(4).readUInt32BE() / 2 ** 32);
  if (next?.kind === 'recovery') return offerAgain(ctx, run, run.attempt + 1, changes);
  if (next?.kind === 'retry' && (await canComeFurther(ctx, run, end))) return retryLater(ctx, run, end, next, changes);
  const why = end.retryAfterMs === undefined ? null : whyNoRetry(settings.retry, run);
  const message = why === null ? end.errorMessage : `${end.errorMessage ?? ''}\nRetryAfter asked for another attempt, but ${why}`;
  const error = await countError(ctx, run, { ...end, errorMessage: message });
  await store.updateRun(ctx.db, run.id, {
    ...changes,
    ...(error && { error_id: error.id }),
    status: end.status,
    error_message: message,
    end_reason: end.endReason,
    result: end.result,
    finished_at: ctx.now,
    claim_id: null,
    retry_due_ms: null,
  });
  const ended = await countRun(ctx, run, end.status);
  await tellAwaiting(ctx, run.id, { ...end, errorMessage: message });
  const told = await tellEnd(ctx, task, run, end, error);
  if (told) await startHandler(ctx, task, run, told);
  await pauseIfWorse(ctx, task, settings.trial, { run, status: end.status, error });
  tellRun(ctx, run.id);
  ctx.after(() => {
    const { metrics, changes, work } = ctx.services;
    metrics.runsEnded.inc({ status: end.status });
    if (ended) countTaskRun(metrics, run, ended);
    changes.fire();
    // Its place among the runs of its task is free.
    if (run.concurrency_limit !== null) work.fire();
  });
}
