import { isWrite } from '../../../contract/endpoint.ts';
import { lockEmptyPlan } from '../../automation/dry-runs/domain.ts';
import type { At } from '../../db/open.ts';
import type { TaskActor } from '../../verbs/context.ts';
import type { Answer, Executor, InTransaction, ScriptCall, VerbCall } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { journalled } from '../journal/journalled-call.ts';
import { CallQueue } from './call-queue.ts';
import { Pass } from './pass.ts';
import { refuseUnsettled } from './pass-marks.ts';

/** A read of a dry run whose plan has writes, which the read can see in a pass alone. */
class PassNeeded extends Error {}

/**
 * Answers a call of a dry run in a pass: a transaction that first carries out the plan so far, then one call after the other as long as the
 * next one is near, and in the end undoes all of it and stores the answers and the writes that have come to the plan (spec DR2). A read
 * before all writes needs no pass.
 */
export function passes(executor: Executor): Wrapper<ScriptCall> {
  const entry = journalled(executor);
  const inPass = (call: ScriptCall): Promise<Answer> => {
    const { actor } = call;
    const open = executor.queues.get(actor.claimId);
    if (open) return open.push(call);
    const queue = new CallQueue(actor);
    executor.queues.set(actor.claimId, queue);
    const answer = queue.push(call);
    void serve(executor, queue, entry);
    return answer;
  };
  return (call, next) => {
    if (!call.actor.dryRun) return next(call);
    if (isWrite(call.endpoint) || call.outside || executor.queues.has(call.actor.claimId)) return inPass(call);
    return next(call).catch((error: unknown) => {
      if (error instanceof PassNeeded) return inPass(call);
      throw error;
    });
  };
}

async function serve(executor: Executor, queue: CallQueue, entry: Wrapper<InTransaction<ScriptCall>>): Promise<void> {
  while (queue.first) {
    await new Pass(executor, queue, entry).run();
    queue.passEnded();
  }
  // Nothing is awaited between the look at the queue and this, so no call is overlooked.
  executor.queues.delete(queue.actor.claimId);
}

/** Lets a read of a dry run go on outside of a pass only while the plan is empty. */
export function emptyPlan({ services }: Executor): Wrapper<InTransaction<ScriptCall>> {
  const { dialect } = services.store;
  return async (call, next) => {
    await requireEmptyPlan({ db: call.db, dialect }, call.actor);
    return next(call);
  };
}

export async function requireEmptyPlan(at: At, actor: TaskActor): Promise<void> {
  if (!actor.dryRun) return;
  const isEmpty = await lockEmptyPlan(at.db, actor.lineageId);
  await refuseUnsettled(at, actor);
  if (!isEmpty) throw new PassNeeded();
}

/** Refuses what a runner reports about a dry run after answers of it were lost. */
export function settledPass({ services, queues }: Executor): Wrapper<InTransaction> {
  const { dialect } = services.store;
  return async (call, next) => {
    const { actor, db } = call;
    if (actor.type === 'task' && actor.dryRun && !queues.has(actor.claimId)) await refuseUnsettled({ db, dialect }, actor);
    return next(call);
  };
}

/** Waits until the answers that this server has given to the run are stored, so that a reader of the run sees their effects. */
export function storedPass({ queues }: Executor): Wrapper<VerbCall> {
  return async (call, next) => {
    const runId = call.params['run_id'];
    for (const queue of queues.values()) if (queue.actor.runId === runId) await queue.stored();
    return next(call);
  };
}
