import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder in which cgroups (v2) for workers can be made; or why there is none. */
export type CgroupPlace = { folder: string } | { why: string };
/** The cgroup of one worker. */
export type Cgroup = {
  limitMemory(bytes: number): void;
  /** Whether the kernel killed the worker because its cgroup was out of memory. */
  ranOut(): boolean;
  /** To be called when the process has ended. */
  remove(): void;
};

const CONTROLLERS = ['memory', 'pids'];
/** Node has about fifteen threads, more on machines with many processors. */
const TASKS_MAX = '256';
const PREFIX = 'backroom-';

/**
 * Makes a folder for the workers' cgroups in the runner's own cgroup. Where the kernel refuses that (a cgroup with processes
 * in it cannot enable controllers for its children), the folder is made beside it. Needs a delegated cgroup, or root.
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

/** Moves a running process into its own cgroup; null where the kernel refuses that. */
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
        // A kernel without swap has no second file. If the first one fails, the watchdog still watches the memory.
      }
    },
    ranOut: () => /^oom_kill [1-9]/m.test(readText(join(folder, 'memory.events')) ?? ''),
    remove: () => removeFolder(folder),
  };
}

/** Whether a process is in the cgroup that joinCgroup made for it. */
export function isInCgroup(pid: number): boolean {
  return new RegExp(`^0::.*/${PREFIX}\\d+/worker-${pid}$`, 'm').test(readText(`/proc/${pid}/cgroup`) ?? '');
}

/** The folder of the runner's own cgroup. */
function ownCgroup(): string | null {
  const path = /^0::(\/.*)$/m.exec(readText('/proc/self/cgroup') ?? '')?.[1];
  const [, root, mount] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(readText('/proc/self/mountinfo') ?? '') ?? [];
  if (path === undefined || root === undefined || mount === undefined) return null;
  const inside = root === '/' ? path : path.startsWith(root) ? path.slice(root.length) : null;
  return inside === null ? null : join(mount, inside);
}

function makePlace(parent: string): string {
  const there = readText(join(parent, 'cgroup.controllers'));
  if (there === null) throw new Error('its cgroup.controllers cannot be read');
  const lacking = CONTROLLERS.filter((name) => !there.trim().split(' ').includes(name));
  if (lacking.length > 0) throw new Error(`it has no controller for ${lacking.join(', ')}`);
  enableControllers(parent);
  removeStale(parent);
  const folder = join(parent, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  enableControllers(folder);
  process.once('exit', () => {
    for (const name of foldersIn(folder)) removeFolder(join(folder, name));
    removeFolder(folder);
  });
  return folder;
}

/** Enables the controllers for the child cgroups, so that these can have limits. */
function enableControllers(folder: string): void {
  const enabled = (readText(join(folder, 'cgroup.subtree_control')) ?? '').trim().split(' ');
  const wanted = CONTROLLERS.filter((name) => !enabled.includes(name));
  if (wanted.length > 0) writeFileSync(join(folder, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '));
}

/** Removes the cgroups of runners that were killed. */
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

/** Removes the folder; one of a cgroup that still holds a process stays. */
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
