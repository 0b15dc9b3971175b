import { isWrite } from '../../../contract/endpoint.ts';
import type { Executor, InTransaction, ScriptCall } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { holdClaim } from '../journal/claims.ts';
import { commitLoosely, signClaim } from '../journal/run-store.ts';

const MAX_KNOWN = 10_000;

/**
 * Lets reads of a run be committed before they are on PostgreSQL's disk. Whatever could depend on an answer is stored by a later
 * transaction that does wait for the disk, and the disk gets them in the order of their commits. Only a crash of PostgreSQL can lose such
 * a read, and then the claim may do nothing more, because the script knows an answer that the journal does not have. That is recognised by
 * the sign which a claim has since its first read, whose transaction waits for the disk.
 */
export function looseReads({ services, usage }: Executor): Wrapper<InTransaction<ScriptCall>> {
  if (services.store.dialect.oneWriter) return (call, next) => next(call);
  /** Claims whose sign is committed. */
  const signed = new Set<number>();
  const remember = (claimId: number): void => {
    if (signed.size > MAX_KNOWN) signed.clear();
    signed.add(claimId);
  };
  return async (call, next) => {
    const { db, actor, endpoint, permission } = call;
    if (actor.dryRun || isWrite(endpoint) || !usage.hasRecorded(actor.runId, permission)) return next(call);
    const { claimId } = actor;
    if (signed.has(claimId)) {
      await commitLoosely(db);
      return next(call);
    }
    await holdClaim(db, actor, true);
    await signClaim(db, claimId);
    const answer = await next(call);
    return { ...answer, after: [...answer.after, () => remember(claimId)] };
  };
}
