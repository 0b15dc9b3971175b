/** The delay before each attempt, counted from the end of the attempt before (spec WH3). */
const DELAYS_MS = [0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000];

const LONGEST_WAIT_MS = 86_400_000;

/**
 * The delay after so many attempts, up to 20 % longer so that many deliveries do not come at once, and at least what the
 * receiver's Retry-After asks for. null: no further attempt. `random` is from 0 to 1.
 */
export function nextDelayMs(attempts: number, random: number, retryAfterMs: number | null): number | null {
  const delay = DELAYS_MS[attempts];
  if (delay === undefined) return null;
  return Math.round(Math.max(delay * (1 + 0.2 * random), Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS)));
}
