import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Backroom } from './backroom.ts';
import { median, type Row, row } from './report.ts';
import { measureWoken } from './woken.ts';

const WAITS = 10_000;
const CHANGES = 300;
const REST_MS = 5000;

/** Measures runs that wait for events: a write that wakes none of 10,000, the server meanwhile, and how soon a run goes on. */
export async function measureWaits(backroom: Backroom): Promise<Row[]> {
  const baseline = await changes(backroom);
  const idle = await server(backroom);
  await addWaits(backroom);
  const figure = await changes(backroom);
  const rested = await server(backroom);
  return [
    row({ name: "an order's status while 10,000 runs wait for other orders, compared with none", figure, unit: 'µs', baseline }),
    row({
      name: 'processor time of the server in 5 s, 10,000 waits at rest, compared with none',
      figure: rested.cpuMs,
      unit: 'ms',
      baseline: idle.cpuMs,
    }),
    row({
      name: 'more memory of the server with 10,000 waits at rest',
      figure: (rested.bytes - idle.bytes) / 1024 ** 2,
      unit: 'MiB',
      figureBound: { most: 50 },
    }),
    ...(await measureWoken(backroom)),
  ];
}

/** Waits of runs as the server stores them, for orders that nobody changes. */
async function addWaits({ store }: Backroom): Promise<void> {
  const due = Date.now() + 365 * 86_400_000;
  await store.write((db) =>
    sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${WAITS})
      INSERT INTO run_prompts (lineage_id, key, run_id, asked_by_run_id, label, fields, created_at, asked_at, awaits_run_id, awaits, match, found_by, due_ms)
      SELECT 'bench ' || i, '0/' || i, 0, 0, 'order.status_changed', '[]', '', '', 0, 'order.status_changed', '{"order_id":' || (1000000 + i) || '}',
        'order.status_changed|order_id=' || (1000000 + i), ${due} FROM n`.execute(db),
  );
}

async function changes({ client, orderIds: [orderId = 0] }: Backroom): Promise<number> {
  const figures: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const began = performance.now();
    await client.orders.update_status(orderId, { status: i % 2 === 0 ? 'processing' : 'shipped' });
    figures.push((performance.now() - began) * 1000);
  }
  return median(figures);
}

/** The processor time of the server in a while in which nobody asks anything, and its memory after that. */
async function server({ serverPid }: Backroom): Promise<{ cpuMs: number; bytes: number }> {
  const before = await cpuMsOf(serverPid);
  await delay(REST_MS);
  const pages = (await readFile(`/proc/${serverPid}/statm`, 'utf8')).split(' ')[1];
  return { cpuMs: (await cpuMsOf(serverPid)) - before, bytes: Number(pages) * 4096 };
}

async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
