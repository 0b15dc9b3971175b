import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where cgroups (v2) for workers can be made; or why not. */
export type CgroupPlace = { folder: string } | { why: string };
/** The cgroup of one worker. */
export type Cgroup = {
  limitMemory(bytes: number): void;
  /** Whether the kernel ended it for its memory. */
  ranOut(): boolean;
  /** When its process is gone. */
  remove(): void;
};

const CONTROLLERS = ['memory', 'pids'];
/** Node has some fifteen threads, more on machines with many processors. */
const TASKS_MAX = '256';
const PREFIX = 'backroom-';

/**
 * Makes a folder for the workers' cgroups: in the runner's own cgroup or, since one with processes in it can't share out,
 * beside it. Needs a cgroup that was delegated to the runner, or root.
 */
export function makeCgroupPlace(own: string | null = ownCgroup()): CgroupPlace {
  if (own === null) return { why: 'no cgroup v2 is mounted' };
  const reasons: string[] = [];
  for (const parent of [own, dirname(own)]) {
    try {
      return { folder: makePlace(parent) };
    } catch (error) {
      reasons.push(`${parent}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { why: reasons.join('; ') };
}

/** Puts a process that runs into a cgroup of its own; null where that is refused. */
export function joinCgroup(place: string, pid: number): Cgroup | null {
  const folder = join(place, `worker-${pid}`);
  const set = (file: string, value: string): void => writeFileSync(join(folder, file), value);
  try {
    mkdirSync(folder);
    set('pids.max', TASKS_MAX);
    set('cgroup.procs', String(pid));
  } catch {
    removeFolder(folder);
    return null;
  }
  return {
    limitMemory(bytes) {
      try {
        set('memory.max', String(bytes));
        set('memory.swap.max', '0');
      } catch {
        // The watchdog's look at its memory stays; without swap the second file is missing.
      }
    },
    ranOut: () => /^oom_kill [1-9]/m.test(readText(join(folder, 'memory.events')) ?? ''),
    remove: () => removeFolder(folder),
  };
}

/** Whether a process is in a cgroup that joinCgroup made for it. */
export function isInCgroup(pid: number): boolean {
  return new RegExp(`^0::.*/${PREFIX}\\d+/worker-${pid}$`, 'm').test(readText(`/proc/${pid}/cgroup`) ?? '');
}

/** The runner's own cgroup as a folder. */
function ownCgroup(): string | null {
  const path = /^0::(\/.*)$/m.exec(readText('/proc/self/cgroup') ?? '')?.[1];
  const [, root, mount] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(readText('/proc/self/mountinfo') ?? '') ?? [];
  if (path === undefined || root === undefined || mount === undefined) return null;
  const inside = root === '/' ? path : path.startsWith(root) ? path.slice(root.length) : null;
  return inside === null ? null : join(mount, inside);
}

function makePlace(parent: string): string {
  const there = readText(join(parent, 'cgroup.controllers'));
  if (there === null) throw new Error('not a cgroup that can be read');
  const lacking = CONTROLLERS.filter((name) => !there.trim().split(' ').includes(name));
  if (lacking.length > 0) throw new Error(`it has no controller for ${lacking.join(', ')}`);
  shareOut(parent);
  removeStale(parent);
  const folder = join(parent, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  shareOut(folder);
  process.once('exit', () => {
    for (const name of foldersIn(folder)) removeFolder(join(folder, name));
    removeFolder(folder);
  });
  return folder;
}

/** Lets the cgroups below have limits of their own. */
function shareOut(folder: string): void {
  const shared = (readText(join(folder, 'cgroup.subtree_control')) ?? '').trim().split(' ');
  const wanted = CONTROLLERS.filter((name) => !shared.includes(name));
  if (wanted.length > 0) writeFileSync(join(folder, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '));
}

/** What a runner left that was killed. */
function removeStale(parent: string): void {
  for (const name of foldersIn(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (!Number.isInteger(pid) || readText(`/proc/${pid}/stat`) !== null) continue;
    for (const worker of foldersIn(join(parent, name))) removeFolder(join(parent, name, worker));
    removeFolder(join(parent, name));
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

/** A cgroup with a process in it stays. */
function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
