import { availableParallelism } from 'node:os';
import { type Backroom, withBackroom } from './backroom.ts';
import { runInProcess } from './in-process.ts';
import { median, type Row, row } from './report.ts';

const RUNS = 200;
/** How many times as fast as one process: with two slots, and with four where there are cores for them, the server and the runner. */
const FASTER = { two: 1, four: 1.5 };
const CORES_FOR_FOUR = 6;
const TIMES = 3;
const SOURCE = `export default () => 1;`;

/**
 * Opens RUNS trivial runs of one task at once over 8 connections and measures how many end per second. The baseline is one
 * process that only runs the scripts.
 */
export async function measureBursts(): Promise<Row[]> {
  const two = await withBackroom((backroom) => measure(backroom, 2, FASTER.two));
  if (availableParallelism() < CORES_FOR_FOUR) return [two];
  return [two, await withBackroom((backroom) => measure(backroom, 4, FASTER.four), { slots: 4 })];
}

async function measure(backroom: Backroom, slots: number, least: number): Promise<Row> {
  const inProcess = await runInProcess(RUNS, SOURCE);
  const task = await backroom.createTask(SOURCE);
  await backroom.ended((await backroom.openRun(task)).id);
  const rates: number[] = [];
  for (let i = 0; i < TIMES; i++) rates.push((RUNS * 1000) / (await burst(backroom, task, RUNS)));
  return row({
    name: `burst of ${RUNS} runs of one task, ${slots} slots, median of ${TIMES}`,
    figure: median(rates),
    unit: 'runs/s',
    baseline: 1000 / median(inProcess.map(({ endMs }) => endMs)),
    figureBound: { least: 60 },
    ratioBound: { least },
  });
}

/** Opens so many runs of a task at once; returns the time from the first request until the last end, in ms. */
export async function burst(backroom: Backroom, task: number, count: number): Promise<number> {
  const opened = await Promise.all(Array.from({ length: count }, () => backroom.openRun(task)));
  const endedAtMs = await backroom.allEnded(task);
  return endedAtMs - Math.min(...opened.map(({ askedAtMs }) => askedAtMs));
}
