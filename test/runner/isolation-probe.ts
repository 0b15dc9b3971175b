import { spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { closeSync, constants, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { hostname } from 'node:os';
import { getHeapSnapshot } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { readFrames, writeFrame } from '../../runner/frames.ts';

/**
 * This file runs in a worker's place. It tries what a script would try after escaping its isolate, and reports what succeeded.
 * No attempt may throw out of it.
 */
export type Task = { read: string[]; write: string[]; port: number; socket: string; pids: number[]; secret: string; depth: number };
export type Report = {
  uid: number;
  env: string[];
  /** Every file and folder that the probe can see, from the root down. */
  sees: string[];
  /** The attempts that succeeded. */
  read: string[];
  wrote: string[];
  sockets: string[];
  processes: string[];
  started: string[];
  secretInHeap: boolean;
  hostname: string;
};

const pipe = new net.Socket({ fd: 3, readable: true, writable: true });
pipe.on('close', () => process.abort());
// Some refusals arrive only after the call has returned.
process.on('uncaughtException', () => {});
readFrames(
  pipe,
  (message) => void answer(message),
  () => {},
);
writeFrame(pipe, { type: 'ready' });

async function answer(message: unknown): Promise<void> {
  if (typeof message !== 'object' || message === null || !('parameters' in message)) return;
  const report = await tryAll(JSON.parse(String(message.parameters)));
  writeFrame(pipe, { type: 'done', end_reason: 'completed', error_message: null, result: JSON.stringify(report), reusable: false });
}

async function tryAll(task: Task): Promise<Report> {
  const sees = list('/', task.depth);
  return {
    uid: process.getuid?.() ?? -1,
    env: Object.keys(process.env).filter((name) => name !== 'PWD'),
    sees,
    read: task.read.filter((path) => succeeds(() => readFileSync(path))),
    wrote: [...task.write, ...sees].filter(writes),
    sockets: await sockets(task),
    processes: [
      ...list('/proc', 1),
      ...task.pids.filter((pid) => pid !== process.pid && succeeds(() => process.kill(pid, 0))).map((pid) => `signal ${pid}`),
    ],
    started: [
      ...(succeeds(() => spawnSync(process.execPath, ['--version']).status ?? raise()) ? ['a process'] : []),
      ...(succeeds(() => new Worker('', { eval: true })) ? ['a thread'] : []),
    ],
    secretInHeap: await heapHolds(task.secret),
    hostname: hostname(),
  };
}

function list(folder: string, depth: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const paths = names.slice(0, 100).map((name) => `${folder === '/' ? '' : folder}/${name}`);
  return depth === 0 ? paths : [...paths, ...paths.flatMap((path) => list(path, depth - 1))];
}

/** Attempts that do no harm even if a layer is broken: they change no file, and what they create has the probe's name. */
function writes(path: string): boolean {
  const own = `${path}/backroom-probe-${process.pid}`;
  return [
    () => writeFileSync(own, ''),
    () => mkdirSync(`${own}-folder`),
    () => symlinkSync('/', `${own}-link`),
    () => closeSync(openSync(path, constants.O_WRONLY)),
    () => closeSync(openSync(path, constants.O_RDWR)),
  ].some(succeeds);
}

function succeeds(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

function raise(): never {
  throw new Error('it did not start');
}

async function sockets({ port, socket }: Task): Promise<string[]> {
  const tries: [string, (opened: () => void, failed: () => void) => void][] = [
    ['tcp to the server', (opened, failed) => net.connect(port, '127.0.0.1', opened).on('error', failed)],
    ['tcp to the server, IPv6', (opened, failed) => net.connect(port, '::1', opened).on('error', failed)],
    ['tcp server', (opened, failed) => net.createServer().on('error', failed).listen(0, '127.0.0.1', opened)],
    ['unix socket of another', (opened, failed) => net.connect(socket, opened).on('error', failed)],
    ['unix socket without a file', (opened, failed) => net.createServer().on('error', failed).listen('\0probe', opened)],
    ['udp', (opened, failed) => dgram.createSocket('udp4').on('error', failed).bind(0, '127.0.0.1', opened)],
    ['udp, IPv6', (opened, failed) => dgram.createSocket('udp6').on('error', failed).bind(0, '::1', opened)],
  ];
  const outcomes = await Promise.all(
    tries.map(
      ([name, attempt]) =>
        new Promise<string | null>((resolve) => {
          setTimeout(resolve, 10_000, null);
          try {
            attempt(
              () => resolve(name),
              () => resolve(null),
            );
          } catch {
            resolve(null);
          }
        }),
    ),
  );
  return outcomes.filter((name) => name !== null);
}

/** Searches V8's heap for the secret. The secret is passed as two halves, so that the search does not find the probe's own copy. */
async function heapHolds(halves: string): Promise<boolean> {
  const [first = '', second = ''] = halves.split(' ');
  let tail = '';
  let found = false;
  for await (const chunk of getHeapSnapshot()) {
    const text: string = tail + String(chunk);
    for (let at = text.indexOf(first); at >= 0 && !found; at = text.indexOf(first, at + 1))
      found = text.startsWith(second, at + first.length);
    tail = text.slice(-100);
  }
  return found;
}
