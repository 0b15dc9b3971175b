import { cpuTicks, readProc } from './isolation/proc.ts';
import { lowerPriority } from './priority.ts';

export type Watched = {
  pid: number;
  cpuSeconds: number;
  memoryMaxBytes: number;
  onCpu(): void;
  onMemory(): void;
};
export type Watch = {
  /** Reads the figures once more and stops watching. */
  stop(): void;
  /** The CPU time that the process has used since the watch began, as last read. */
  cpuMs(): number;
  /** Whether the process computed so much that its priority was lowered, which cannot be undone. */
  wasSlowed(): boolean;
};

const POLL_MS = 100;
/** USER_HZ and the page size, which are the same on every Linux that Node is built for. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;
/** A worker that computes for most of this time gets a lower priority, so that runs that need the processor only briefly go first. */
const HOG_WINDOW_MS = 300;
const HOG_SHARE = 0.8;

/** Watches CPU time and memory of a worker in /proc, where its script cannot interfere. */
export function watchProcess({ pid, cpuSeconds, memoryMaxBytes, onCpu, onMemory }: Watched): Watch {
  const ticksBefore = cpuTicks(pid) ?? 0;
  let ticksUsed = 0;
  let slowed = false;
  const look = (): number | null => {
    const ticks = cpuTicks(pid);
    if (ticks !== null) ticksUsed = Math.max(ticksUsed, ticks - ticksBefore);
    return ticks;
  };
  let windowBegan = { at: performance.now(), ticks: ticksBefore };
  const timer = setInterval(() => {
    const ticks = look();
    const resident = residentBytes(pid);
    if (ticks === null || resident === null) return clearInterval(timer);
    const now = performance.now();
    if (!slowed && now - windowBegan.at >= HOG_WINDOW_MS) {
      slowed = ((ticks - windowBegan.ticks) * 1000) / TICKS_PER_SECOND > HOG_SHARE * (now - windowBegan.at);
      if (slowed) lowerPriority(pid);
      windowBegan = { at: now, ticks };
    }
    if (ticksUsed / TICKS_PER_SECOND > cpuSeconds) onCpu();
    else if (resident > memoryMaxBytes) onMemory();
  }, POLL_MS);
  let stopped = false;
  return {
    stop() {
      if (!stopped) look();
      stopped = true;
      clearInterval(timer);
    },
    cpuMs() {
      if (!stopped) look();
      return (ticksUsed * 1000) / TICKS_PER_SECOND;
    },
    wasSlowed: () => slowed,
  };
}

function residentBytes(pid: number): number | null {
  return statm(pid, 1);
}

/** The data segment of a process, which RLIMIT_DATA limits. */
export function dataBytes(pid: number): number | null {
  return statm(pid, 5);
}

function statm(pid: number, field: number): number | null {
  const text = readProc(pid, 'statm');
  return text === null ? null : Number(text.split(' ')[field]) * PAGE_BYTES;
}
