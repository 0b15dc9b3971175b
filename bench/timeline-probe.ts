import { subscribe } from 'node:diagnostics_channel';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { threadId } from 'node:worker_threads';
import { aroundStatements, NOTES_VARIABLE, writeNotes } from './probe.ts';

/**
 * Loaded before all else into a server or runner that the section `timeline` starts (`--import`): notes when requests, statements, frames
 * to and from workers, and timers begin and end. The times are those of the machine's monotonic clock, which all processes share.
 */

/** `ms`: how long it took; 0 for what has no duration. */
export type Note = { at: number; ms: number; kind: 'request' | 'call' | 'statement' | 'frame' | 'timer'; what: string };

const FILE = `${process.env[NOTES_VARIABLE]}/${process.pid}-${threadId}.jsonl`;
const FLUSH_MS = 100;
const TEXT_MAX = 90;

const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const short = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX);

const notes: Note[] = [];
const note = (kind: Note['kind'], what: string, at: number, ms: number): void => void notes.push({ at, ms, kind, what });
setInterval(() => writeNotes(FILE, notes.splice(0)), FLUSH_MS).unref();

noteRequests();
noteCalls();
noteStatements();
noteFrames();
noteTimers();

type Incoming = { method?: string; url?: string };

/** Requests that this process answers. */
function noteRequests(): void {
  const begun = new WeakMap<object, number>();
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: object };
    begun.set(request, now());
  });
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as { request: Incoming; response: { statusCode: number } };
    const at = begun.get(request) ?? now();
    note('request', short(`${request.method} ${request.url} ${response.statusCode}`), at, now() - at);
  });
}

/** Requests that this process sends. */
function noteCalls(): void {
  const begun = new WeakMap<object, number>();
  type Sent = { request: { method: string; path: string } };
  const end = (message: unknown): void => {
    const { request } = message as Sent;
    const at = begun.get(request);
    if (at !== undefined) note('call', short(`${request.method} ${request.path}`), at, now() - at);
  };
  subscribe('undici:request:create', (message) => void begun.set((message as Sent).request, now()));
  subscribe('undici:request:trailers', end);
  subscribe('undici:request:error', end);
}

/** Statements of SQLite, which take the thread's time. */
function noteStatements(): void {
  aroundStatements(({ text }, run) => {
    const at = now();
    try {
      return run();
    } finally {
      note('statement', short(text), at, now() - at);
    }
  });
}

/** Frames on the pipe to a worker: four bytes of length, then JSON. */
function noteFrames(): void {
  const HEADER_BYTES = 4;
  const seen = (way: string, chunk: unknown): void => {
    if (!Buffer.isBuffer(chunk) || chunk.length <= HEADER_BYTES || chunk[HEADER_BYTES] !== 0x7b || chunk[0] !== 0) return;
    const text = chunk.toString('latin1', HEADER_BYTES, HEADER_BYTES + 300);
    const [, type = ''] = /"type":"(\w+)"/.exec(text) ?? [];
    const [, operation = ''] = /"operation":"([\w.]+)"/.exec(text) ?? [];
    if (type !== '') note('frame', `${way} ${type} ${operation}`.trim(), now(), 0);
  };
  const { write } = Socket.prototype;
  Socket.prototype.write = function (this: Socket, ...args: Parameters<Socket['write']>) {
    seen('to worker:', args[0]);
    return write.apply(this, args);
  } as Socket['write'];
  Socket.prototype.push = function (this: Socket, ...args: Parameters<Socket['push']>) {
    seen('from worker:', args[0]);
    return Readable.prototype.push.apply(this, args);
  };
}

/** Timers that have run out, from when they were set. */
function noteTimers(): void {
  const timers = createRequire(import.meta.url)('node:timers/promises');
  const { setTimeout: plain } = globalThis;
  globalThis.setTimeout = Object.assign((work: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => {
    const at = now();
    return plain(() => {
      note('timer', `${ms ?? 0} ms`, at, now() - at);
      work(...values);
    }, ms);
  }, plain) as typeof setTimeout;
  const { setTimeout: promised } = timers;
  timers.setTimeout = async (ms: number, ...rest: unknown[]) => {
    const at = now();
    const value = await promised(ms, ...rest);
    note('timer', `${ms} ms`, at, now() - at);
    return value;
  };
  syncBuiltinESMExports();
}
