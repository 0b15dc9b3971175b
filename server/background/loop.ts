import type { Logger } from 'pino';
import { within } from '../../tracing/current.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { Signal } from '../process/signal.ts';

/**
 * `wakes`: a round begins also when it fires, and, if the work returns in how many milliseconds something is due, then. Such a work asks at
 * each round what is due, however often it was woken.
 */
export type Loop = [name: string, ms: number, work: () => Promise<unknown>, wakes?: Signal];

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
  const begun = loops.map(async ([name, ms, work, wakes], n) => {
    // Rounds are no spans, because most find nothing to do; what one asks of other systems begins a trace.
    const round = () => (tracing === null ? attempt(name, work, log) : within(tracing.outside, () => attempt(name, work, log)));
    await new Signal().wait(n * APART_MS, stopping);
    const since = wakes?.count;
    const due = stopping.aborted ? null : await round();
    return { ended: repeat(ms, round, stopping, wakes, { since, due }) };
  });
  const firstRounds = Promise.all(begun);
  return {
    firstRounds: firstRounds.then(() => undefined),
    ended: firstRounds.then((all) => Promise.all(all.map(({ ended }) => ended))).then(() => undefined),
  };
}

type Last = { since: number | undefined; due: number | null };

/** Does the work every `ms`, when it is due, and when `wakes` fires, first after `ms`, until `stopping`. `last`: of the round before. */
async function repeat(
  ms: number,
  round: () => Promise<number | null>,
  stopping: AbortSignal,
  wakes: Signal | undefined,
  last: Last,
): Promise<void> {
  const ticks = new Signal();
  let { since, due } = last;
  for (;;) {
    await (wakes ?? ticks).wait(wakes ? Math.min(ms, due ?? ms) : ms, stopping, since);
    if (stopping.aborted) return;
    since = wakes?.count;
    due = await round();
  }
}

/** An error is logged, and the work is tried again at the next turn. */
async function attempt(name: string, work: () => Promise<unknown>, log: Logger): Promise<number | null> {
  try {
    const due = await work();
    return typeof due === 'number' ? Math.max(0, due) : null;
  } catch (error) {
    log.error({ err: error }, `${name} failed; it will be tried again`);
    return null;
  }
}
