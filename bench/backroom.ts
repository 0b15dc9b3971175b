import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Pool } from 'undici';
import type { AdminApi } from '../contract/calls.ts';
import { createClient } from '../contract/client.ts';
import type { Permission } from '../contract/permissions.ts';
import { buildMissingApp } from '../ops/missing-builds.ts';
import { startListeningServer, startPart } from '../ops/processes.ts';
import { migrate } from '../server/db/migrate.ts';
import { openStore, type Store } from '../server/db/open.ts';
import { fillSampleShop } from '../server/shop-data/sample/fill.ts';

export const TOKEN = 'owner-token-of-the-bench-0123456789';
const RUNNER_TOKEN = 'runner-token-of-the-bench-0123456789';
/** Rarely enough that asking takes no part of the processor that the runs need. */
const ALL_ENDED_ASK_MS = 20;

/** A server and a runner, each in its own process, on a new store with a small shop. */
export type Backroom = {
  url: string;
  /** The server's database, to read what it stored without a request. */
  store: Store;
  databaseFile: string;
  client: AdminApi;
  orderIds: number[];
  customerIds: number[];
  serverPid: number;
  runnerPid: number;
  createTask(source: string, permissions?: Permission[]): Promise<number>;
  /** Opens a run; resolves with its id and the time of the request. */
  openRun(taskId: number, parameters?: Record<string, number>): Promise<{ id: number; askedAtMs: number }>;
  /** Waits until the runner has replaced the standby worker that the last run took. */
  standbyFull(): Promise<void>;
  ended(runId: number, askEveryMs?: number): Promise<{ status: string; finishedAtMs: number }>;
  /** Waits until all runs of a task have ended, all with success; resolves with the time of the last end. */
  allEnded(taskId: number): Promise<number>;
  /** When the first line of a run was stored, by the server's clock, rounded up to the next millisecond. */
  firstLineAtMs(runId: number): Promise<number>;
};

/**
 * `addressFor`: the address at which the runner finds the server; `env`: further variables of both; `storeUrl`: an empty database of
 * PostgreSQL to use instead of a new SQLite file; `orders`: the number of orders of the shop; `slots`: how many runs go on at a time.
 */
type Options = {
  addressFor?: (serverUrl: string) => Promise<string>;
  env?: Record<string, string>;
  storeUrl?: string;
  orders?: number;
  slots?: number;
};

/**
 * Starts server and runner, calls `work`, then stops both and removes the folder. With BENCH_CPU_PROF=FOLDER in the environment
 * CPU profiles of both are written to that folder.
 */
export async function withBackroom<T>(
  work: (backroom: Backroom) => Promise<T>,
  { addressFor = async (url) => url, env: more = {}, storeUrl, orders = 500, slots = 2 }: Options = {},
): Promise<T> {
  // What production runs is measured.
  await buildMissingApp((line) => void process.stderr.write(`${line}\n`));
  const folder = await mkdtemp(join(tmpdir(), 'backroom-bench-'));
  const databaseFile = join(folder, 'backroom.db');
  const store = openStore({ url: storeUrl ?? databaseFile });
  await migrate(store);
  const shop = await fill(store, orders);
  const profile = process.env['BENCH_CPU_PROF'];
  const env = {
    DATA_DIR: folder,
    PORT: '0',
    RATE_LIMIT: '0',
    BOOTSTRAP_ADMIN_TOKEN: TOKEN,
    RUNNER_TOKEN,
    RUNNER_SLOTS: String(slots),
    ...(storeUrl !== undefined && { DATABASE_URL: storeUrl }),
    ...(profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }),
    ...more,
  };
  const server = await startListeningServer({ ...env, LOG_LEVEL: 'info' });
  const standby = watchStandby(slots);
  const runner = startPart('runner', { ...env, SERVER_URL: await addressFor(server.url), LOG_LEVEL: 'debug' }, standby.read);
  const pool = new Pool(server.url, { connections: 8 });
  try {
    await standby.full();
    return await work({
      ...backroomOf(server.url, store, pool, shop),
      databaseFile,
      serverPid: server.pid,
      runnerPid: runner.pid,
      standbyFull: standby.full,
    });
  } finally {
    await pool.close();
    await runner.stop();
    await server.stop();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Counts the runner's standby workers by its log, which has a line for each new one, but none when one is taken. */
function watchStandby(slots: number) {
  let ready = 0;
  let wake = (): void => {};
  return {
    read(line: string): void {
      const logged = /"ready":(\d+)/.exec(line);
      if (logged) ready = Number(logged[1]);
      if (ready > slots) wake();
    },
    /** Resolves when all standby workers are ready. The next call waits for the log line of a worker that replaces a taken one. */
    async full(): Promise<void> {
      if (ready <= slots) await new Promise<void>((resolve) => (wake = resolve));
      ready = 0;
    },
  };
}

type Serving = Omit<Backroom, 'standbyFull' | 'databaseFile' | 'serverPid' | 'runnerPid'>;

function backroomOf(url: string, store: Store, pool: Pool, shop: { orderIds: number[]; customerIds: number[] }): Serving {
  const client = createClient(async ({ method, path, body }) => {
    const answer = await pool.request({
      method,
      path: `/admin/api${path}`,
      headers: { authorization: `Bearer ${TOKEN}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: {}, body: text === '' ? null : JSON.parse(text) };
  });
  const runOf = (runId: number) =>
    store.reader.selectFrom('runs').select(['status', 'finished_at']).where('id', '=', runId).executeTakeFirstOrThrow();
  return {
    url,
    store,
    client,
    ...shop,
    async createTask(source, permissions = []) {
      const made = await client.ai_tasks.create({ name: 'bench', description: '', source_code: source, permissions, parameters: [] });
      return made.task_id;
    },
    async openRun(taskId, parameters = {}) {
      const askedAtMs = performance.timeOrigin + performance.now();
      const { run_id } = await client.ai_tasks.start_run(taskId, { parameters });
      return { id: run_id, askedAtMs };
    },
    async ended(runId, askEveryMs = 5) {
      for (;;) {
        const run = await runOf(runId);
        if (run.finished_at !== null) return { status: run.status, finishedAtMs: Date.parse(run.finished_at) };
        await delay(askEveryMs);
      }
    },
    async allEnded(taskId) {
      for (;;) {
        const { open, failed, last } = await store.reader
          .selectFrom('runs')
          .select(({ fn }) => [
            sql<number>`CAST(sum(CASE WHEN finished_at IS NULL THEN 1 ELSE 0 END) AS integer)`.as('open'),
            sql<number>`CAST(sum(CASE WHEN finished_at IS NOT NULL AND status <> 'success' THEN 1 ELSE 0 END) AS integer)`.as('failed'),
            fn.max('finished_at').as('last'),
          ])
          .where('task_id', '=', taskId)
          .executeTakeFirstOrThrow();
        if (failed > 0) throw new Error(`${failed} runs of task ${taskId} failed`);
        if (open === 0 && last !== null) return Date.parse(last);
        await delay(ALL_ENDED_ASK_MS);
      }
    },
    async firstLineAtMs(runId) {
      const { at } = await store.reader
        .selectFrom('run_events')
        .select('at')
        .where('run_id', '=', runId)
        .where('seq', '=', 1)
        .executeTakeFirstOrThrow();
      return Date.parse(at) + 1;
    },
  };
}

/** Fills the store with a small sample shop. */
async function fill(store: Store, orderCount: number): Promise<{ orderIds: number[]; customerIds: number[] }> {
  await fillSampleShop(store, { seed: 1, now: new Date(), orders: orderCount });
  const orders = await store.reader.selectFrom('orders').select('id').orderBy('id').execute();
  const customers = await store.reader.selectFrom('customers').select('id').orderBy('id').execute();
  return { orderIds: orders.map(({ id }) => id), customerIds: customers.map(({ id }) => id) };
}
