import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { AdminApi } from '../../contract/calls.ts';
import { createClient } from '../../contract/client.ts';
import type { Run } from '../../contract/runs.ts';
import type { TaskSettings } from '../../contract/tasks.ts';
import { type PartProcess, startListeningServer, startPart } from '../../ops/processes.ts';
import { childrenOf, isRunning, lastDescendant, readProc, statOf } from '../../runner/isolation/proc.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { openStore, type Store } from '../../server/db/open.ts';
import { OWNER_TOKEN, RUNNER_TOKEN } from './app.ts';
import { COMPILED } from './compiled.ts';
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';
import { freePort } from './ports.ts';
import { createDatabase } from './stores.ts';

export type RunnerMachine = PartProcess & { name: string; lines: string[] };

/** A shop as users run it: the server and the runners are processes of their own. A fault proxy is between them. */
export type Machines = {
  engine: Engine;
  /** The shop's tables, read without the server. */
  store: Store;
  proxy: FaultProxy;
  /** The owner's client, which does not use the proxy. It repeats its requests while the server is down. */
  client: AdminApi;
  server(): PartProcess;
  startServer(): Promise<void>;
  /** Another server of the same store, at an address of its own. */
  startSecond(): Promise<PartProcess & { url: string }>;
  startRunner(env?: Record<string, string>): RunnerMachine;
  /** All runners that were started, including killed ones. */
  runners(): readonly RunnerMachine[];
  /** Ends everything and drops the database. */
  close(): Promise<void>;
};

/** A server that is killed on a busy machine needs a while to answer again. */
const ANSWER_WITHIN_MS = 240_000;

export async function startMachines(engine: Engine, env: Record<string, string> = {}): Promise<Machines> {
  const database = await createDatabase(engine);
  const port = await freePort();
  const serverEnv = {
    PORT: String(port),
    DATABASE_URL: engine === 'postgres' ? database.url : `sqlite:${database.url}`,
    BOOTSTRAP_ADMIN_TOKEN: OWNER_TOKEN,
    RUNNER_TOKEN,
    LEASE_SECONDS: '2',
    // PostgreSQL starts a process for each connection, and each server that is killed loses its own.
    DATABASE_POOL: '4',
    RATE_LIMIT: '0',
    NODE_COMPILE_CACHE: COMPILED,
    ...env,
  };
  let server = await startListeningServer(serverEnv, tell);
  const proxy = await openFaultProxy(port);
  const store = openStore({ url: database.url, poolSize: 4 });
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 16 });
  const runners: RunnerMachine[] = [];

  const client = createClient(async ({ method, path, body, headers = {} }) => {
    const text = body === undefined ? null : JSON.stringify(body);
    const sent = {
      authorization: `Bearer ${OWNER_TOKEN}`,
      ...(text !== null && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'idempotency-key': `"${randomUUID()}"` }),
      ...headers,
    };
    const until = performance.now() + ANSWER_WITHIN_MS;
    for (;;) {
      try {
        const answer = await pool.request({ method, path: `/admin/api${path}`, headers: sent, body: text });
        const reply = await answer.body.text();
        if (answer.statusCode !== 503) return { status: answer.statusCode, headers: {}, body: reply === '' ? null : JSON.parse(reply) };
      } catch (error) {
        if (performance.now() > until) throw error;
      }
      await delay(20);
    }
  });

  return {
    engine,
    store,
    proxy,
    client,
    server: () => server,
    async startServer() {
      server = await startListeningServer(serverEnv, tell);
    },
    startSecond: async () => startListeningServer({ ...serverEnv, PORT: String(await freePort()) }, tell),
    startRunner(runnerEnv = {}) {
      const name = `runner-${runners.length + 1}`;
      const lines: string[] = [];
      const part = startPart(
        'runner',
        {
          SERVER_URL: proxy.url,
          RUNNER_TOKEN,
          RUNNER_NAME: name,
          RUNNER_SLOTS: '2',
          LOG_LEVEL: 'info',
          NODE_COMPILE_CACHE: COMPILED,
          ...runnerEnv,
        },
        (line) => {
          lines.push(line);
          tell(line);
        },
      );
      const runner = { ...part, name, lines };
      runners.push(runner);
      return runner;
    },
    runners: () => runners,
    async close() {
      await Promise.all(runners.map((runner) => runner.stop('SIGKILL')));
      await server.stop('SIGKILL');
      await proxy.close();
      await pool.destroy();
      await store.close();
      await database.drop();
    },
  };
}

function tell(line: string): void {
  if (process.env['TEST_LOG_LEVEL'] !== undefined) process.stderr.write(`${line}\n`);
}

/** Calls `look` again and again until it returns a value; fails with `what` when the time is over. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 240_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(10);
  }
}

export function isAlive(pid: number): boolean {
  return isRunning(statOf(pid));
}

/** Kills the process and returns true; false if it has already ended, as a worker may just before it would be killed. */
export function killIfAlive(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Kills all workers of the runner at once. */
export function killWorkers(runner: PartProcess): void {
  for (const pid of childrenOf(runner.pid)) killIfAlive(pid);
}

/** The worker that executes a run: the one that the kernel woke most often within 60 ms. */
export async function busiestWorker(runner: PartProcess): Promise<number | undefined> {
  const WATCH_MS = 60;
  const before = new Map(childrenOf(runner.pid).map((child) => [lastDescendant(child), 0]));
  for (const pid of before.keys()) before.set(pid, wakeups(pid));
  await delay(WATCH_MS);
  const busy = [...before]
    .map(([pid, count]) => ({ pid, woken: wakeups(pid) - count }))
    .filter(({ pid, woken }) => woken > 0 && isAlive(pid));
  return busy.sort((a, b) => b.woken - a.woken)[0]?.pid;
}

function wakeups(pid: number): number {
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1] ?? 0);
}

export async function createTask(client: AdminApi, source: string, settings: Partial<TaskSettings> = {}): Promise<number> {
  const { task_id } = await client.ai_tasks.create({
    name: 'A task under fire',
    description: '',
    source_code: source,
    permissions: ['admin_api.customers.read', 'admin_api.customers.write'],
    parameters: [],
  });
  await client.ai_tasks.update(task_id, { settings });
  return task_id;
}

/** Waits for the run's end. */
export function ended(client: AdminApi, taskId: number, runId: number, withinMs?: number): Promise<Run> {
  return until(
    `run ${runId} has ended`,
    async () => {
      const run = await client.ai_tasks.get_run(taskId, runId);
      return run.status !== 'running' && run;
    },
    withinMs,
  );
}

export type ClaimInForce = { id: number; run_id: number; attempt: number; runner_name: string };

/** Claims that a runner has taken up and works on. */
export function claimsInForce(store: Store): Promise<ClaimInForce[]> {
  return store.reader
    .selectFrom('run_claims')
    .innerJoin('runs', 'runs.claim_id', 'run_claims.id')
    .select(['run_claims.id', 'run_claims.run_id', 'run_claims.attempt', 'run_claims.runner_name'])
    .where('run_claims.ended_at', 'is', null)
    .where('run_claims.confirmed', '=', 1)
    .where('runs.reported', '=', 1)
    .execute();
}
