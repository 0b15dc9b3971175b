const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the n-th failure; there are no more attempts after the last. */
const DELAYS_MS = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR];

/** Failures in a row that an admin hears of (decisions.md SH8). */
const TOLD_AFTER = 3;

/** What becomes of a refund whose request failed for the n-th time; `isRefused`: the courier will never grant it. */
export function afterFailure(attempts: number, isRefused: boolean): { retryInMs: number | null; isTold: boolean } {
  const retryInMs = isRefused ? null : (DELAYS_MS[attempts - 1] ?? null);
  return { retryInMs, isTold: attempts === TOLD_AFTER || (isRefused && attempts < TOLD_AFTER) };
}
