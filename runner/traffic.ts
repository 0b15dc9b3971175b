import { setTimeout as delay } from 'node:timers/promises';

/** The calls of one run that are at the server, and when there are none. */
export type Traffic = {
  /** One call from its sending to its answer. */
  during<T>(call: () => Promise<T>): Promise<T>;
  /** Steps aside until all other calls have settled, and what the script makes of their answers too. */
  quiet(alive: () => boolean): Promise<void>;
  /** Whether another call than the one that asks is under way. */
  hasOthers(): boolean;
};

/** A script's next call comes within this after an answer; where it does not, the run is interrupted in vain, no more. */
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
