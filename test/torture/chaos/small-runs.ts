import { setTimeout as delay } from 'node:timers/promises';
import type { AdminApi } from '../../../contract/calls.ts';
import type { Store } from '../../../server/db/open.ts';
import type { Goods } from './goods.ts';
import type { Ledger } from './ledger.ts';
import { Unanswered } from './sending.ts';

/** `name`: the beginning of the marks of these runs. */
type Setting = { name: string; api: AdminApi; goods: Goods; ledger: Ledger; stopping: AbortSignal };

const LANES = 8;
const LOOK_MS = 50;

/** Opens so many short runs, of which every other one writes one note. Does not wait for their ends. */
export async function openSmallRuns({ name, api, goods, ledger, stopping }: Setting, count: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count && !stopping.aborted) {
      next += 1;
      const n = next;
      const mark = `${name}-${n}`;
      const written = ledger.begin('run', mark);
      const parameters = { mark, customer: goods.customers[n % goods.customers.length] ?? 0, count: n % 2 };
      try {
        const options = { headers: { 'idempotency-key': `"${mark}"` } };
        written.id = (await api.ai_tasks.start_run(goods.tasks.small, { parameters }, options)).run_id;
        written.state = 'acknowledged';
      } catch (error) {
        if (!(error instanceof Unanswered)) ledger.faults.push(`run ${mark}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Waits until no run is open. */
export async function allEnded({ reader }: Store, stopping: AbortSignal): Promise<void> {
  const isOpen = () =>
    reader
      .selectFrom('runs')
      .select('id')
      .where('status', '=', 'running')
      .limit(1)
      .executeTakeFirst()
      .then((row) => row !== undefined)
      // PostgreSQL may be down.
      .catch(() => true);
  while (!stopping.aborted && (await isOpen())) await delay(LOOK_MS);
}
