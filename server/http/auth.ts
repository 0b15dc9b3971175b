import { RUN_TOKEN_PREFIX } from '../../contract/runner.ts';
import type { Actor } from '../context.ts';
import { Refusal } from '../problem.ts';
import { type Authentication, authenticate as authenticateToken } from '../resources/tokens/domain.ts';
import { updateLastUsed } from '../resources/tokens/store.ts';
import type { Services } from '../services.ts';
import { type RateLimiter, tellLimit } from './rate-limit.ts';
import type { RunTokens } from './run-tokens.ts';

export const UNAUTHORIZED_DETAIL = 'Send Authorization: Bearer <ACCESS_TOKEN> with a token that is known, not expired and not revoked.';
export const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;
/** Of one address. */
export const FAILED_LOGINS_PER_MINUTE = 20;
const USED_EVERY_MS = 60_000;

/**
 * `fenced`: a run's token whose claim has ended; it is good for nothing but an answer that it was given before.
 * `unchecked`: a run's token whose claim was in force when it was looked up, which may have been before this request: it
 * may have ended since.
 */
export type Authenticated = { actor: Actor; tokenId: number | null; fenced: boolean; unchecked?: string };

/** 401 with one body for every reason (decisions.md AU6); too many of them from one address are 429. */
export async function authenticate(
  services: Services,
  header: string | undefined,
  ip: string,
  failures: RateLimiter,
  runTokens: RunTokens,
  setHeader: (name: string, value: string) => void,
): Promise<Authenticated> {
  const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
  const isRun = token?.startsWith(RUN_TOKEN_PREFIX) === true;
  const known = isRun ? runTokens.find(token) : undefined;
  if (isRun && known) return { actor: known, tokenId: null, fenced: false, unchecked: token };
  const now = new Date().toISOString();
  const result: Authentication = token === undefined ? { outcome: 'refused' } : await authenticateToken(services.store.reader, token, now);
  if (result.outcome === 'fenced') return { actor: result.actor, tokenId: null, fenced: true };
  if (result.outcome === 'refused') {
    const taken = failures.take(ip);
    tellLimit(setHeader, 'unauthorized', FAILED_LOGINS_PER_MINUTE, taken);
    if (!taken.allowed) throw tooMany(taken.resetSeconds, 'unauthorized');
    throw new Refusal('unauthorized', UNAUTHORIZED_DETAIL);
  }
  if (isRun) runTokens.keep(token, result.actor);
  if (result.tokenId !== null && (result.usedAt === null || Date.parse(now) - Date.parse(result.usedAt) > USED_EVERY_MS)) {
    noteUse(services, result.tokenId, now);
  }
  return { actor: result.actor, tokenId: result.tokenId, fenced: false, ...(isRun && { unchecked: token }) };
}

export function tooMany(resetSeconds: number, policy: string): Refusal {
  return new Refusal('rate_limited', `Too many requests; try again in ${resetSeconds} s.`, {
    extra: { 'violated-policies': [policy], retry_after: resetSeconds },
  });
}

/** Beside the request: a note of use may be late or lost. */
function noteUse(services: Services, tokenId: number, now: string): void {
  services.store
    .write((tx) => updateLastUsed(tx, tokenId, now))
    .catch((error: unknown) => services.log.warn({ err: error }, 'last use of a token not noted'));
}
