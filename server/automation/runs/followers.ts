import { Signal } from '../../process/signal.ts';
import type { Services } from '../../services.ts';
import * as store from './store.ts';

/** The poll interval that the specification names (storefront-admin-api.md). */
const POLL_MS = 750;
/** A stream reads no more often than this, however often its run reports. */
const PAUSE_MS = 50;

/** A stream that waits for lines after number `seq` (null: for none) or for the end of its run. */
type Follower = { runId: number; seq: number | null; wake(): void };
type Followers = { waiting: Set<Follower>; isLooking: boolean };

const followers = new WeakMap<Omit<Services, 'store'>, Followers>();

/**
 * Waits until the run may have lines after number `seq` or has ended, at most `ms`, or until `until` aborts. What this server stores is
 * noticed at once. For what other servers store, all streams share one query, so that a thousand of them do not ask one by one.
 */
export async function waitForNews(services: Services, of: Pick<Follower, 'runId' | 'seq'>, ms: number, until: AbortSignal): Promise<void> {
  const all = followersOf(services);
  const news = new Signal();
  const follower = { ...of, wake: () => news.fire() };
  const pause = new Signal().wait(PAUSE_MS, until);
  all.waiting.add(follower);
  if (!all.isLooking) lookOn(services, all);
  await news.wait(ms, until);
  all.waiting.delete(follower);
  await pause;
}

/** To be called after a transaction that stored lines of the run or its end. */
export function tellFollowers(services: Omit<Services, 'store'>, runId: number): void {
  for (const one of followers.get(services)?.waiting ?? []) if (one.runId === runId) one.wake();
}

function followersOf(services: Services): Followers {
  const known = followers.get(services) ?? { waiting: new Set(), isLooking: false };
  followers.set(services, known);
  return known;
}

/** Looks at the followed runs again and again, as long as any stream waits. */
function lookOn(services: Services, all: Followers): void {
  all.isLooking = true;
  const ticks = new Signal();
  const look = async (): Promise<void> => {
    const waiting = [...all.waiting];
    const runs = await store.selectNews(services.store.reader, [...new Set(waiting.map(({ runId }) => runId))]);
    for (const { runId, seq, wake } of waiting) {
      const run = runs.get(runId);
      if (run?.status !== 'running' || (seq !== null && run.log_lines > seq)) wake();
    }
  };
  const run = async (): Promise<void> => {
    while (all.waiting.size > 0 && !services.stopping.aborted) {
      await ticks.wait(POLL_MS, services.stopping);
      await look().catch((err: unknown) =>
        services.log.warn({ err }, 'the followed runs could not be read; the next look finds their news'),
      );
    }
    all.isLooking = false;
  };
  void run();
}
