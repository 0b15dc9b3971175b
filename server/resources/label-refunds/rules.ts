const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after the n-th failure; after the last delay there are no more attempts. */
const DELAYS_MS = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR];

/** After this many failures in a row the admins are notified (spec SH8). */
const TOLD_AFTER = 3;

/**
 * What to do after the n-th failure of a refund: the delay until the next attempt (null: none), and whether the admins are
 * notified. `isRefused`: the courier will never grant it.
 */
export function afterFailure(attempts: number, isRefused: boolean): { retryInMs: number | null; isTold: boolean } {
  const retryInMs = isRefused ? null : (DELAYS_MS[attempts - 1] ?? null);
  return { retryInMs, isTold: attempts === TOLD_AFTER || (isRefused && attempts < TOLD_AFTER) };
}
