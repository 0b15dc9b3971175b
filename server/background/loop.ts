import type { Logger } from 'pino';
import { Signal } from '../process/signal.ts';

/** Repeats `work` every `ms` until `stopping`; what it throws is logged and tried again at the next turn. */
export async function repeat(name: string, ms: number, work: () => Promise<unknown>, log: Logger, stopping: AbortSignal): Promise<void> {
  const ticks = new Signal();
  while (!stopping.aborted) {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, `${name} failed; it is tried again`);
    }
    await ticks.wait(ms, stopping);
  }
}
