import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Backroom } from './backroom.ts';
import { median, type Row, row } from './report.ts';

const WAITS = 10_000;
const CHANGES = 300;
const WOKEN = 20;
const REST_MS = 5000;
/** In which the runner makes a new standby worker. A run that gives its worker back for a wait takes two, so the runner's log tells no more which is meant. */
const STANDBY_MS = 700;

/** Measures runs that wait for events: a write that wakes none of 10,000, the server meanwhile, and how soon a run goes on after its event. */
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
    await woken(backroom),
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

/** From the event to the end of the run that has waited for it, compared with a run of as little that a request opens. */
async function woken(backroom: Backroom): Promise<Row> {
  const { client, orderIds } = backroom;
  const plain = await backroom.createTask('export default () => 1');
  const waiting = await backroom.createTask(
    `const event = await waitFor('order.status_changed', { match: { order_id: parameters.id } }); export default () => event.id`,
    ['admin_api.orders.read'],
  );
  const [opened, after]: [number[], number[]] = [[], []];
  for (const orderId of orderIds.slice(1, 1 + WOKEN)) {
    const began = performance.now();
    const { id } = await backroom.openRun(plain);
    await backroom.ended(id, 2);
    opened.push(performance.now() - began);
    await delay(STANDBY_MS);
    const { id: runId } = await backroom.openRun(waiting, { id: orderId });
    while ((await client.ai_tasks.get_run(waiting, runId)).waiting_reason !== 'event') await delay(20);
    await delay(STANDBY_MS);
    const { status } = await client.orders.get(orderId);
    const changed = performance.now();
    await client.orders.update_status(orderId, { status: status === 'processing' ? 'shipped' : 'processing' });
    await backroom.ended(runId, 2);
    after.push(performance.now() - changed);
    await delay(STANDBY_MS);
  }
  const figure = median(after);
  const name = 'from an event to the end of the run that waited for it, compared with a run that a request opens: p50';
  return row({ name, figure, unit: 'ms', baseline: median(opened), ratioBound: { most: 2, unless: 50 } });
}
