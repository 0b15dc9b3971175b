import type { At } from '../../db/open.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { holdClaim } from '../journal/journal.ts';
import { commitLoosely, signClaim } from '../journal/run-store.ts';

const MAX_KNOWN = 10_000;

/**
 * Lets reads of a run be committed before they are on PostgreSQL's disk. Whatever could depend on an answer is stored by a later
 * transaction that does wait for the disk, and the disk gets them in the order of their commits. Only a crash of PostgreSQL can lose such
 * a read, and then the claim may do nothing more, because the script knows an answer that the journal does not have. That is recognised by
 * the sign which a claim has since its first read, whose transaction waits for the disk.
 */
export class LooseReads {
  /** Claims whose sign is committed. */
  readonly #signed = new Set<number>();

  /** To be called first in the transaction of a read. Returns a function to call after the commit. */
  async begin({ db, dialect }: At, { claimId, dryRun }: TaskActor): Promise<() => void> {
    if (dialect.oneWriter || dryRun) return () => undefined;
    if (this.#signed.has(claimId)) {
      await commitLoosely(db);
      return () => undefined;
    }
    await holdClaim(db, { claimId }, true);
    await signClaim(db, claimId);
    return () => {
      if (this.#signed.size > MAX_KNOWN) this.#signed.clear();
      this.#signed.add(claimId);
    };
  }
}
