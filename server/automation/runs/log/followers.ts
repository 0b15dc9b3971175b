import { pause, type Signal } from '../../../process/signal.ts';
import type { Services } from '../../../services.ts';
import * as store from '../rows/store.ts';

/** The poll interval that is promised (spec SS4), where other servers are not heard. */
const POLL_MS = 750;

/** A stream that waits for lines after number `seq` and for other details (null: for neither) or for the end of its run; `signal` wakes it. */
type Follower = { runId: number; told: Told | null; signal: Signal };
/** What a stream has told: the last line, and the number of the details. */
export type Told = { seq: number; details: number };
type Followers = { waiting: Set<Follower>; isLooking: boolean };

const followers = new WeakMap<Services, Followers>();

/**
 * Waits until the run may have news or has ended, at most `ms`, or until `until` aborts. `since`: the signal's count
 * before the stream looked last. For what no notice tells of, all streams share one query, so that a thousand do not ask one by one.
 */
export async function waitForProgress(
  services: Services,
  { since, ...follower }: Follower & { since: number },
  ms: number,
  until: AbortSignal,
): Promise<void> {
  const all = followersOf(services);
  all.waiting.add(follower);
  if (!all.isLooking) lookOn(services, all);
  await follower.signal.wait(ms, until, since);
  all.waiting.delete(follower);
}

function followersOf(services: Services): Followers {
  const known = followers.get(services) ?? { waiting: new Set(), isLooking: false };
  followers.set(services, known);
  return known;
}

/** Looks at the followed runs again and again, as long as any stream waits. */
function lookOn(services: Services, all: Followers): void {
  all.isLooking = true;
  const look = async (): Promise<void> => {
    const waiting = [...all.waiting];
    const runs = await store.selectProgress(services.store.reader, [...new Set(waiting.map(({ runId }) => runId))]);
    for (const { runId, told, signal } of waiting) {
      const run = runs.get(runId);
      if (run?.status !== 'running' || (told !== null && (run.log_lines > told.seq || run.details_number !== told.details))) signal.wake();
    }
  };
  const run = async (): Promise<void> => {
    while (all.waiting.size > 0 && !services.stopping.aborted) {
      await pause(services.broadcast.pollMs(POLL_MS), services.stopping);
      await look().catch((err: unknown) =>
        services.log.warn({ err }, 'the followed runs could not be read; the next look finds their news'),
      );
    }
    all.isLooking = false;
  };
  void run();
}
