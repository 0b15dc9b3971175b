import type { Logger } from 'pino';
import { Signal } from '../process/signal.ts';

export type Loop = [name: string, ms: number, work: () => Promise<unknown>];

/** The time between the starts of two loops. Most rounds take less. */
const APART_MS = 40;

/**
 * Repeats several works, and starts one after the other. If all began at once, those with the same period would want a connection each
 * at the same moment, in every round, and PostgreSQL would keep one for each of them. Apart, they take turns on a few.
 */
export function repeatApart(loops: readonly Loop[], log: Logger, stopping: AbortSignal): Promise<void>[] {
  return loops.map(async ([name, ms, work], n) => {
    await new Signal().wait(n * APART_MS, stopping);
    await repeat(name, ms, work, log, stopping);
  });
}

/** Repeats `work` every `ms` until `stopping`. An error is logged, and the work is tried again at the next turn. */
export async function repeat(name: string, ms: number, work: () => Promise<unknown>, log: Logger, stopping: AbortSignal): Promise<void> {
  const ticks = new Signal();
  while (!stopping.aborted) {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, `${name} failed; it will be tried again`);
    }
    await ticks.wait(ms, stopping);
  }
}
