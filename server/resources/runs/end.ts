import type { Ctx } from '../../context.ts';
import type { Row } from '../../db/tables.ts';
import { storeEvents } from '../audit/domain.ts';
import { notify } from '../notifications/domain.ts';
import { settingsOf } from '../tasks/domain.ts';
import { appendLines } from './log.ts';
import { isFailure, isOfferedAgain } from './rules.ts';
import * as store from './store.ts';

/** What the process does when a run ends or is offered again. */
export type Ending = { offered(): void; ended(status: string): void };

export type End = { status: string; errorMessage: string | null; endReason: string | null; result: string | null };

type EndCtx = Pick<Ctx, 'db' | 'dialect' | 'now' | 'after'>;

/**
 * The one place where a run leaves `running`; where the machine failed it and the task says so, the same run is
 * offered again with its next attempt instead (automation.md §3, Recovery). `changes`: what else changed of the run,
 * which `run` has already.
 */
export async function endRun(
  ctx: EndCtx,
  ending: Ending,
  task: Pick<Row<'tasks'>, 'id' | 'name' | 'settings'>,
  run: store.RunRow,
  end: End,
  changes: store.RunChanges = {},
): Promise<void> {
  if (run.claim_id !== null) await store.endClaim(ctx.db, run.claim_id, ctx.now);
  if (run.executor === 'runner' && isOfferedAgain(settingsOf(task), run.attempt, end.endReason))
    return offerAgain(ctx, ending, run, run.attempt + 1, changes);
  await store.updateRun(ctx.db, run.id, {
    ...changes,
    status: end.status,
    error_message: end.errorMessage,
    end_reason: end.endReason,
    result: end.result,
    finished_at: ctx.now,
    claim_id: null,
  });
  // Whoever makes a dry run or a replay looks at it; nothing else comes of one.
  const isLive = run.dry_run === 0 && run.replay_of_run_id === null;
  if (isLive && isFailure(end.status)) await tellFailure(ctx, task, run, end);
  ctx.after(() => ending.ended(end.status));
}

/** `attempt` stays as it is where the claim was never taken up. */
export async function offerAgain(
  ctx: EndCtx,
  ending: Ending,
  run: store.RunRow,
  attempt: number,
  changes: store.RunChanges = {},
): Promise<void> {
  let log = {};
  if (attempt !== run.attempt) {
    const lineage = await store.lockLineage(ctx.db, run.lineage_id);
    const line = `attempt ${attempt} from checkpoint ${lineage?.epoch ?? 0}`;
    log = await appendLines(ctx, run, [{ kind: 'log', line }], { past: 'limit' });
  }
  await store.updateRun(ctx.db, run.id, { ...changes, ...log, claim_id: null, claimed_by: null, claimed_at: null, attempt });
  ctx.after(() => ending.offered());
}

async function tellFailure(ctx: EndCtx, task: Pick<Row<'tasks'>, 'id' | 'name'>, run: store.RunRow, end: End): Promise<void> {
  const metadata = { task_id: task.id, run_id: run.id, status: end.status, end_reason: end.endReason };
  const message = `Run ${run.id} of "${task.name}" ended ${end.status}${end.errorMessage ? `: ${end.errorMessage.slice(0, 300)}` : ''}`;
  await notify(ctx, [{ type: 'ai_task_run_failed', title: 'A task run failed', message, metadata }]);
  await storeEvents(ctx, [{ type: 'task.run_failed', data: metadata }], run.lineage_id);
}
