import type { Backroom } from './backroom.ts';
import { runInProcess } from './in-process.ts';
import { median, type Row, row } from './report.ts';

const RUNS = 200;
const TIMES = 3;
const SOURCE = `export default () => 1;`;

/**
 * Opens RUNS trivial runs of one task at once over 8 connections and measures how many end per second. The baseline is one
 * process that only runs the scripts.
 */
export async function measureBurst(backroom: Backroom): Promise<Row[]> {
  const inProcess = await runInProcess(RUNS, SOURCE);
  const task = await backroom.createTask(SOURCE);
  await backroom.ended((await backroom.openRun(task)).id);
  const rates: number[] = [];
  for (let i = 0; i < TIMES; i++) rates.push((RUNS * 1000) / (await burst(backroom, task, RUNS)));
  return [
    row({
      name: `burst of ${RUNS} runs of one task, median of ${TIMES}`,
      figure: median(rates),
      unit: 'runs/s',
      baseline: 1000 / median(inProcess.map(({ endMs }) => endMs)),
      figureBound: { least: 60 },
    }),
  ];
}

/** Opens so many runs of a task at once; returns the time from the first request until the last end, in ms. */
export async function burst(backroom: Backroom, task: number, count: number): Promise<number> {
  const opened = await Promise.all(Array.from({ length: count }, () => backroom.openRun(task)));
  const endedAtMs = await backroom.allEnded(task);
  return endedAtMs - Math.min(...opened.map(({ askedAtMs }) => askedAtMs));
}
