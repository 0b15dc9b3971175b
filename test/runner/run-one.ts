import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { z } from 'zod';
import { Used } from '../../contract/run-events.ts';
import type { Claim } from '../../contract/runner.ts';
import { sourceLaunch } from '../../runner/isolation/launch.ts';
import { createPool } from '../../runner/pool.ts';
import { executeRun, type RunHandle } from '../../runner/run.ts';
import { createServerClient } from '../../runner/server-client.ts';
import { spawnWorker, type WorkerProcess } from '../../runner/worker-process.ts';
import { type Answer, claimOf, openShopDouble, type Seen } from './shop-double.ts';

const FAKE_WORKER = fileURLToPath(new URL('./fake-worker.ts', import.meta.url));

/** `used`: what the last report said that the run has used. */
const Body = z.object({ used: Used });

type Options = {
  claim?: Parameters<typeof claimOf>[1];
  answer?: (seen: Seen) => Answer | undefined | Promise<Answer | undefined>;
  promptHoldMs?: number;
  /** Awaited before the pool hands out a worker. */
  beforeWorker?: () => Promise<void>;
  /** Called when the run has begun. */
  meanwhile?: (run: RunHandle, worker: WorkerProcess[]) => Promise<void> | void;
};

/** Runs a fake worker against a double of the server until the run has ended. */
export async function runOne(source: string, { claim, answer, promptHoldMs, beforeWorker, meanwhile }: Options = {}) {
  await using shop = await openShopDouble(answer);
  const client = createServerClient(shop.url);
  const workers: WorkerProcess[] = [];
  const log = pino({ level: 'silent' });
  const pool = createPool({
    slots: 1,
    log,
    spawn() {
      const worker = spawnWorker(sourceLaunch('', FAKE_WORKER));
      workers.push(worker);
      return worker;
    },
  });
  const given: Claim = claimOf(source, claim);
  const beganAt = performance.now();
  const take: typeof pool.take = async (versionId, heapMib) => {
    await beforeWorker?.();
    return pool.take(versionId, heapMib);
  };
  const run = executeRun(given, { client, pool: { ...pool, take }, log, ...(promptHoldMs !== undefined && { promptHoldMs }) });
  await meanwhile?.(run, workers);
  await run.finished;
  const tookMs = performance.now() - beganAt;
  await pool.close();
  await client.close();
  const events = shop.events();
  const patches = shop.patches();
  const { used } = Body.parse(JSON.parse(patches.at(-1)?.body ?? '{}'));
  return { events, finalize: events.find(({ kind }) => kind === 'finalize'), seen: shop.seen, patches, used, tookMs, claim: given };
}
