import { z } from 'zod';
import type { Permission } from '../contract/permissions.ts';
import { type Backroom, TOKEN } from './backroom.ts';
import { startChild } from './child.ts';
import { median, type Row, row } from './report.ts';

const TIMES = 5;
/** How often the store is asked whether the run has ended; rarely, so that this does not slow down the calls that are measured. */
const ASK_EVERY_MS = 100;
const BODY = JSON.stringify({ body: 'Called about the delivery.' });

/** `of`: the records whose ids take turns in the path. */
type Calling = { path: string; of: 'orders' | 'customers'; calls: number; atOnce?: number; writes?: boolean; most?: number };

const callings: Calling[] = [
  { path: '/orders/{id}', of: 'orders', calls: 2000, most: 1.3 },
  { path: '/orders/{id}', of: 'orders', calls: 2000, atOnce: 8 },
  { path: '/orders?per_page=100', of: 'orders', calls: 200 },
  { path: '/customers/{id}/notes', of: 'customers', calls: 1000, writes: true, most: 1.5 },
];

/** Compares the calls of a script, which are journalled, with the same requests of an ordinary process; both take turns. */
export async function measureCallCost(backroom: Backroom): Promise<Row[]> {
  const rows: Row[] = [];
  for (const calling of callings) rows.push(await measure(backroom, calling));
  return rows;
}

async function measure(backroom: Backroom, { path, of, calls, atOnce = 1, writes = false, most }: Calling): Promise<Row> {
  const ids = of === 'orders' ? backroom.orderIds : backroom.customerIds;
  const first = ids[0] ?? 1;
  const call = `'${path}'.replace('{id}', String(${first} + i % ${ids.length}))`;
  const permissions: Permission[] = [writes ? 'admin_api.customers.write' : 'admin_api.orders.read'];
  const task = await backroom.createTask(
    `log('begin');
let next = 0;
const inTurn = async () => { while (next < ${calls}) { const i = next++; await admin_api.${writes ? `post(${call}, ${BODY})` : `get(${call})`}; } };
await Promise.all(Array.from({ length: ${atOnce} }, inTurn));`,
    permissions,
  );
  const plain = startChild('plain-calls.ts', [backroom.url, TOKEN, calls, path, first, ids.length, atOnce, writes ? BODY : '']);
  const inScript: number[] = [];
  const inProcess: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    inScript.push(await scriptMs(backroom, task));
    plain.ask();
    inProcess.push(z.number().parse(await plain.next()));
  }
  plain.finish();
  return row({
    name: `${writes ? 'POST' : 'GET'} ${path} in a script${atOnce > 1 ? `, ${atOnce} at once` : ''}, median of ${TIMES} × ${calls}`,
    figure: (median(inScript) * 1000) / calls,
    unit: 'µs',
    baseline: (median(inProcess) * 1000) / calls,
    ...(most !== undefined && { ratioBound: { most } }),
  });
}

async function scriptMs(backroom: Backroom, task: number): Promise<number> {
  const { id } = await backroom.openRun(task);
  const { status, finishedAtMs } = await backroom.ended(id, ASK_EVERY_MS);
  if (status !== 'success') throw new Error(`run ${id} ended ${status}`);
  return finishedAtMs - (await backroom.firstLineAtMs(id));
}
