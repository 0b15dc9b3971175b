import type { Db } from '../../db/open.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { InTransaction } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { CRASHED, hasPresentSign, lockClaim, shareClaim } from './run-store.ts';

export function fenced(): Refusal {
  return new Refusal('run_fenced', 'The claim of this token has ended: the run was cancelled, taken over or finished.');
}

/**
 * Locks the claim and checks that it is still in force. Cancel, takeover, lapse and revoke change the same row, so nothing of an attempt
 * commits after the next one has begun (spec JO7).
 */
export async function holdClaim(db: Db, { claimId }: Pick<TaskActor, 'claimId'>, forChange: boolean): Promise<void> {
  const [claim] = await (forChange ? lockClaim : shareClaim)(db, { claimId });
  const isOver = claim?.ended === CRASHED ? !(await hasPresentSign(db, claimId)) : claim?.ended !== null;
  if (isOver) throw fenced();
}

/** Holds the claim of the run that a runner reports about. */
export const ownClaim: Wrapper<InTransaction> = async (call, next) => {
  if (call.actor.type === 'task') await holdClaim(call.db, call.actor, true);
  return next(call);
};
