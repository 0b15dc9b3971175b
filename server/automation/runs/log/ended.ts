import type { Services } from '../../../services.ts';
import * as store from '../rows/store.ts';

/** How often to look whether a run has ended where other servers are not heard. */
const LOOK_MS = 750;

/** Waits until the run has ended, at most so many seconds, or until `until` aborts. */
export async function waitForEnd(
  services: Pick<Services, 'store' | 'broadcast' | 'runFollowers'>,
  runId: number,
  { seconds, until }: { seconds: number; until: AbortSignal },
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const { signal, leave } = services.runFollowers.follow(runId);
  try {
    for (;;) {
      const since = signal.count;
      const run = (await store.selectProgress(services.store.reader, [runId])).get(runId);
      const leftMs = end - performance.now();
      if (run?.status !== 'running' || leftMs <= 0 || until.aborted) return;
      await signal.wait(Math.min(services.broadcast.pollMs(LOOK_MS), leftMs), until, since);
    }
  } finally {
    leave();
  }
}
