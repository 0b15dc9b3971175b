import type { Ctx } from '../../context.ts';
import type { Store } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { settingsOf } from '../tasks/domain.ts';
import * as claims from './claim-store.ts';
import * as lineages from './lineage-store.ts';
import { appendLines } from './log.ts';
import { isOfferedAgain } from './rules.ts';
import * as store from './store.ts';
import { tellEnd } from './tell.ts';

/** What the process does when a run ends or is offered again. */
export type Ending = { offered(): void; ended(status: string): void };

export type End = { status: string; errorMessage: string | null; endReason: string | null; result: string | null };

type EndCtx = Pick<Ctx, 'db' | 'dialect' | 'now' | 'requestId' | 'after'>;

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
  if (run.claim_id !== null) await claims.endClaim(ctx.db, run.claim_id, ctx.now);
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
  await tellEnd(ctx, task, run, end);
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
    const lineage = await lineages.lockLineage(ctx.db, run.lineage_id);
    const line = `attempt ${attempt} from checkpoint ${lineage?.epoch ?? 0}`;
    log = await appendLines(ctx, run, [{ kind: 'log', line }], { past: 'limit' });
  }
  await store.updateRun(ctx.db, run.id, { ...changes, ...log, claim_id: null, claimed_by: null, claimed_at: null, attempt });
  ctx.after(() => ending.offered());
}

/** A transaction that no request asked for, and what is to follow its commit. */
export async function ownTransaction<T>(data: Store, work: (ctx: EndCtx) => Promise<T>): Promise<T> {
  const after: (() => void)[] = [];
  const done = await data.write((db) => {
    after.length = 0;
    return work({ db, dialect: data.dialect, now: new Date().toISOString(), requestId: '', after: (next) => void after.push(next) });
  });
  for (const next of after) next();
  return done;
}
