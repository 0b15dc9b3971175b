import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe } from 'node:test';
import pino from 'pino';
import { FormData, Pool } from 'undici';
import { z } from 'zod';
import type { AdminApi } from '../../contract/calls.ts';
import { createClient } from '../../contract/client.ts';
import { readConfig } from '../../server/config.ts';
import { createSideThreads } from '../../server/create-services.ts';
import type { Engine } from '../../server/db/dialect.ts';
import type { Store } from '../../server/db/open.ts';
import { requestOfLine } from '../../server/process/request-id.ts';
import type { Outgoing } from '../../server/providers/http/send.ts';
import { startServer } from '../../server/server.ts';
import { watchEtags } from './etag-watch.ts';
import { storesFolder } from './postgres.ts';
import { watchAnswers } from './seen-answers.ts';
import { createDatabase, engines, stopPostgres } from './stores.ts';

export const OWNER_TOKEN = 'owner-token-of-the-tests-0123456789';
export const RUNNER_TOKEN = 'runner-token-of-the-tests-0123456789';
/** So long that a slow machine cannot let a claim lapse: claims end only when a test ends them. */
export const CLAIM_CONFIRM_SECONDS = 600;
export const LEASE_SECONDS = 600;

export type RawAnswer = { status: number; headers: Record<string, string>; body: unknown; text: string };
export type RawRequest = {
  method?: string;
  path: string;
  body?: unknown;
  raw?: string | Buffer;
  form?: FormData;
  headers?: Record<string, string>;
  token?: string | null;
};

export type TestApp = {
  engine: Engine;
  url: string;
  /** `postgres://…` or the path of the SQLite file. A test starts a second server on the same database with it. */
  databaseUrl: string;
  store: Store;
  /** The folder of uploaded files. */
  filesDir: string;
  /** The owner's typed client. */
  client: AdminApi;
  clientFor(token: string): AdminApi;
  /** Sends a request that the typed client would not send. The path is complete, with `/admin/api`. */
  request(request: RawRequest): Promise<RawAnswer>;
  /** Resolves when each background loop has ended its first round. Some loops do not come again before the test ends. */
  firstRounds: Promise<void>;
  /** Throws if an answer of the server, to any client, broke the OpenAPI document since the last call. */
  checkSeen(): void;
  /** Closes the server; then throws as `checkSeen` does. */
  close(): Promise<void>;
};

/**
 * `log` gets each line of the server's log, from level debug on. `lookMs`: how often a server that hears the others looks for changes.
 * `outgoing`: sends requests to other systems in place of the network. `rateClock`: the milliseconds by which rate limits fill up again; with `STOPPED` they never do, however slow the machine is.
 */
export type AppOptions = {
  env?: Record<string, string>;
  databaseUrl?: string;
  log?: (line: string) => void;
  lookMs?: number;
  rateClock?: () => number;
  outgoing?: Outgoing;
};

export const STOPPED = (): number => 0;

/** The servers of this process share them: to load what parses a task takes as long as to start a server. */
const threads = createSideThreads();

/** Starts a real server on a new database of the engine, on a free port of the loopback interface. */
export async function startApp(engine: Engine, options: AppOptions = {}): Promise<TestApp> {
  const database =
    options.databaseUrl === undefined ? await createDatabase(engine) : { url: options.databaseUrl, drop: async () => undefined };
  const dataDir = await mkdtemp(join(storesFolder(), 'backroom-files-'));
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: engine === 'postgres' ? database.url : `sqlite:${database.url}`,
    DATA_DIR: dataDir,
    BOOTSTRAP_ADMIN_TOKEN: OWNER_TOKEN,
    RUNNER_TOKEN,
    RATE_LIMIT: '0',
    // PostgreSQL starts a process for each connection, and many servers run at once here.
    DATABASE_POOL: '4',
    CLAIM_CONFIRM_SECONDS: String(CLAIM_CONFIRM_SECONDS),
    LEASE_SECONDS: String(LEASE_SECONDS),
    // On a slow machine, a pass of a dry run takes longer than the default limits allow.
    DRY_RUN_HOLD_MS: '1000',
    DRY_RUN_TOTAL_MS: '3600000',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...options.env,
  });
  const log = options.log ? pino({ level: 'debug', mixin: requestOfLine }, { write: options.log }) : pino({ level: config.logLevel });
  const seen = watchAnswers();
  const server = await startServer(config, log, {
    checkResponses: true,
    onRequest: seen.watch,
    threads,
    lookMs: options.lookMs,
    rateClock: options.rateClock,
    outgoing: options.outgoing,
  });
  const pool = new Pool(server.url, { connections: 64 });
  const faultOfEtag = watchEtags();
  const request = async ({ method = 'GET', path, body, raw, form, headers = {}, token = OWNER_TOKEN }: RawRequest): Promise<RawAnswer> => {
    const sent = form ?? raw ?? (body === undefined ? null : JSON.stringify(body));
    const answer = await pool.request({
      method: method as 'GET',
      path,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(sent === null || form ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: sent,
    });
    const text = await answer.body.text();
    const flat = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
    );
    const status = answer.statusCode;
    const fault = seen.faultOf(flat['x-request-id']);
    if (fault !== undefined) throw new Error(`${fault}\n${text.slice(0, 2000)}`);
    // Answers to runs are not checked: a script sends no If-None-Match, and what a dry run reads is never stored.
    const isWatched = method === 'GET' && status === 200 && !token?.startsWith('run_');
    const stale = isWatched ? faultOfEtag(path, { etag: flat['etag'], text }) : null;
    if (stale !== null) throw new Error(`A stale 304 is possible: ${stale}`);
    return { status, headers: flat, text, body: text === '' ? null : parse(text) };
  };
  const clientFor = (token: string): AdminApi =>
    createClient(async ({ method, path, body, headers }) =>
      request({ method, path: `/admin/api${path}`, ...contentOf(body), ...(headers ? { headers } : {}), token }),
    );
  return {
    engine,
    url: server.url,
    databaseUrl: database.url,
    store: server.store,
    filesDir: config.filesDir,
    client: clientFor(OWNER_TOKEN),
    clientFor,
    request,
    firstRounds: server.firstRounds,
    checkSeen: seen.check,
    close: async () => {
      await pool.close();
      await server.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      seen.check();
    },
  };
}

/** A body with a `file` is sent as a form. */
function contentOf(body: unknown): Pick<RawRequest, 'body' | 'form'> {
  if (typeof body !== 'object' || body === null || !('file' in body)) return { body };
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (name !== 'file') form.append(name, String(value));
  }
  const { filename, content, content_type } = z
    .object({
      filename: z.string(),
      content: z.union([z.string(), z.instanceof(Uint8Array<ArrayBuffer>)]),
      content_type: z.string().optional(),
    })
    .parse(body.file);
  form.append('file', new Blob([content], content_type === undefined ? {} : { type: content_type }), filename);
  return { form };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Runs the same tests on a server for each engine; `app()` gives that server. `options` is a function if a `before` prepares them. */
export function onBothStores(
  name: string,
  tests: (app: () => TestApp, engine: Engine) => void,
  options: AppOptions | (() => AppOptions) = {},
): void {
  for (const engine of engines) {
    describe(`${name} [${engine}]`, () => {
      let app: TestApp | undefined;
      before(async () => {
        app = await startApp(engine, typeof options === 'function' ? options() : options);
      });
      // The server also answers others (a runner, a script, the command line). A wrong answer to them fails the test that runs.
      afterEach(() => app?.checkSeen());
      after(async () => {
        try {
          await app?.close();
        } finally {
          if (engine === 'postgres') await stopPostgres();
        }
      });
      tests(() => {
        if (!app) throw new Error('the server is not running');
        return app;
      }, engine);
    });
  }
}
