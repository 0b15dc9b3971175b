import type { At } from '../db/open.ts';
import type { TaskActor } from '../verbs/context.ts';
import { holdClaim } from './journal.ts';
import { commitLoosely, signClaim } from './run-store.ts';

/**
 * Lets a read of a run be committed before it is on PostgreSQL's disk. Whatever could depend on its answer is stored by a later
 * transaction that does wait for the disk, and the disk gets them in the order of their commits. Only a crash of PostgreSQL can lose the
 * read, and then the claim may do nothing more, because the script knows an answer that the journal does not have. That is recognised by
 * the sign which the claim has since its first read, a transaction that waits for the disk.
 */
export async function commitReadLoosely({ db, dialect }: At, actor: TaskActor): Promise<void> {
  if (dialect.oneWriter || actor.dryRun) return;
  if (actor.crashSign !== null) return commitLoosely(db);
  await holdClaim(db, actor, true);
  await signClaim(db, actor.claimId);
}
