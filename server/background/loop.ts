import type { Logger } from 'pino';
import { Signal } from '../process/signal.ts';

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
