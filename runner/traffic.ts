import { setTimeout as delay } from 'node:timers/promises';

/** Counts the calls of one run that are under way at the server. */
export type Traffic = {
  /** Counts the call as under way until it settles. */
  during<T>(call: () => Promise<T>): Promise<T>;
  /** Called inside a call: waits until all other calls have settled and the script has sent no new one for a moment. */
  quiet(alive: () => boolean): Promise<void>;
  /** Called inside a call: whether another call is under way. */
  hasOthers(): boolean;
};

/** A script usually sends its next call within this time after an answer. If it takes longer, a run may be interrupted needlessly. */
const QUIET_MS = 100;
const LOOK_MS = 10;

export function createTraffic(): Traffic {
  let active = 0;
  let lastActiveAt = Number.NEGATIVE_INFINITY;
  const leave = (): void => {
    active -= 1;
    lastActiveAt = performance.now();
  };
  return {
    async during(call) {
      active += 1;
      try {
        return await call();
      } finally {
        leave();
      }
    },
    async quiet(alive) {
      leave();
      while (alive() && (active > 0 || performance.now() - lastActiveAt < QUIET_MS)) await delay(LOOK_MS);
      active += 1;
    },
    hasOthers: () => active > 1,
  };
}
