import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** `spent`: the thread cannot be used any more; the next question needs a new one. */
const Answer = z.object({ id: z.int(), result: z.unknown(), spent: z.boolean().default(false) });

/** `failed`: the answer took too long, or the thread broke. */
export type SideAnswer = { failed: false; result: unknown } | { failed: true };

export type SideThread = { ask(question: object): Promise<SideAnswer>; close(): Promise<void> };

/**
 * A thread that processes untrusted input. A bad input can only block or break this thread, which is started again for the next question.
 * It handles one question at a time, and answers `{id, …question}` with `{id, result}`. An idle thread does not keep the process alive.
 */
export function createSideThread(module: URL, limits: { timeoutMs: number; memoryMb: number }): SideThread {
  let thread: Worker | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let nextId = 1;

  const drop = async (): Promise<void> => {
    const old = thread;
    thread = undefined;
    await old?.terminate();
  };

  const ask = async (question: object): Promise<SideAnswer> => {
    thread ??= new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const current = thread;
    current.ref();
    const id = nextId++;
    const { promise, resolve } = Promise.withResolvers<SideAnswer>();
    const timer = setTimeout(() => resolve({ failed: true }), limits.timeoutMs);
    const onMessage = (message: unknown): void => {
      const answer = Answer.parse(message);
      if (answer.id !== id) return;
      if (answer.spent) void drop();
      resolve({ failed: false, result: answer.result });
    };
    const onEnd = (): void => resolve({ failed: true });
    current.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    current.postMessage({ ...question, id });
    const answer = await promise;
    clearTimeout(timer);
    current.off('message', onMessage).off('error', onEnd).off('exit', onEnd).unref();
    if (answer.failed) await drop();
    return answer;
  };

  return {
    ask: (question) => {
      const answer = queue.then(() => ask(question));
      queue = answer.catch(() => undefined);
      return answer;
    },
    close: drop,
  };
}
