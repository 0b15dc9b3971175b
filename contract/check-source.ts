import { parentPort, Worker, workerData } from 'node:worker_threads';
import { canStripTypes, compileTaskSource, type SourceFault } from './task-source.ts';

export type SourceChecker = {
  /** What is wrong with a task's source; never rejects. */
  check(source: string): Promise<SourceFault[]>;
  close(): Promise<void>;
};

const THREAD = 'check-source';
const TIMEOUT_MS = 5000;
type Reply = { faults: SourceFault[]; broken: boolean };

/**
 * Checks sources in a thread of its own: 1 MiB takes hundreds of milliseconds, and a hostile source breaks the type
 * stripper of the thread that reads it. Such a thread is thrown away.
 */
export function createSourceChecker(): SourceChecker {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  return {
    check(source) {
      const checked = last.then(() => ask(source));
      last = checked;
      return checked;
    },
    async close() {
      await last;
      await thread?.terminate();
      thread = undefined;
    },
  };

  function ask(source: string): Promise<SourceFault[]> {
    thread ??= new Worker(new URL(import.meta.url), { workerData: THREAD, execArgv: ['--disable-warning=ExperimentalWarning'] }).on('error', () => {});
    const asked = thread;
    asked.unref();
    return new Promise((resolve) => {
      const settle = (faults: SourceFault[], broken: boolean): void => {
        clearTimeout(timer);
        asked.removeAllListeners('message').removeAllListeners('exit');
        if (broken) {
          thread = undefined;
          void asked.terminate();
        }
        resolve(faults);
      };
      const timer = setTimeout(() => settle([{ line: 1, column: 1, message: 'the source takes too long to read' }], true), TIMEOUT_MS);
      asked.once('message', ({ faults, broken }: Reply) => settle(faults, broken));
      asked.once('exit', () => settle([{ line: 1, column: 1, message: 'the source is nested too deep, or its lines are too long, to be read' }], true));
      asked.postMessage(source);
    });
  }
}

if (workerData === THREAD) {
  parentPort?.on('message', (source: string) => {
    const compiled = compileTaskSource(source);
    const reply: Reply = compiled.ok ? { faults: [], broken: false } : { faults: compiled.warnings, broken: !canStripTypes() };
    parentPort?.postMessage(reply);
  });
}
