/** Before each attempt, counted from the end of the one before (decisions.md §2, Outbound webhooks). */
const DELAYS_MS = [0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000];

const LONGEST_WAIT_MS = 86_400_000;

/**
 * How long to wait after so many attempts, up to a fifth longer so that many do not come at once; at least what the
 * receiver asked for with Retry-After. null: no further attempt. `random`: 0 to 1.
 */
export function nextDelayMs(attempts: number, random: number, retryAfterMs: number | null): number | null {
  const delay = DELAYS_MS[attempts];
  if (delay === undefined) return null;
  return Math.round(Math.max(delay * (1 + 0.2 * random), Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS)));
}
