import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { Pool } from 'undici';
import type { z } from 'zod';
import { readConfig } from '../../../server/config.ts';
import type { Store } from '../../../server/db/open.ts';
import { startServer } from '../../../server/server.ts';
import { fillSampleShop } from '../../../server/shop-data/sample/fill.ts';
import { type Gauge, gaugeOf } from './gauge.ts';

export const TOKEN = 'Token-of-the-bad-input-command-0123456789';
export const RUNNER_TOKEN = 'Runner-token-of-the-bad-input-command-0123';
/** When a connection has been silent for this long, the server waits for the rest of an unfinished request. */
const QUIET_MS = 250;
/** A check of types has 20 seconds, and where its process begins from the sources, some more. */
export const ANSWER_WITHIN_MS = 40_000;

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };
export type Request = {
  method: string;
  path: string;
  body?: string | Buffer;
  type?: string;
  token?: string;
  headers?: Record<string, string>;
};

/** The server under test, with a small shop, and the list of failures. */
export type Target = {
  folder: string;
  origin: URL;
  store: Store;
  gauge: Gauge;
  failures: string[];
  sent(): number;
  /** The number of answers by status. */
  statuses: Map<number, number>;
  /** Sends well-formed HTTP with any bytes as the body. `path` is the whole path. Without an answer the status is 599. */
  send(request: Request): Promise<Answer>;
  /** Sends these bytes; resolves with the statuses when the server closes or has been silent. `from`: the sender's address. */
  sendRaw(bytes: Buffer, from?: string): Promise<number[]>;
  /** Does as `send`, and adds a failure for a server error and for a refused request that changed the store. */
  sendChecked(what: string, request: Request): Promise<Answer>;
  check(ok: boolean, what: string): void;
  close(): Promise<void>;
};

export const isServersFault = (status: number): boolean => status >= 500;

const api = '/admin/api';
export const post = (path: string, body: string | Buffer): Request => ({ method: 'POST', path: `${api}${path}`, body });
export const patch = (path: string, body: string | Buffer): Request => ({ method: 'PATCH', path: `${api}${path}`, body });
export const get = (path: string): Request => ({ method: 'GET', path: `${api}${path}` });

/** Starts a server on a new SQLite file, or on an empty database (`databaseUrl`). `onRequest` is called first for each request. */
export async function openTarget(folder: string, databaseUrl: string | undefined, onRequest?: RequestListener): Promise<Target> {
  const data = await mkdtemp(join(tmpdir(), 'backroom-bad-input-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: data,
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_ADMIN_TOKEN: TOKEN,
    RUNNER_TOKEN,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
    // Claims that a request makes must not end by themselves while other requests use them.
    CLAIM_CONFIRM_SECONDS: '600',
    LEASE_SECONDS: '600',
  });
  const server = await startServer(config, pino({ level: 'silent' }), { checkResponses: true, onRequest });
  await fillSampleShop(server.store, { seed: 1, now: new Date(), orders: 60 });
  const origin = new URL(server.url);
  const pool = new Pool(server.url, { connections: 8, headersTimeout: ANSWER_WITHIN_MS, bodyTimeout: ANSWER_WITHIN_MS });
  const gauge = gaugeOf(server.store);
  const failures: string[] = [];
  const statuses = new Map<number, number>();
  let requests = 0;
  const target: Target = {
    folder,
    origin,
    store: server.store,
    gauge,
    failures,
    sent: () => requests,
    statuses,
    send: async ({ method, path, body, type = 'application/json', token = TOKEN, headers: more }) => {
      requests += 1;
      const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }), ...more };
      try {
        const answer = await pool.request({ method: method as 'GET', path, headers, body: body ?? null });
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
        return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
      } catch (error) {
        return { status: 599, headers: {}, text: String(error) };
      }
    },
    sendRaw: (bytes, from) => {
      requests += 1;
      return sendRaw(origin, bytes, from);
    },
    sendChecked: async (what, request) => {
      await gauge.set();
      const answer = await target.send(request);
      target.check(!isServersFault(answer.status), `${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
      if (answer.status < 400) return answer;
      const moved = await gauge.moved();
      if (moved !== null && (await changesAlways(target, request)))
        target.check(false, `${what}: refused with ${answer.status}, but ${moved}`);
      return answer;
    },
    check: (ok, what) => {
      if (!ok) failures.push(what);
    },
    close: async () => {
      await pool.destroy();
      await server.close();
      await rm(data, { recursive: true, force: true });
    },
  };
  return target;
}

const TRIES = 10;

/**
 * Whether a refused request changes the store each time it is sent. The server's loops write too, such as the one that opens
 * runs on events, so a single change does not prove that the request caused it.
 */
async function changesAlways({ gauge, send }: Target, request: Request): Promise<boolean> {
  for (let n = 0; n < TRIES; n += 1) {
    await gauge.set();
    if ((await send(request)).status < 400 || (await gauge.moved()) === null) return false;
  }
  return true;
}

function sendRaw(origin: URL, bytes: Buffer, from = '127.0.0.1'): Promise<number[]> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port: Number(origin.port), host: origin.hostname, localAddress: from });
    let timer = setTimeout(() => socket.destroy(), QUIET_MS * 4);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), QUIET_MS);
    });
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])));
    });
    socket.write(bytes);
  });
}

export async function readLines<T extends z.ZodType>(folder: string, name: string, schema: T): Promise<z.output<T>[]> {
  const bytes = await readFile(join(folder, name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => schema.parse(JSON.parse(line)));
}

/** Does the work for all items, eight at a time. */
export async function each<T>(items: Iterable<T>, work: (item: T, index: number) => Promise<void>): Promise<void> {
  const AT_ONCE = 8;
  const queue = [...items].entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of queue) await work(item, index);
    }),
  );
}
