import { z } from 'zod';
import { type Backroom, TOKEN } from './backroom.ts';
import { startChild } from './child.ts';
import { median, type Row, row } from './report.ts';

const TIMES = 5;
/** How often the store is asked whether the run has ended; rarely, so that this does not slow down the reads that are measured. */
const ASK_EVERY_MS = 100;

type Reading = { path: string; reads: number; most?: number };

const readings: Reading[] = [
  { path: '/orders/{id}', reads: 2000, most: 1.5 },
  { path: '/orders?per_page=100', reads: 200 },
];

/** Compares reads of a script, which are journalled, with the same requests of an ordinary process; both take turns. */
export async function measureReadCost(backroom: Backroom): Promise<Row[]> {
  const rows: Row[] = [];
  for (const reading of readings) rows.push(await measure(backroom, reading));
  return rows;
}

async function measure(backroom: Backroom, { path, reads, most }: Reading): Promise<Row> {
  const first = backroom.orderIds[0] ?? 1;
  const orders = backroom.orderIds.length;
  const task = await backroom.createTask(
    `log('begin');
for (let i = 0; i < ${reads}; i++) await admin_api.get('${path}'.replace('{id}', String(${first} + i % ${orders})));`,
    ['admin_api.orders.read'],
  );
  const plain = startChild('plain-reads.ts', [backroom.url, TOKEN, reads, path, first, orders]);
  const inScript: number[] = [];
  const inProcess: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    inScript.push(await scriptMs(backroom, task));
    plain.ask();
    inProcess.push(z.number().parse(await plain.next()));
  }
  plain.finish();
  return row({
    name: `admin_api.get('${path}') in a script, median of ${TIMES} × ${reads}`,
    figure: (median(inScript) * 1000) / reads,
    unit: 'µs',
    baseline: (median(inProcess) * 1000) / reads,
    ...(most !== undefined && { ratioBound: { most } }),
  });
}

async function scriptMs(backroom: Backroom, task: number): Promise<number> {
  const { id } = await backroom.openRun(task);
  const { status, finishedAtMs } = await backroom.ended(id, ASK_EVERY_MS);
  if (status !== 'success') throw new Error(`run ${id} ended ${status}`);
  return finishedAtMs - (await backroom.firstLineAtMs(id));
}
