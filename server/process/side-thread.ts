import { fork } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** `spent`: the thread cannot be used any more; the next question needs a new one. */
const Answer = z.object({ id: z.int(), result: z.unknown(), spent: z.boolean().default(false) });

/** `failed`: the answer took too long, or the thread broke. */
export type SideAnswer = { failed: false; result: unknown } | { failed: true };

export type SideThread = { ask(question: object): Promise<SideAnswer>; close(): Promise<void> };

/** A thread or process: it sends `message`, and `error` or `exit` when it ends. */
type Side = { events: EventEmitter; post(question: object): void; keepAlive(isAsked: boolean): void; end(): Promise<unknown> };
type Started = { side: Side; isReady: Promise<boolean> };
type Limits = { timeoutMs: number; memoryMb: number; idleMs?: number };

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
export function createSideThread(module: URL, limits: Limits): SideThread {
  return createSide(() => {
    const worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    return {
      events: worker,
      post: (question) => worker.postMessage(question),
      keepAlive: (isAsked) => (isAsked ? worker.ref() : worker.unref()),
      end: () => worker.terminate(),
    };
  }, limits);
}

/** Of the processor, in all; what is left behind by a server that was killed ends by it. */
const CPU_MAX_SECONDS = 600;

/**
 * The same as a process, whose environment is empty, for what could use up so much memory at once that not only its thread would end. The
 * module uses `process.send` and `process.on('message')`.
 */
export function createSideProcess(module: URL, limits: Limits): SideThread {
  return createSide(() => {
    const flags = [`--max-old-space-size=${limits.memoryMb}`, '--disable-warning=ExperimentalWarning'];
    const child = fork(fileURLToPath(module), {
      execPath: '/bin/sh',
      execArgv: ['-c', `ulimit -t ${CPU_MAX_SECONDS}; exec "$0" "$@"`, process.execPath, ...flags],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // What is sent to a process that has just ended is an error of its own, which nobody may be waiting for any more.
    child.on('error', () => undefined);
    return {
      events: child,
      post: (question) => child.send(question),
      keepAlive: (isAsked) => {
        for (const one of [child, child.channel]) isAsked ? one?.ref() : one?.unref();
      },
      end: async () => child.kill('SIGKILL'),
    };
  }, limits);
}

function createSide(open: () => Side, limits: Limits): SideThread {
  let thread: Started | undefined;
  let idle: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let nextId = 1;

  const start = (): Started => {
    const side = open();
    const { promise: isReady, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), START_MAX_MS);
    side.events
      .once('message', () => resolve(true))
      .once('error', () => resolve(false))
      .once('exit', () => resolve(false));
    void isReady.then(() => clearTimeout(timer));
    return { side, isReady };
  };

  const drop = async (): Promise<void> => {
    clearTimeout(idle);
    const old = thread;
    thread = undefined;
    await old?.side.end();
  };

  const ask = async (question: object): Promise<SideAnswer> => {
    clearTimeout(idle);
    thread ??= start();
    const { side: current, isReady } = thread;
    current.keepAlive(true);
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
    current.events.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    current.post({ ...question, id });
    const answer = await promise;
    clearTimeout(timer);
    current.events.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    current.keepAlive(false);
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
