import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readFrames, writeFrame } from './frames.ts';
import { type Cgroup, joinCgroup } from './isolation/cgroup.ts';
import { asUser, type Launch } from './isolation/launch.ts';
import { lastDescendant } from './isolation/proc.ts';
import { WITH_LIMITS } from './isolation/rlimits.ts';
import { FromWorker, type ToWorker } from './protocol.ts';
import { dataBytes } from './watchdog.ts';

/** `ranOut`: the kernel killed the worker because its cgroup was out of memory. */
export type WorkerEnd = { code: number | null; signal: string | null; stderr: string; ranOut: boolean };
export type WorkerListener = { onMessage(message: FromWorker): void; onViolation(message: string): void };

/** A child process that runs one script at a time, and the pipe to it. */
export type WorkerProcess = {
  /** The process id of Node itself; until the worker is ready, that of the program that starts it (bwrap, unshare, sh). */
  readonly pid: number;
  /** Resolves when the process has ended and all its output was read. */
  ended: Promise<WorkerEnd>;
  listen(listener: WorkerListener): void;
  send(message: ToWorker): void;
  /** Limits the memory of the worker's cgroup, if it has one. */
  limitMemory(bytes: number): void;
  /** How many bytes were sent that the worker has not read yet. */
  unreadBytes(): number;
  kill(): void;
  /** Has the worker make the isolate of its next run as soon as it has freed that of its last one, if it is still idle then. */
  prepare(heapMib: number, isIdle: () => boolean): Promise<void>;
  /** Waits a moment until the worker can begin a run with this heap: it has freed the isolate of its last run, or has made the next one. */
  readyFor(heapMib: number): Promise<void>;
};

const STDERR_KEPT_BYTES = 8 * 1024;
/**
 * V8 reserves 512 MiB of data segment for each isolate. Node's own isolate, that of the last run and that of the next one would
 * together exceed RLIMIT_DATA, and isolated-vm frees a disposed isolate only some milliseconds later.
 */
const SETTLED_BYTES = 900 * 1024 * 1024;
const SETTLING_MAX_MS = 150;

/** Starts a worker with an empty environment. `onStderr` gets what the worker prints; normally it prints nothing. */
export function spawnWorker(launch: Launch, onStderr: (text: string) => void = () => {}): WorkerProcess {
  const child = startChild(launch);
  const pipe = child.stdio[3];
  const { stderr } = child;
  if (!(pipe instanceof Socket) || stderr === null) throw new Error('a worker process was started without its pipes');

  let tail = Buffer.alloc(0);
  stderr.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_KEPT_BYTES);
    onStderr(chunk.toString('latin1'));
  });
  // Writing to a worker that has just died fails; `ended` tells why it died.
  pipe.on('error', () => {});

  let listener: WorkerListener | undefined;
  let pid: number | undefined;
  let gone = false;
  let cgroup: Cgroup | null = null;
  /** The heap of the isolate that the worker has made for its next run. */
  let madeHeapMib: number | null = null;
  // The whole process group is killed: bwrap and unshare kill their child when they die, but not one that they have just started.
  const kill = (): void => {
    if (!gone && child.pid !== undefined) signalGroup(child.pid);
  };
  child.on('exit', kill);
  const ended = new Promise<WorkerEnd>((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, stderr: error.message, ranOut: false }));
    child.on('close', (code, signal) => {
      gone = true;
      resolve({ ...endOf(code, signal, launch.wrapped), stderr: tail.toString('latin1'), ranOut: cgroup?.ranOut() ?? false });
      cgroup?.remove();
    });
  });

  readFrames(
    pipe,
    (frame) => {
      if (pid === undefined) {
        pid = lastDescendant(child.pid ?? 0);
        cgroup = launch.cgroup === null ? null : joinCgroup(launch.cgroup, pid);
      }
      const parsed = FromWorker.safeParse(frame);
      if (parsed.success) listener?.onMessage(parsed.data);
      else listener?.onViolation('the worker sent a message that is not in the protocol');
    },
    () => listener?.onViolation('the worker sent a malformed or too large frame'),
  );

  const write = (message: ToWorker): void => {
    if (!pipe.destroyed) writeFrame(pipe, message);
  };
  const settled = async (): Promise<void> => {
    const giveUpAt = performance.now() + SETTLING_MAX_MS;
    while ((dataBytes(pid ?? 0) ?? 0) > SETTLED_BYTES && performance.now() < giveUpAt) await delay(1);
  };

  return {
    get pid() {
      return pid ?? child.pid ?? 0;
    },
    ended,
    listen(next) {
      listener = next;
    },
    send(message) {
      if (message.type === 'start') madeHeapMib = null;
      write(message);
    },
    limitMemory: (bytes) => cgroup?.limitMemory(bytes),
    unreadBytes: () => pipe.writableLength,
    kill,
    async prepare(heapMib, isIdle) {
      if (madeHeapMib !== null) return;
      await settled();
      if (!isIdle() || madeHeapMib !== null) return;
      madeHeapMib = heapMib;
      write({ type: 'prepare', heap_mib: heapMib });
    },
    async readyFor(heapMib) {
      if (madeHeapMib === heapMib) return;
      if (madeHeapMib !== null) write({ type: 'prepare', heap_mib: null });
      madeHeapMib = null;
      await settled();
    },
  };
}

function startChild({ command, user, filter }: Launch): ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const [program = '', ...args] = [
    ...(user === null || isRoot ? [] : asUser(user)),
    ...['/bin/sh', '-c', WITH_LIMITS, 'worker', ...command],
  ];
  // The file is opened anew for each worker, because reading it moves the position of the descriptor.
  const filterFd = filter === null ? null : openSync(filter, 'r');
  try {
    return spawn(program, args, {
      cwd: '/',
      env: {},
      // The worker gets its own process group, so that the whole group can be killed, and no terminal.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...(filterFd === null ? [] : [filterFd])],
      ...(user !== null && isRoot && { uid: user, gid: user }),
    });
  } finally {
    if (filterFd !== null) closeSync(filterFd);
  }
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {}
}

/** Names of signals by number. Where a number has two names, the first is taken (SIGABRT, not SIGIOT). */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** bwrap and the shell report that a signal ended their child by exit code: 128 plus the number of the signal. */
function endOf(code: number | null, signal: string | null, wrapped: boolean): { code: number | null; signal: string | null } {
  const told = wrapped && code !== null ? SIGNALS.get(code - 128) : undefined;
  return told === undefined ? { code, signal } : { code: null, signal: told };
}
