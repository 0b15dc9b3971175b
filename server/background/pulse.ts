import { runnerAgeMs } from '../automation/runs/rows/domain.ts';
import type { Store } from '../db/open.ts';

/** The answer of `/readyz`. */
export type Readiness = () => { ready: boolean; checks: Record<string, string> };

/** One transaction of another process may hold SQLite's writer for this long, before this server says that it cannot write. */
const HELD_MS = 30_000;

export type Pulse = { check(): Promise<void>; lookForRunners(): Promise<void>; readiness: Readiness };

/**
 * Checks from time to time whether the store can be written to. `/readyz` reports the last result, so that requests without a token,
 * however many, never use the store. `now`: milliseconds of a clock that never goes back.
 */
export function createPulse(store: Pick<Store, 'probe' | 'reader' | 'dialect'>, now: () => number = () => performance.now()): Pulse {
  let isRefused = false;
  let writableAt = Number.NEGATIVE_INFINITY;
  let runnerSeenAt: number | null = null;
  return {
    async check() {
      try {
        if ((await store.probe.look()) === 'writable') writableAt = now();
        isRefused = false;
      } catch (error) {
        isRefused = true;
        throw error;
      }
    },
    /** Apart from the check, because this read waits for a connection as requests do. */
    async lookForRunners() {
      const ageMs = await runnerAgeMs(store.reader);
      runnerSeenAt = ageMs === null ? null : now() - ageMs;
    },
    readiness() {
      const ready = !isRefused && now() - writableAt < HELD_MS;
      const runner = runnerSeenAt === null ? 'never seen' : `seen ${Math.round((now() - runnerSeenAt) / 1000)} s ago`;
      return { ready, checks: { database: ready ? 'writable' : 'not writable', runner } };
    },
  };
}
