import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A cgroup whose processes may have so much memory together. */
export type MemoryLimit = {
  /** A command prefix that runs a command, and all that it starts, in this cgroup. */
  prefix: readonly string[];
  peakBytes(): number;
  /** How many processes the kernel has killed here because the memory did not suffice. */
  kills(): number;
  /** Ends what still runs here, and removes the cgroup. */
  remove(): Promise<void>;
};

/** Makes such a cgroup below this process's own; the reason as text where none can be made. */
export function limitMemory(bytes: number): MemoryLimit | string {
  const name = `backroom-limit-${process.pid}`;
  const reasons: string[] = [];
  for (const [kind, make] of [
    ['cgroup', versionOne],
    ['cgroup2', versionTwo],
  ] as const) {
    const own = ownFolder(kind);
    try {
      if (own !== null) return make(join(own, name), bytes);
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  return reasons.length === 0 ? 'no cgroup of memory is mounted' : reasons.join('; ');
}

function versionOne(folder: string, bytes: number): MemoryLimit {
  mkdirSync(folder);
  return limitIn([folder], {
    files: { 'memory.limit_in_bytes': String(bytes), 'memory.swappiness': '0' },
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
  });
}

/** A cgroup with processes cannot limit cgroups below it, and a runner that may makes some beside its own: so there are two levels. */
function versionTwo(folder: string, bytes: number): MemoryLimit {
  const inner = join(folder, 'all');
  mkdirSync(folder);
  try {
    writeFileSync(join(folder, 'cgroup.subtree_control'), '+memory +pids');
    mkdirSync(inner);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return limitIn([inner, folder], {
    files: { 'memory.max': String(bytes), ...(existsSync(join(folder, 'memory.swap.max')) && { 'memory.swap.max': '0' }) },
    peak: 'memory.peak',
    kills: 'memory.events',
  });
}

type Names = { files: Readonly<Record<string, string>>; peak: string; kills: string };

/** `folders`: that of the processes first, that of the limit last. */
function limitIn(folders: readonly string[], { files, peak, kills }: Names): MemoryLimit {
  const [inner = ''] = folders;
  const limited = folders.at(-1) ?? inner;
  for (const [file, value] of Object.entries(files)) writeFileSync(join(limited, file), value);
  const read = (file: string): string => readFileSync(join(limited, file), 'utf8');
  const procs = join(inner, 'cgroup.procs');
  return {
    prefix: ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', procs],
    peakBytes: () => Number(read(peak)),
    kills: () => Number(/^oom_kill (\d+)$/m.exec(read(kills))?.[1] ?? 0),
    remove: async () => {
      for (let left = pidsIn(procs); left.length > 0; left = pidsIn(procs)) {
        for (const pid of left) end(pid);
        await delay(10);
      }
      for (const folder of folders) rmdirSync(folder);
    },
  };
}

const pidsIn = (procs: string): number[] => readFileSync(procs, 'utf8').split('\n').filter(Boolean).map(Number);

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

/** The folder of this process's own cgroup in the hierarchy of the controller of memory, or in that of version 2. */
function ownFolder(kind: 'cgroup' | 'cgroup2'): string | null {
  const line = kind === 'cgroup' ? /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m : /^0::(\/.*)$/m;
  const path = line.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').matchAll(/^\S+ \S+ \S+ (\S+) (\S+) .* - (cgroup2?) \S+ (\S+)$/gm);
  for (const [, root = '', mount = '', type, options = ''] of mounts) {
    if (type !== kind || (kind === 'cgroup' && !options.split(',').includes('memory'))) continue;
    if (path !== undefined && (root === '/' || path.startsWith(root))) return join(mount, root === '/' ? path : path.slice(root.length));
  }
  return null;
}
