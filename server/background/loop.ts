import type { Logger } from 'pino';
import { within } from '../../tracing/current.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { Signal } from '../process/signal.ts';

export type Loop = [name: string, ms: number, work: () => Promise<unknown>];

/** `firstRounds` resolves when each work was done once, `ended` after `stopping`, when none is under way. */
export type Repeated = { firstRounds: Promise<void>; ended: Promise<void> };

type Around = { log: Logger; tracing: Tracing | null; stopping: AbortSignal };

/** The time between the starts of two loops. Most rounds take less. */
const APART_MS = 40;

/**
 * Repeats several works, and starts one after the other. If all began at once, those with the same period would want a connection each
 * at the same moment, in every round, and PostgreSQL would keep one for each of them. Apart, they take turns on a few.
 */
export function repeatApart(loops: readonly Loop[], { log, tracing, stopping }: Around): Repeated {
  const begun = loops.map(async ([name, ms, work], n) => {
    // Rounds are no spans, because most find nothing to do; what one asks of other systems begins a trace.
    const round = () => (tracing === null ? attempt(name, work, log) : within(tracing.outside, () => attempt(name, work, log)));
    await new Signal().wait(n * APART_MS, stopping);
    if (!stopping.aborted) await round();
    return { ended: repeat(ms, round, stopping) };
  });
  const firstRounds = Promise.all(begun);
  return {
    firstRounds: firstRounds.then(() => undefined),
    ended: firstRounds.then((all) => Promise.all(all.map(({ ended }) => ended))).then(() => undefined),
  };
}

/** Does the work every `ms`, first after `ms`, until `stopping`. */
async function repeat(ms: number, round: () => Promise<void>, stopping: AbortSignal): Promise<void> {
  const ticks = new Signal();
  for (;;) {
    await ticks.wait(ms, stopping);
    if (stopping.aborted) return;
    await round();
  }
}

/** An error is logged, and the work is tried again at the next turn. */
async function attempt(name: string, work: () => Promise<unknown>, log: Logger): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error }, `${name} failed; it will be tried again`);
  }
}
