import { hashToken } from '../resources/tokens/secret.ts';
import type { Actor } from '../verbs/context.ts';

const MAX_KNOWN = 1000;
/** Nothing of the actor changes while the claim is in force but the name of its admin, which may be this old. */
const KEPT_MS = 60_000;

/**
 * Who the tokens of runs speak for. That a claim was in force when it was looked up means nothing later: each
 * transaction of a run's token locks the claim and checks it (journal.ts), and a request that was refused before its
 * transaction is refused as the claim stands then.
 */
export class RunTokens {
  readonly #known = new Map<string, { actor: Actor; readAt: number }>();

  find(token: string): Actor | undefined {
    const known = this.#known.get(hashToken(token));
    return known && performance.now() - known.readAt < KEPT_MS ? known.actor : undefined;
  }

  keep(token: string, actor: Actor): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(hashToken(token), { actor, readAt: performance.now() });
  }

  forget(token: string): void {
    this.#known.delete(hashToken(token));
  }
}
