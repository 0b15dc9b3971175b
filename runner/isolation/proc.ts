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
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((other) => Number(statFields(other)?.[1]) === pid);
}

/** The fields of `stat` that follow the process name (state, parent, …). The name itself may contain blanks and parentheses. */
export function statFields(pid: number): string[] | null {
  const stat = readProc(pid, 'stat');
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
