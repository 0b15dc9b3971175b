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
  const ends: number[] = [];
  // One after another: to ask for the ends of all runs all the time would take a core from what is measured.
  for (const { id } of opened) {
    const { status, finishedAtMs } = await backroom.ended(id);
    if (status !== 'success') throw new Error(`a run of the burst ended ${status}`);
    ends.push(finishedAtMs);
  }
  return Math.max(...ends) - Math.min(...opened.map(({ askedAtMs }) => askedAtMs));
}
