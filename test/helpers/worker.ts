import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ShopFacts } from '../../contract/runner.ts';
import { compileTaskSource } from '../../contract/task-source.ts';
import { readFrames, writeFrame } from '../../runner/frames.ts';
import { NODE_FLAGS } from '../../runner/isolation/launch.ts';
import { preludeFile } from '../../runner/prelude.ts';
import { FromWorker, type ToWorker } from '../../runner/protocol.ts';
import { LogPayload } from '../../runner/run-log.ts';
import { transformTypeScript } from '../../server/source-check/transform.ts';

export type Call = { id: number; operation: string; payload: unknown; text: string };
export type ScriptedAnswer = Omit<Extract<ToWorker, { type: 'answer' }>, 'type' | 'id'> | null;
/** Answers a call as the runner would; null: there is no answer. */
export type Responder = (call: Call) => ScriptedAnswer | Promise<ScriptedAnswer>;
export type WorkerEnd = { code: number | null; signal: string | null; stderr: string };
export type RunOptions = {
  respond?: Responder;
  parameters?: object;
  checkpoint?: object | null;
  shop?: Partial<ShopFacts>;
  nowMs?: number;
  /** When the first run began; else `nowMs`. */
  beganMs?: number;
  seed?: string;
  heapMib?: number;
  /** Called when the script can continue only with another answer. */
  onRest?: () => void;
  /** Called with each event as it comes. */
  onEvent?: (event: { kind: string }) => void;
};
export type Done = Extract<FromWorker, { type: 'done' }>;
export type RunReport = { done: Done; logs: string[]; events: unknown[]; calls: Call[]; result: unknown };
export type TestWorker = {
  pid: number;
  /** Runs a script to its end; rejects if the process dies first. */
  run(source: string, options?: RunOptions): Promise<RunReport>;
  /** Starts a script and resolves with the first event that it sends. */
  runUntilEvent(source: string, options?: RunOptions): Promise<unknown>;
  ended: Promise<WorkerEnd>;
  /** Closes the pipe, as happens when a runner dies. */
  hangUp(): Promise<WorkerEnd>;
  kill(): Promise<WorkerEnd>;
  /** Sets whether this process stays alive as long as the worker does. */
  keepAwake(isKept: boolean): void;
};

const MAIN = fileURLToPath(new URL('../../runner/worker/main.ts', import.meta.url));
const SEED = 'ab'.repeat(32);
/** The drawn part of the placeholders for secrets. */
export const MARK = '123456789'.repeat(5).slice(0, 39);
/** The heap of the isolate that a worker makes before its run. */
const HEAP_MIB = 128;
let prelude: Promise<string> | undefined;

/** What the runner sends of a source: what the server compiled of it, else the source, for which the worker reports the fault. */
function scriptOf(source: string): { source: string; code: string | null } {
  const compiled = compileTaskSource(source, transformTypeScript);
  return compiled.ok ? { source: '', code: compiled.code } : { source, code: null };
}

/** Calls `use` with a real worker process, which is always killed afterwards. */
export async function withWorker<T>(use: (worker: TestWorker) => Promise<T>): Promise<T> {
  const worker = await startWorker();
  try {
    return await use(worker);
  } finally {
    await worker.kill();
  }
}

/** A worker for the next script, of any test file of the process. It does not keep the process alive, and ends with it. */
let spare: TestWorker | undefined;

/** Runs one script in a new isolate. Its worker process may have served other runs, all of which ended cleanly. */
export async function runScript(source: string, options?: RunOptions): Promise<RunReport> {
  const worker = spare ?? (await startWorker());
  worker.keepAwake(true);
  spare = undefined;
  try {
    const report = await worker.run(source, options);
    if (report.done.reusable && !spare) {
      spare = worker;
      worker.keepAwake(false);
    }
    return report;
  } finally {
    if (spare !== worker) await worker.kill();
  }
}

async function startWorker(): Promise<TestWorker> {
  prelude ??= preludeFile();
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN, await prelude], { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const pipe = child.stdio[3];
  assert(pipe instanceof Socket && child.stderr instanceof Socket);
  const handles = [child, pipe, child.stderr];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-10_000);
  });
  pipe.on('error', () => {});
  const ended = new Promise<WorkerEnd>((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stderr })));

  const ready = Promise.withResolvers<void>();
  let receive: (message: FromWorker) => void = (message) => {
    if (message.type === 'ready') ready.resolve();
  };
  readFrames(
    pipe,
    (frame) => receive(FromWorker.parse(frame)),
    () => child.kill('SIGKILL'),
  );
  await Promise.race([ready.promise, ended.then((end) => Promise.reject(new Error(`the worker did not start: ${end.stderr}`)))]);

  // As the runner does, so that most scripts run in an isolate that was made before.
  const prepare = (): void => send({ type: 'prepare', heap_mib: HEAP_MIB });
  prepare();

  function start(source: string, options: RunOptions, onMessage: (message: FromWorker) => void): void {
    const { parameters = {}, checkpoint = null, shop = {}, nowMs = 1_700_000_000_000, seed = SEED, heapMib = HEAP_MIB } = options;
    receive = (message) => {
      if (message.type === 'done' && message.reusable) prepare();
      onMessage(message);
    };
    if (heapMib !== HEAP_MIB) send({ type: 'prepare', heap_mib: null });
    send({
      type: 'start',
      ...scriptOf(source),
      task_id: 7,
      now_ms: nowMs,
      began_ms: options.beganMs ?? nowMs,
      seed,
      secret_mark: MARK,
      parameters: JSON.stringify(parameters),
      checkpoint: JSON.stringify(checkpoint),
      shop: JSON.stringify({ timezone: 'UTC', currency: 'EUR', currency_exponent: 2, locale: 'en', ...shop } satisfies ShopFacts),
      permissions: [],
      heap_mib: heapMib,
      ...(options.onRest && { rests: true }),
    });
  }

  function send(message: ToWorker): void {
    if (pipe instanceof Socket && !pipe.destroyed) writeFrame(pipe, message);
  }

  return {
    pid: child.pid ?? 0,
    ended,
    keepAwake(isKept) {
      for (const handle of handles) isKept ? handle.ref() : handle.unref();
    },
    async hangUp() {
      pipe.destroy();
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      return ended;
    },
    run(source, options = {}) {
      const { respond = () => ({ value: 'null' }), onRest } = options;
      let answers = 0;
      const report: Omit<RunReport, 'done' | 'result'> = { logs: [], events: [], calls: [] };
      return new Promise((resolve, reject) => {
        void ended.then((end) => reject(new Error(`the worker died: ${end.signal ?? end.code} ${end.stderr}`)));
        start(source, options, (message) => {
          if (message.type === 'done') {
            const result: unknown = message.result === null ? null : JSON.parse(message.result);
            resolve({ ...report, done: message, result });
          } else if (message.type === 'call' && message.id === 0) {
            const event = eventOf(message);
            report.events.push(event);
            options.onEvent?.(event);
            if (event.kind === 'log') report.logs.push(LogPayload.parse(event).line);
          } else if (message.type === 'rest') {
            if (message.answers === answers) onRest?.();
          } else if (message.type === 'call') {
            const { id, operation, payload } = message;
            const call: Call = { id, operation, payload: JSON.parse(payload), text: payload };
            report.calls.push(call);
            void Promise.resolve(respond(call)).then((answer) => {
              if (!answer) return;
              answers += 1;
              send({ type: 'answer', id, ...answer });
            }, reject);
          }
        });
      });
    },
    runUntilEvent(source, options = {}) {
      return new Promise((resolve, reject) => {
        void ended.then((end) => reject(new Error(`the worker died: ${end.signal ?? end.code} ${end.stderr}`)));
        start(source, options, (message) => {
          if (message.type === 'call' && message.id === 0) resolve(eventOf(message));
        });
      });
    },
  };
}

/** The event that a script's call reports: a log line, a result or progress. */
function eventOf({ operation, payload }: Extract<FromWorker, { type: 'call' }>): { kind: string } {
  return { ...JSON.parse(payload), kind: operation };
}
