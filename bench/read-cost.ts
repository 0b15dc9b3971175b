import { z } from 'zod';
import { type Backroom, TOKEN } from './backroom.ts';
import { startChild } from './child.ts';
import { median, type Row, row } from './report.ts';

const READS = 2000;
const TIMES = 5;
const SOURCE = `
log('begin');
const first = Number(parameters.first), orders = Number(parameters.orders);
for (let i = 0; i < ${READS}; i++) await admin_api.get('/orders/' + (first + i % orders));
`;

/** One read after another: in a script, journalled, against the same requests of a plain process; taken in turns. */
export async function measureReadCost(backroom: Backroom): Promise<Row[]> {
  const task = await backroom.createTask(SOURCE, ['admin_api.orders.read']);
  const first = backroom.orderIds[0] ?? 1;
  const orders = backroom.orderIds.length;
  const plain = startChild('plain-reads.ts', [backroom.url, TOKEN, READS, first, orders]);
  const inScript: number[] = [];
  const inProcess: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    inScript.push(await scriptMs(backroom, task, { first, orders }));
    plain.ask();
    inProcess.push(z.number().parse(await plain.next()));
  }
  plain.finish();
  const figure = (median(inScript) * 1000) / READS;
  const baseline = (median(inProcess) * 1000) / READS;
  return [
    row({
      name: `admin_api.get('/orders/{id}') in a script, median of ${TIMES} × ${READS}`,
      figure,
      unit: 'µs',
      baseline,
      ratioBound: { most: 1.5 },
    }),
  ];
}

async function scriptMs(backroom: Backroom, task: number, parameters: Record<string, number>): Promise<number> {
  const { id } = await backroom.openRun(task, parameters);
  const { status, finishedAtMs } = await backroom.ended(id);
  if (status !== 'success') throw new Error(`run ${id} ended ${status}`);
  return finishedAtMs - (await backroom.firstLineAtMs(id));
}
