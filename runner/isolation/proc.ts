import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What /proc tells of a process; null where it is gone or keeps this from us. */
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

/** Of a chain of processes that each started one other (bwrap, its init, Node) the last. */
export function lastDescendant(pid: number): number {
  let last = pid;
  for (let next: number | undefined = last; next !== undefined; next = childrenOf(last)[0]) last = next;
  return last;
}

function childrenOf(pid: number): number[] {
  const listed = readProc(pid, `task/${pid}/children`);
  // Not every kernel keeps that list.
  return listed === null ? childrenByParent(pid) : listed.split(' ').filter(Boolean).map(Number);
}

function childrenByParent(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((other) => Number(statFields(other)?.[1]) === pid);
}

/** The fields of `stat` that follow the name, which may hold anything: state, parent, … */
export function statFields(pid: number): string[] | null {
  const stat = readProc(pid, 'stat');
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The threads of a process. */
export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
