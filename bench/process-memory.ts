import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf, readProc } from '../runner/isolation/proc.ts';

/** Reading the pages of a process takes some milliseconds of the kernel's time. */
const LOOK_MS = 250;

/** A field of a process's `smaps_rollup`, in MiB: `Rss` has shared pages whole, `Pss` a part of each for each process that shares it. */
export function memoryMib(pid: number, name: 'Rss' | 'Pss' | 'Private_Clean' | 'Private_Dirty'): number {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readProc(pid, 'smaps_rollup') ?? '')?.[1];
  return Number(kib ?? Number.NaN) / 1024;
}

/** This process and all that descend from it. */
export function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

/** The memory of a process and all that descend from it, where shared pages count once. */
export function familyMib(pid: number): number {
  // A process may end while it is looked at.
  return familyOf(pid).reduce((sum, one) => sum + (memoryMib(one, 'Pss') || 0), 0);
}

/** Calls `work`; returns the most memory that the process and all that descend from it had meanwhile. */
export async function peakMibDuring(pid: number, work: () => Promise<void>): Promise<number> {
  const over = new AbortController();
  const done = work().finally(() => over.abort());
  let peak = 0;
  while (!over.signal.aborted) {
    peak = Math.max(peak, familyMib(pid));
    await delay(LOOK_MS, undefined, { signal: over.signal }).catch(() => undefined);
  }
  await done;
  return peak;
}
