import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Reads a file of a process in /proc; null where the process has ended or this process may not read the file. */
export function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}

export function linkOf(pid: number | 'self', file: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/${file}`);
  } catch {
    return null;
  }
}

/** The last process of a chain in which each process started the next one (bwrap, its init, Node). */
export function lastDescendant(pid: number): number {
  let last = pid;
  for (let next: number | undefined = last; next !== undefined; next = childrenOf(last)[0]) last = next;
  return last;
}

export function childrenOf(pid: number): number[] {
  const listed = readProc(pid, `task/${pid}/children`);
  // Not every kernel provides that list.
  return listed === null ? childrenByParent(pid) : listed.split(' ').filter(Boolean).map(Number);
}

function childrenByParent(pid: number): number[] {
  return allStats()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);
}

/** The fields of `stat` that follow the process name (state, parent, …). The name itself may contain blanks and parentheses. */
export function statFields(pid: number): string[] | null {
  const stat = readProc(pid, 'stat');
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The processor time of a process, in clock ticks: utime and stime, the fields 14 and 15 of `stat`. null where it has ended. */
export function cpuTicks(pid: number): number | null {
  const fields = statFields(pid);
  return fields && Number(fields[11]) + Number(fields[12]);
}

/** `start` tells two processes apart that have the same number one after the other. */
export type Stat = { pid: number; parent: number; state: string; start: string };

/** null where the process has ended. */
export function statOf(pid: number): Stat | null {
  const fields = statFields(pid);
  const [state, parent, start] = [fields?.[0], fields?.[1], fields?.[19]];
  return state === undefined || start === undefined ? null : { pid, parent: Number(parent), state, start };
}

export function allStats(): Stat[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
}

/** Whether a process still runs: one that has ended may keep its number until its parent asks for it. */
export function isRunning(stat: Stat | null): stat is Stat {
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X';
}

export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
