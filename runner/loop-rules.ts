/**
 * Each slot is free, asked for by a poll, or busy with a run; a poll waits on the server until there is work. After an answer that gave
 * none too soon, or none at all, the loop rests; while the server fails, one poll at a time asks for all free slots.
 */
export type LoopState = {
  /** Slots that are busy, and those that polls under way ask for. */
  busy: number;
  asked: number;
  polls: number;
  /** Runs whose slots are free though their ends are still being reported. */
  reporting: number;
  /** Polls that failed since the last one that was answered, and those of them where the token was refused. */
  failures: number;
  refusals: number;
  resting: boolean;
  /** The server has answered a poll. */
  wasAnswered: boolean;
};

const WAIT_MS = 20_000;
const RETRY_FIRST_MS = 200;
const RETRY_MAX_MS = 5000;
/** When an empty answer comes sooner than this, the server did not wait for work; asking again at once would be a busy loop. */
const EMPTY_MIN_MS = 100;
const UNAUTHORISED_TRIES = 3;

/** For how many slots a poll is to ask now; 0: no poll. */
export function slotsToAsk({ busy, asked, polls, failures, resting }: LoopState, slots: number): number {
  return resting || (failures > 0 && polls > 0) ? 0 : Math.max(0, slots - busy - asked);
}

/** How long the server may wait for work. Its first answer comes at once, so that a wrong token or address shows at the start. */
export function waitOf({ wasAnswered }: LoopState): number {
  return wasAnswered ? WAIT_MS : 0;
}

/** How long the loop rests after a poll. `claims`: how many it brought; null: it failed. */
export function restAfter({ failures }: LoopState, poll: { claims: number | null; waitMs: number; tookMs: number }): number {
  if (poll.claims === null) return Math.min(RETRY_FIRST_MS * 2 ** Math.min(failures - 1, 10), RETRY_MAX_MS);
  return poll.claims === 0 && poll.waitMs > 0 && poll.tookMs < EMPTY_MIN_MS ? RETRY_FIRST_MS : 0;
}

/** Whether the server has refused the token so often that the runner gives up. */
export function isRefused({ refusals }: LoopState): boolean {
  return refusals >= UNAUTHORISED_TRIES;
}
