import { waitForPass } from '../../automation/dry-runs/domain.ts';
import type { At, Db, Store } from '../../db/open.ts';
import { dropLeases, endLeases, findLease, takeLease } from '../../db/queries/leases.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { fenced, holdClaim } from '../journal/claims.ts';

/*
 * A pass of a dry run gives answers that are stored when it ends. A mark that is committed before, and deleted with the commit of the
 * answers, outlives a server that dies in between. Where a mark is found and no pass is under way, the script has got answers that the
 * journal and the plan do not have, so its attempt must not go on.
 */

/** While the mark is as young as this, the pass may be about to begin. A pass that has begun holds the lineage. */
const YOUNG_MS = 5000;

const nameOf = ({ claimId }: TaskActor): string => `dry run of claim ${claimId}`;

/** Sets the mark of a pass that is about to begin. */
export function mark({ dialect, write }: Store, actor: TaskActor, pass: string): Promise<void> {
  return write(
    async (db) => {
      await holdClaim(db, actor, false);
      await waitForPass(db, actor.lineageId);
      await refuseUnsettled({ db, dialect }, actor, pass);
      await takeLease({ db, dialect }, nameOf(actor), pass, YOUNG_MS);
    },
    { patient: true },
  );
}

/** Deletes the mark of a pass: in the transaction that stores its answers, or after a pass that gave none. */
export function unmark(db: Db, pass: string): Promise<void> {
  return dropLeases(db, pass);
}

/** The answers of a pass are lost; nobody needs to wait until its mark is old. */
export function markLost(db: Db, pass: string): Promise<void> {
  return endLeases(db, pass);
}

/**
 * Refuses what a run asks after answers of it were lost. Whoever calls it has locked the claim or the lineage, so no pass is under way,
 * other than one that is about to begin.
 */
export async function refuseUnsettled(at: At, actor: TaskActor, pass = ''): Promise<void> {
  const found = await findLease(at, nameOf(actor));
  if (!found || found.holder === pass) return;
  if (found.leftMs > 0) throw new Refusal('busy', 'Calls of this dry run are being carried out; try again in a moment.');
  throw fenced();
}
