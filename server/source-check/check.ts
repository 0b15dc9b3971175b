import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { SourceWarning } from '../../contract/tasks.ts';

const Answer = z.object({ id: z.int(), warnings: z.array(SourceWarning), spent: z.boolean() });
/** A source that takes longer is not parsed any further; it fails when it runs, if it does. */
const TIMEOUT_MS = 5000;
const UNREADABLE: SourceWarning = { line: 1, column: 1, message: 'the source is too long or nested too deep to be parsed in time' };

export type SourceChecker = { check(source: string): Promise<SourceWarning[]>; close(): Promise<void> };

/** Parses sources in a thread of its own: a hostile one can hold up or break nothing but that thread. */
export function createSourceChecker(): SourceChecker {
  let thread: Worker | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let nextId = 1;

  const drop = async (): Promise<void> => {
    const old = thread;
    thread = undefined;
    await old?.terminate();
  };

  const ask = async (source: string): Promise<SourceWarning[]> => {
    thread ??= new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const current = thread;
    const id = nextId++;
    const { promise, resolve } = Promise.withResolvers<SourceWarning[] | 'failed'>();
    const timer = setTimeout(() => resolve('failed'), TIMEOUT_MS);
    const onMessage = (message: unknown): void => {
      const answer = Answer.parse(message);
      if (answer.id !== id) return;
      if (answer.spent) void drop();
      resolve(answer.warnings);
    };
    const onEnd = (): void => resolve('failed');
    current.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    current.postMessage({ id, source });
    const result = await promise;
    clearTimeout(timer);
    current.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    if (result !== 'failed') return result;
    await drop();
    return [UNREADABLE];
  };

  return {
    check: (source) => {
      const answer = queue.then(() => ask(source));
      queue = answer.catch(() => undefined);
      return answer;
    },
    close: drop,
  };
}
