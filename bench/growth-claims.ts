import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { z } from 'zod';
import { startListeningServer } from '../ops/processes.ts';
import { openStore, type Store } from '../server/db/open.ts';
import { storeWaitingRuns } from '../test/helpers/stored-rows/runs.ts';
import { TOKEN } from './backroom.ts';
import type { Point } from './draw-curves.ts';
import { type Growth, growthRows, type Measured, startBare, upTo } from './growth.ts';
import { median, type Row } from './report.ts';

const SIZES = [1, 10, 100, 1000, 10_000];
const RUNNER_TOKEN = 'runner-token-of-the-bench-0123456789';
const TIMES = 25;
const AT = '2026-03-01T12:00:00.000Z';

/** Runs of one task; `held`: the limit is taken by a run at work, so that only the last run of the queue, of another task, may start. */
type Queue = { name: string; limit: number | null; isKeyed?: true; isHeld?: true };

const queues: readonly Queue[] = [
  { name: 'no limit', limit: null },
  { name: 'a task with a limit', limit: 1 },
  { name: 'a limit for each of 100 keys', limit: 1, isKeyed: true },
  { name: 'all but one held back', limit: 1, isHeld: true },
];
const KEYS = 100;

/** The time in which a runner claims one run, by the number of runs in the queue. */
export async function measureClaimsGrowth(largest: number): Promise<Row[]> {
  const { sizes, isWhole } = upTo(SIZES, largest);
  const folder = await mkdtemp(join(tmpdir(), 'backroom-bench-claims-'));
  const file = join(folder, 'backroom.db');
  const server = await startListeningServer({
    ...{ DATABASE_URL: `sqlite:${file}`, DATA_DIR: folder, PORT: '0', RATE_LIMIT: '0', BOOTSTRAP_ADMIN_TOKEN: TOKEN, RUNNER_TOKEN },
  });
  const store = openStore({ url: file });
  const pool = new Pool(server.url, { connections: 1 });
  try {
    const place = { store, pool, runId: await makeRun(pool), otherRunId: await makeRun(pool) };
    const bare = await startBare(JSON.stringify({ claims: [] }));
    const barePool = new Pool(bare.url, { connections: 1 });
    const lines: Measured[] = [];
    const bares: number[] = [];
    for (const queue of queues) {
      const points: Point[] = [];
      for (const size of sizes) {
        points.push({ size, value: median(await measureQueue(place, queue, size)) });
        for (let i = 0; i < TIMES; i++) bares.push((await claim(barePool)).ms);
      }
      lines.push({ name: queue.name, points, most: 2, unless: 5 });
    }
    lines.push({ name: 'bare node:http', isBaseline: true, points: sizes.map((size) => ({ size, value: median(bares) })) });
    await barePool.close();
    bare.stop();
    return await growthRows({ ...chart, lines, isWhole });
  } finally {
    await pool.close();
    await store.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const chart: Omit<Growth, 'lines' | 'isWhole'> = {
  file: 'claims',
  unit: 'ms',
  title: 'Time to claim one run, by the number of queued runs',
  x: 'queued runs',
  y: 'ms, median',
  method: 'One request at a time over HTTP, with one free slot; the queue is filled up after each. SQLite. Dashed: bare node:http.',
};

type Place = { store: Store; pool: Pool; runId: number; otherRunId: number };

async function measureQueue({ store, pool, runId, otherRunId }: Place, { limit, isKeyed, isHeld }: Queue, size: number): Promise<number[]> {
  const add = (count: number, key: string | null = null) => storeWaitingRuns(store, runId, count, { key, limit });
  const addOne = (n: number) => (isHeld ? storeWaitingRuns(store, otherRunId, 1, { key: null, limit: null }) : add(1, keyOf(n)));
  const keyOf = (n: number): string | null => (isKeyed ? `"${n % KEYS}"` : null);
  await emptyQueue(store);
  if (isKeyed) for (let n = 0; n < Math.min(KEYS, size - 1); n++) await add(Math.floor((size - 1) / Math.min(KEYS, size - 1)), keyOf(n));
  else await add(isHeld ? size : size - 1);
  // The run at work takes the only place of the limit.
  if (isHeld) await claim(pool);
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    await addOne(n);
    const claimed = await claim(pool);
    times.push(claimed.ms);
    await endRun(store, claimed.runId);
  }
  return times;
}

const Claimed = z.object({ claims: z.array(z.object({ run: z.object({ id: z.int() }) })) });

async function claim(pool: Pool): Promise<{ ms: number; runId: number }> {
  const began = performance.now();
  const answer = await pool.request({
    method: 'POST',
    path: '/admin/api/runner/claims',
    headers: { authorization: `Bearer ${RUNNER_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ runner: { name: 'bench', version: '1', isolation: [] }, slots: 1, wait_ms: 0 }),
  });
  const text = await answer.body.text();
  const ms = performance.now() - began;
  if (answer.statusCode !== 200) throw new Error(`a claim was answered ${answer.statusCode}: ${text}`);
  return { ms, runId: Claimed.parse(JSON.parse(text)).claims[0]?.run.id ?? 0 };
}

async function makeRun(pool: Pool): Promise<number> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const answer = await pool.request({ method: 'POST', path: `/admin/api${path}`, headers, body: JSON.stringify(body) });
    return answer.body.json();
  };
  const task = await post('/ai-tasks', { name: 'bench', description: '', source_code: 'log(1)', permissions: [], parameters: [] });
  const { task_id: taskId } = z.object({ task_id: z.int() }).parse(task);
  return z.object({ run_id: z.int() }).parse(await post(`/ai-tasks/${taskId}/runs`, {})).run_id;
}

async function emptyQueue(store: Store): Promise<void> {
  await store.write(async (db) => {
    await sql`UPDATE runs SET status = 'success', finished_at = ${AT} WHERE status = 'running'`.execute(db);
    await sql`UPDATE run_claims SET ended_at = ${AT} WHERE ended_at IS NULL`.execute(db);
  });
}

async function endRun(store: Store, runId: number): Promise<void> {
  await store.write(async (db) => {
    await sql`UPDATE runs SET status = 'success', finished_at = ${AT} WHERE id = ${runId}`.execute(db);
    await sql`UPDATE run_claims SET ended_at = ${AT} WHERE run_id = ${runId}`.execute(db);
  });
}
