import { runnerAgeMs } from '../automation/runs/domain.ts';
import type { Store } from '../db/open.ts';
import { touch } from '../db/touch.ts';

/** The answer of `/readyz`. */
export type Readiness = () => { ready: boolean; checks: Record<string, string> };

/** Longer than any transaction holds the writer in a healthy shop. */
const STALE_MS = 30_000;

/**
 * Checks from time to time whether the store can be written to. `/readyz` reports the last result, so that requests without a token,
 * however many, never use the store.
 */
export function createPulse(store: Store): { check(): Promise<void>; readiness: Readiness } {
  let last = { at: Number.NEGATIVE_INFINITY, isWritable: false, runnerSeenAt: null as number | null };
  return {
    async check() {
      try {
        await store.write(touch, { patient: true });
        const ageMs = await runnerAgeMs(store.reader, store.dialect);
        const at = performance.now();
        last = { at, isWritable: true, runnerSeenAt: ageMs === null ? null : at - ageMs };
      } catch (error) {
        last = { ...last, isWritable: false };
        throw error;
      }
    },
    readiness() {
      const now = performance.now();
      const { at, isWritable, runnerSeenAt } = last;
      const ready = isWritable && now - at < STALE_MS;
      const runner = runnerSeenAt === null ? 'never seen' : `seen ${Math.round((now - runnerSeenAt) / 1000)} s ago`;
      return { ready, checks: { database: ready ? 'writable' : 'not writable', runner } };
    },
  };
}
