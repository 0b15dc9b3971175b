import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { sourceLaunch } from '../../runner/isolation/launch.ts';
import { createPool } from '../../runner/pool.ts';
import { executeRun } from '../../runner/run.ts';
import { createServerClient } from '../../runner/server-client.ts';
import { spawnWorker } from '../../runner/worker-process.ts';
import { claimOf, openShopDouble } from './shop-double.ts';

export type End = { status: unknown; end_reason: unknown; error_message: unknown; result: unknown };
export type HostileRunner = {
  /** Runs a source, with parameters, in the next worker of the pool, until its end is reported; returns all ends that were reported. */
  run(source: string, options?: Parameters<typeof claimOf>[1]): Promise<End[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

export const FAKE_WORKER = fileURLToPath(new URL('./fake-worker.ts', import.meta.url));
export const REAL_WORKER = fileURLToPath(new URL('../../runner/worker/main.ts', import.meta.url));

/** The parts of the daemon that have to do with workers, which stay the same for all runs. `prelude`: for the real worker. */
export async function openHostileRunner(main: string, prelude = ''): Promise<HostileRunner> {
  const shop = await openShopDouble();
  const client = createServerClient(shop.url);
  const log = pino({ level: 'silent' });
  const pool = createPool({ slots: 1, log, spawn: () => spawnWorker(sourceLaunch(prelude, main)) });
  return {
    async run(source, options) {
      const claim = claimOf(source, options);
      await executeRun(claim, { client, pool, log }).finished;
      return shop
        .eventsOf(claim.run.id)
        .filter(({ kind }) => kind === 'finalize')
        .map(({ status, end_reason, error_message, result }) => ({ status, end_reason, error_message, result }));
    },
    async [Symbol.asyncDispose]() {
      await pool.close();
      await client.close();
      await shop[Symbol.asyncDispose]();
    },
  };
}

/** The bytes that this process holds after a garbage collection. */
export function heldBytes(collect: () => void): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
