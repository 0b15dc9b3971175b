import { readFileSync } from 'node:fs';

export type Watched = {
  pid: number;
  cpuSeconds: number;
  memoryMaxBytes: number;
  onCpu(): void;
  onMemory(): void;
};

const POLL_MS = 100;
/** USER_HZ and the page size: fixed on every Linux that Node is built for. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** Watches a worker's own figures in /proc, whatever its script does; returns how to stop. */
export function watchProcess({ pid, cpuSeconds, memoryMaxBytes, onCpu, onMemory }: Watched): () => void {
  const ticksBefore = cpuTicks(pid) ?? 0;
  const timer = setInterval(() => {
    const ticks = cpuTicks(pid);
    const resident = residentBytes(pid);
    if (ticks === null || resident === null) return clearInterval(timer);
    if ((ticks - ticksBefore) / TICKS_PER_SECOND > cpuSeconds) onCpu();
    else if (resident > memoryMaxBytes) onMemory();
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** utime + stime of a process: fields 14 and 15, counted after the name, which may hold anything. */
export function cpuTicks(pid: number): number | null {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function residentBytes(pid: number): number | null {
  return statm(pid, 1);
}

/** What RLIMIT_DATA counts. */
export function dataBytes(pid: number): number | null {
  return statm(pid, 5);
}

function statm(pid: number, field: number): number | null {
  const text = readProc(pid, 'statm');
  return text === null ? null : Number(text.split(' ')[field]) * PAGE_BYTES;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}
