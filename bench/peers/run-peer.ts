import { median } from '../report.ts';

/** A run either returns a number and does nothing else, or also writes one line to its log. */
export const kinds = ['trivial', 'line'] as const;
export type Kind = (typeof kinds)[number];

/** A system that executes runs. */
export type RunPeer = {
  /** Opens so many runs at once; returns the time from the first request until the last end, in ms. */
  burst(kind: Kind, count: number): Promise<number>;
  /** Opens so many runs, each after the end of the one before; returns the time from request to end of each, in ms. */
  singles(kind: Kind, count: number): Promise<number[]>;
  stop(): Promise<void>;
};

/** What one round found of one kind: runs per second in a burst, and the median time of single runs. */
export type RunFigures = { rate: number; latencyMs: number };

/** Measures `runs` runs in a burst, and an eighth as many singly. */
export async function measureRuns(peer: RunPeer, kind: Kind, runs: number): Promise<RunFigures> {
  await peer.singles(kind, 3);
  const singles = await peer.singles(kind, Math.ceil(runs / 8));
  return { rate: (runs * 1000) / (await peer.burst(kind, runs)), latencyMs: median(singles) };
}

/** Makes `singles` of a function that opens one run and waits for its end. */
export async function oneByOne(count: number, single: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await single());
  return times;
}

/** The present time, comparable between processes of this machine. */
export const nowMs = (): number => performance.timeOrigin + performance.now();
