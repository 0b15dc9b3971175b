import { runnerAgeMs } from '../automation/runs/domain.ts';
import type { Store } from '../db/open.ts';
import { touch } from '../db/touch.ts';

/** What `/readyz` tells. */
export type Readiness = () => { ready: boolean; checks: Record<string, string> };

/** Longer than any transaction holds the writer of a shop that is well. */
const STALE_MS = 30_000;

/**
 * Whether the store can be written to, felt every now and then: `/readyz` tells the last of it, so that whoever asks,
 * without a token and however often, takes nothing from the shop.
 */
export function createPulse(store: Store): { feel(): Promise<void>; readiness: Readiness } {
  let felt = { at: Number.NEGATIVE_INFINITY, isWritable: false, runnerSeenAt: null as number | null };
  return {
    async feel() {
      try {
        await store.write(touch, { patient: true });
        const ageMs = await runnerAgeMs(store.reader, store.dialect);
        const at = performance.now();
        felt = { at, isWritable: true, runnerSeenAt: ageMs === null ? null : at - ageMs };
      } catch (error) {
        felt = { ...felt, isWritable: false };
        throw error;
      }
    },
    readiness() {
      const now = performance.now();
      const { at, isWritable, runnerSeenAt } = felt;
      const ready = isWritable && now - at < STALE_MS;
      const runner = runnerSeenAt === null ? 'never seen' : `seen ${Math.round((now - runnerSeenAt) / 1000)} s ago`;
      return { ready, checks: { database: ready ? 'writable' : 'not writable', runner } };
    },
  };
}
