import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** `spent`: the thread cannot be used any more; the next question needs a new one. */
const Answer = z.object({ id: z.int(), result: z.unknown(), spent: z.boolean().default(false) });

/** `failed`: the answer took too long, or the thread broke. */
export type SideAnswer = { failed: false; result: unknown } | { failed: true };

export type SideThread = { ask(question: object): Promise<SideAnswer>; close(): Promise<void> };

type Started = { worker: Worker; isReady: Promise<boolean> };

/** A thread without questions for so long ends: it holds 20 MB and more. */
const IDLE_MS = 10_000;
/** Far more than loading a module takes on a machine that is very busy. */
const START_MAX_MS = 60_000;

/**
 * A thread that processes untrusted input. A bad input can only block or break this thread, which is started again for the next question.
 * It sends one message when it has loaded, handles one question at a time, and answers `{id, …question}` with `{id, result}`. The time-out
 * counts from when it has loaded: its start is no fault of the input. An idle thread does not keep the process alive, and ends after
 * `idleMs`.
 */
export function createSideThread(module: URL, limits: { timeoutMs: number; memoryMb: number; idleMs?: number }): SideThread {
  let thread: Started | undefined;
  let idle: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let nextId = 1;

  const start = (): Started => {
    const worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const { promise: isReady, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), START_MAX_MS);
    worker
      .once('message', () => resolve(true))
      .once('error', () => resolve(false))
      .once('exit', () => resolve(false));
    void isReady.then(() => clearTimeout(timer));
    return { worker, isReady };
  };

  const drop = async (): Promise<void> => {
    clearTimeout(idle);
    const old = thread;
    thread = undefined;
    await old?.worker.terminate();
  };

  const ask = async (question: object): Promise<SideAnswer> => {
    clearTimeout(idle);
    thread ??= start();
    const { worker: current, isReady } = thread;
    current.ref();
    if (!(await isReady)) {
      await drop();
      return { failed: true };
    }
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
    else if (thread) idle = setTimeout(() => void drop(), limits.idleMs ?? IDLE_MS).unref();
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
