import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { addressOf, INSERT_LINE, print, serve, work } from './queue-child.ts';
import type { Kind } from './run-peer.ts';

type Job = { id: string; data: { kind: Kind } };
/** What is used of pg-boss. */
type Boss = {
  on(event: 'error', listener: (error: Error) => void): void;
  start(): Promise<unknown>;
  createQueue(name: string, options: { notify: boolean }): Promise<void>;
  send(name: string, data: object): Promise<string | null>;
  work(name: string, options: Record<string, number | boolean>, handler: (jobs: Job[]) => Promise<unknown>): Promise<string>;
};
type PgBossModule = { PgBoss: new (options: { connectionString: string; max: number; useListenNotify: boolean }) => Boss };

const Ended = z.array(z.object({ id: z.string(), ms: z.coerce.number() }));

/** Child process of queues.ts. A new job wakes the worker by NOTIFY; a full batch is followed by the next one at once. */
const [role, folder = '', url = ''] = process.argv.slice(2);
const { PgBoss }: PgBossModule = await import(addressOf(folder, 'pg-boss'));
const boss = new PgBoss({ connectionString: url, max: 8, useListenNotify: role === 'worker' });
boss.on('error', (error) => void process.stderr.write(`pg-boss: ${error.message}\n`));
await boss.start();
if (role === 'client') {
  await serve((kind) => boss.send('run', { kind }));
} else {
  await boss.createQueue('run', { notify: true });
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  const unended = new Set<string>();
  void printEnds(pool, unended);
  const options = { batchSize: 10, localConcurrency: 2, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
  await boss.work('run', options, async (jobs) => {
    for (const { id, data } of jobs) {
      unended.add(id);
      if (data.kind === 'line') await pool.query(INSERT_LINE, ['first line']);
    }
    return 1;
  });
  await work();
}

/** pg-boss tells no one when it has stored the end of a job; the row of the job has the time. */
async function printEnds(pool: pg.Pool, unended: Set<string>): Promise<never> {
  for (;;) {
    await delay(5);
    if (unended.size === 0) continue;
    const { rows } = await pool.query(
      'SELECT id, extract(epoch FROM completed_on) * 1000 AS ms FROM pgboss.job WHERE id = ANY ($1) AND completed_on IS NOT NULL',
      [[...unended]],
    );
    for (const { id, ms } of Ended.parse(rows)) {
      unended.delete(id);
      print(ms);
    }
  }
}
