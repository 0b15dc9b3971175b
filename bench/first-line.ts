import type { Backroom } from './backroom.ts';
import { runInProcess } from './in-process.ts';
import { median, quantile, type Row, row } from './report.ts';

const RUNS = 120;
const SOURCE = `log('first line');`;

/**
 * Measures the time from the request for a run until the first line of its script is stored, with a ready worker. The baseline
 * is the same script in an isolate of a process that does nothing else.
 */
export async function measureFirstLine(backroom: Backroom): Promise<Row[]> {
  const inProcess = (await runInProcess(RUNS, SOURCE)).map(({ firstLineMs }) => firstLineMs);
  const warmTask = await backroom.createTask(SOURCE);
  await firstLineMs(backroom, warmTask);
  const warm: number[] = [];
  for (let i = 0; i < RUNS; i++) warm.push(await firstLineMs(backroom, warmTask));

  const tasks: number[] = [];
  for (let i = 0; i < RUNS; i++) tasks.push(await backroom.createTask(SOURCE));
  const fresh: number[] = [];
  for (const task of tasks) {
    fresh.push(await firstLineMs(backroom, task));
    await backroom.standbyFull();
  }
  return [
    ...rowsOf('open → first line, one task (warm worker)', warm, inProcess),
    ...rowsOf('open → first line, many tasks (standby worker)', fresh, inProcess),
  ];
}

async function firstLineMs(backroom: Backroom, task: number): Promise<number> {
  const { id, askedAtMs } = await backroom.openRun(task);
  const { status } = await backroom.ended(id);
  if (status !== 'success') throw new Error(`run ${id} ended ${status}`);
  return (await backroom.firstLineAtMs(id)) - askedAtMs;
}

function rowsOf(name: string, times: readonly number[], baseline: readonly number[]): Row[] {
  return [
    row({
      name: `${name}: p50`,
      figure: median(times),
      unit: 'ms',
      baseline: median(baseline),
      figureBound: { most: 20 },
      ratioBound: { most: 1.3 },
    }),
    row({ name: `${name}: p99`, figure: quantile(times, 0.99), unit: 'ms', baseline: quantile(baseline, 0.99), figureBound: { most: 60 } }),
  ];
}
