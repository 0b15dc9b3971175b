import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readFrames, writeFrame } from './frames.ts';
import { FromWorker, type ToWorker } from './protocol.ts';
import { dataBytes } from './watchdog.ts';

export type WorkerEnd = { code: number | null; signal: string | null; stderr: string };
export type WorkerListener = { onMessage(message: FromWorker): void; onViolation(message: string): void };

/** A child process that runs one script at a time, and the pipe to it. */
export type WorkerProcess = {
  pid: number;
  /** Resolves when the process is gone and all that it said was read. */
  ended: Promise<WorkerEnd>;
  listen(listener: WorkerListener): void;
  send(message: ToWorker): void;
  /** Bytes sent that the worker has not read yet. */
  unreadBytes(): number;
  kill(): void;
  /** Waits a moment for the last run's isolate to leave the process. */
  settled(): Promise<void>;
};

/** `onStderr`: what a worker prints, as it comes; a worker has nothing to print. */
export type SpawnOptions = { workerMain?: string; onStderr?: (text: string) => void };

const STDERR_KEPT_BYTES = 8 * 1024;
const WORKER_MAIN = fileURLToPath(new URL('./worker/main.ts', import.meta.url));
/** Data segment of at most 1.5 GiB (automation.md §8: below it no isolate starts), no core dumps. */
const LIMITS = 'ulimit -d 1572864 && ulimit -c 0 && unset PWD OLDPWD && exec "$@"';
/**
 * V8 reserves 512 MiB of data segment for each isolate. Node's own, the last run's and the next one's would pass the
 * limit together, and isolated-vm frees a disposed isolate some milliseconds later.
 */
const SETTLED_BYTES = 900 * 1024 * 1024;
const SETTLING_MAX_MS = 150;
const NODE_FLAGS = ['--no-node-snapshot', '--disable-warning=ExperimentalWarning'];
const SETPRIV = '/usr/bin/setpriv';

/** Layers of the sandbox that spawnWorker really applies, as reported with each claim. */
export const isolationLayers = ['process', 'rlimits'];

/**
 * Starts a worker with an empty environment. With setpriv at hand the kernel kills it when the daemon dies:
 * a script in a busy loop would outlive a closed pipe.
 */
export function spawnWorker(preludePath: string, { workerMain = WORKER_MAIN, onStderr = () => {} }: SpawnOptions = {}): WorkerProcess {
  const guard = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--no-new-privs', '--'] : [];
  const child = spawn('/bin/sh', ['-c', LIMITS, 'worker', ...guard, process.execPath, ...NODE_FLAGS, workerMain, preludePath], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const pipe = child.stdio[3];
  const { stderr } = child;
  if (!(pipe instanceof Socket) || stderr === null) throw new Error('a worker process was started without its pipes');

  let tail = Buffer.alloc(0);
  stderr.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_KEPT_BYTES);
    onStderr(chunk.toString('latin1'));
  });
  // Writing to a worker that just died: `ended` tells why.
  pipe.on('error', () => {});

  let listener: WorkerListener | undefined;
  const ended = new Promise<WorkerEnd>((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, stderr: error.message }));
    child.on('close', (code, signal) => resolve({ code, signal, stderr: tail.toString('latin1') }));
  });

  readFrames(
    pipe,
    (frame) => {
      const parsed = FromWorker.safeParse(frame);
      if (parsed.success) listener?.onMessage(parsed.data);
      else listener?.onViolation('the worker sent a message that is not in the protocol');
    },
    () => listener?.onViolation('the worker sent a malformed or too large frame'),
  );

  return {
    pid: child.pid ?? 0,
    ended,
    listen(next) {
      listener = next;
    },
    send(message) {
      if (!pipe.destroyed) writeFrame(pipe, message);
    },
    unreadBytes: () => pipe.writableLength,
    kill: () => {
      child.kill('SIGKILL');
    },
    async settled() {
      const giveUpAt = performance.now() + SETTLING_MAX_MS;
      while ((dataBytes(child.pid ?? 0) ?? 0) > SETTLED_BYTES && performance.now() < giveUpAt) await delay(1);
    },
  };
}
