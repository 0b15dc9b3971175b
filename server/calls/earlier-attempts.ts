import type { Db } from '../db/open.ts';
import type { TaskActor } from '../verbs/context.ts';
import { selectEarlierClock } from './run-store.ts';

const MAX_KNOWN = 10_000;

/**
 * Whether the epoch holds answers of earlier attempts that this one has not asked for again. Once there are none there
 * are none for the rest of the claim, so that a run that was never interrupted is looked at once.
 */
export class EarlierAttempts {
  readonly #caughtUp = new Set<number>();

  /**
   * Null where there are none; else the start of the epoch, where the script's clock starts: live answers carry it
   * until all the earlier ones have come, so that they do not move the clock past what the earlier attempt saw
   * (automation.md §5, Same way again).
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
