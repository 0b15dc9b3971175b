import { z } from 'zod';
import type { Backroom } from './backroom.ts';
import { startChild } from './child.ts';
import { quantile, type Row, row } from './report.ts';

const LINES = 10_000;
const TIMES = 5;
const SOURCE = `for (let i = 0; i < ${LINES}; i++) log('line ' + i + ' of a script that has much to say about each of its customers');`;

/** A script logs many lines: checks that all are stored in order, and measures how fast the server answers others meanwhile. */
export async function measureLogFlood(backroom: Backroom): Promise<Row[]> {
  const task = await backroom.createTask(SOURCE);
  const quiet = await pollWhile(backroom, async () =>
    backroom.ended((await backroom.openRun(await backroom.createTask(`log('one line')`))).id),
  );
  const tookMs: number[] = [];
  const waitsMs = await pollWhile(backroom, async () => {
    for (let i = 0; i < TIMES; i++) tookMs.push(await floodMs(backroom, task));
  });
  return [
    row({ name: `${LINES} log lines, all stored in order`, figure: quantile(tookMs, 0.5), unit: 'ms' }),
    row({
      name: `GET /healthz meanwhile: p99 of ${waitsMs.length}`,
      figure: quantile(waitsMs, 0.99),
      unit: 'ms',
      baseline: quantile(quiet, 0.99),
      figureBound: { most: 20 },
    }),
    row({ name: 'GET /healthz meanwhile: longest', figure: Math.max(...waitsMs), unit: 'ms' }),
  ];
}

async function floodMs(backroom: Backroom, task: number): Promise<number> {
  const { id, askedAtMs } = await backroom.openRun(task);
  const { status, finishedAtMs } = await backroom.ended(id);
  if (status !== 'success') throw new Error(`run ${id} ended ${status}`);
  const stored = await backroom.store.reader
    .selectFrom('run_events')
    .select(['seq', 'line'])
    .where('run_id', '=', id)
    .orderBy('seq')
    .execute();
  const lines = stored.map(({ line }) => z.object({ line: z.string() }).parse(JSON.parse(line)).line);
  const misplaced = lines.findIndex((line, i) => !line.startsWith(`line ${i} of`));
  if (lines.length !== LINES || misplaced >= 0) throw new Error(`${lines.length} lines were stored, the first wrong one is ${misplaced}`);
  return finishedAtMs - askedAtMs;
}

async function pollWhile(backroom: Backroom, work: () => Promise<unknown>): Promise<number[]> {
  const poller = startChild('poll-health.ts', [backroom.url]);
  await poller.next();
  await work();
  poller.finish();
  return z.array(z.number()).parse(await poller.next());
}
