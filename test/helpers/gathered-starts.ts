import { startsClock } from '../../server/automation/gathered-starts/loop.ts';
import { untilNextDue } from '../../server/automation/gathered-starts/store.ts';
import { endExpired } from '../../server/automation/runs/life/expired.ts';
import type { TestApp } from './app.ts';
import { until } from './machines.ts';
import { servicesOf } from './services.ts';
import { passStartTime } from './stored-rows/automation.ts';
import { triggers as triggersOf } from './triggers.ts';

/** Lets events and calls be gathered, and their time come. */
export function gatheredStarts(app: () => TestApp) {
  const { dealtWith } = triggersOf(app);
  /** Opens what is due. The server does so too, and what it is about to open is no more for others to open. */
  const opened = async (): Promise<void> => {
    const { store } = app();
    const open = startsClock(await servicesOf(store));
    await until('no start is due', async () => {
      await open();
      const left = await untilNextDue({ db: store.reader, dialect: store.dialect });
      return left === null || left > 0;
    });
  };
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
