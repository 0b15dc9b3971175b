import type { Db } from '../open.ts';

/** Whether a claim on a run has ended; so has one that is deleted. */
export async function isClaimEnded(db: Db, claimId: number): Promise<boolean> {
  const claim = await db.selectFrom('run_claims').select('ended_at').where('id', '=', claimId).executeTakeFirst();
  return claim?.ended_at !== null;
}
