import { median } from './report.ts';

const ROUNDS = 5;

/** The medians of both measurements, which take turns; their first results are not counted. */
export async function inTurns(one: () => Promise<number>, other: () => Promise<number>): Promise<[number, number]> {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let i = 0; i <= ROUNDS; i++) {
    const [first, second] = [await one(), await other()];
    if (i === 0) continue;
    ones.push(first);
    others.push(second);
  }
  return [median(ones), median(others)];
}

/** The median of the times that a request takes, one after the other, in µs. */
export async function medianMicros(times: number, ask: () => Promise<unknown>): Promise<number> {
  const micros: number[] = [];
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    await ask();
    micros.push((performance.now() - began) * 1000);
  }
  return median(micros);
}
