import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Claim } from '../../contract/runner.ts';
import { sourceLaunch } from '../../runner/isolation/launch.ts';
import { createPool } from '../../runner/pool.ts';
import { type RunHandle, startRun } from '../../runner/run.ts';
import { createServerClient } from '../../runner/server-client.ts';
import { spawnWorker, type WorkerProcess } from '../../runner/worker-process.ts';
import { type Answer, claimOf, openShopDouble, type Seen } from './shop-double.ts';

const FAKE_WORKER = fileURLToPath(new URL('./fake-worker.ts', import.meta.url));

type Options = {
  claim?: Parameters<typeof claimOf>[1];
  answer?: (seen: Seen) => Answer | undefined | Promise<Answer | undefined>;
  promptHoldMs?: number;
  /** Called when the run has begun. */
  meanwhile?: (run: RunHandle, worker: WorkerProcess[]) => Promise<void> | void;
};

/** Runs a fake worker against a double of the server until the run has ended. */
export async function runOne(source: string, { claim, answer, promptHoldMs, meanwhile }: Options = {}) {
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
  const run = startRun(given, { client, pool, log, ...(promptHoldMs !== undefined && { promptHoldMs }) });
  await meanwhile?.(run, workers);
  await run.finished;
  await pool.close();
  await client.close();
  const events = shop.events();
  return { events, finalize: events.find(({ kind }) => kind === 'finalize'), seen: shop.seen, patches: shop.patches(), claim: given };
}
