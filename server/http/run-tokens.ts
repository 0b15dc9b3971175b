import { hashToken } from '../resources/tokens/secret.ts';
import type { Actor } from '../verbs/context.ts';

const MAX_KNOWN = 1000;
/** While the claim is in force, only the name of the actor's admin can change; the remembered name may be this old. */
const KEPT_MS = 60_000;

/**
 * Remembers the actor of each run token, so that it is not looked up at every call. A remembered claim may have ended meanwhile, which is
 * safe: each transaction of a run's token locks the claim and checks it (calls/journal/claims.ts), and a request that was refused earlier is checked
 * again before its refusal is sent.
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
