import type { Db } from '../../db/open.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { selectEarlierClock } from './run-store.ts';

const MAX_KNOWN = 10_000;

/**
 * Knows whether the current epoch holds answers of earlier attempts that this attempt has not asked for again. Once there are none, there
 * are none for the rest of the claim, so a run that was never interrupted costs one query.
 */
export class EarlierAttempts {
  readonly #caughtUp = new Set<number>();

  /**
   * The start of the epoch while such answers remain, else null. Live answers then carry this time instead of their own, so that the
   * script's clock does not move past what the earlier attempt saw (spec JO10).
   */
  async clock(db: Db, actor: TaskActor, epoch: number): Promise<string | null> {
    if (this.#caughtUp.has(actor.claimId)) return null;
    const clock = await selectEarlierClock(db, actor, epoch);
    if (clock !== null) return clock;
    if (this.#caughtUp.size > MAX_KNOWN) this.#caughtUp.clear();
    this.#caughtUp.add(actor.claimId);
    return null;
  }
}
