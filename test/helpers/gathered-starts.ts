import { startsClock } from '../../server/automation/gathered-starts/loop.ts';
import { endExpired } from '../../server/automation/runs/life/expired.ts';
import type { TestApp } from './app.ts';
import { servicesOf } from './services.ts';
import { passStartTime } from './stored-rows/automation.ts';
import { triggers as triggersOf } from './triggers.ts';

/** Lets events and calls be gathered, and their time come. */
export function gatheredStarts(app: () => TestApp) {
  const { dealtWith } = triggersOf(app);
  const opened = async () => startsClock(await servicesOf(app().store))();
  /** Lets so much time pass, and opens what is due then. */
  const pass = async (ms: number): Promise<void> => {
    await dealtWith();
    await passStartTime(app().store, ms);
    await opened();
    await endExpired(await servicesOf(app().store));
  };
  const waitingOf = async (taskId: number) => (await app().client.ai_tasks.list_gathered_starts(taskId)).starts;
  return { opened, pass, waitingOf };
}
