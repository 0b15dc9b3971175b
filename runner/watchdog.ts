import { readProc, statFields, threadsOf } from './isolation/proc.ts';
import { lowerPriority } from './priority.ts';

export type Watched = {
  pid: number;
  cpuSeconds: number;
  memoryMaxBytes: number;
  onCpu(): void;
  onMemory(): void;
};
export type Watch = {
  stop(): void;
  /** Whether it has computed so much that it was put behind the others, for good. */
  wasSlowed(): boolean;
};

const POLL_MS = 100;
/** USER_HZ and the page size: fixed on every Linux that Node is built for. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;
/** A run that computes longer than this leaves the processor to runs that want it for a moment. */
const SLOWED_AFTER_TICKS = 0.5 * TICKS_PER_SECOND;
const SLOWED_NICE = 15;

/** Watches a worker's own figures in /proc, whatever its script does. */
export function watchProcess({ pid, cpuSeconds, memoryMaxBytes, onCpu, onMemory }: Watched): Watch {
  const ticksBefore = cpuTicks(pid) ?? 0;
  let slowed = false;
  const timer = setInterval(() => {
    const ticks = cpuTicks(pid);
    const resident = residentBytes(pid);
    if (ticks === null || resident === null) return clearInterval(timer);
    if (!slowed && ticks - ticksBefore > SLOWED_AFTER_TICKS) {
      slowed = true;
      // Each thread has a priority of its own; new ones take it from the one that starts them.
      for (const thread of threadsOf(pid)) lowerPriority(thread, SLOWED_NICE);
    }
    if ((ticks - ticksBefore) / TICKS_PER_SECOND > cpuSeconds) onCpu();
    else if (resident > memoryMaxBytes) onMemory();
  }, POLL_MS);
  return { stop: () => clearInterval(timer), wasSlowed: () => slowed };
}

/** utime + stime of a process: fields 14 and 15 of all. */
function cpuTicks(pid: number): number | null {
  const fields = statFields(pid);
  return fields && Number(fields[11]) + Number(fields[12]);
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
