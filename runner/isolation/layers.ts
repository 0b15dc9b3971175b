import { readdirSync } from 'node:fs';
import { isInCgroup } from './cgroup.ts';
import { ROOT_ENTRIES } from './image.ts';
import { linkOf, readProc } from './proc.ts';
import { DATA_MAX_KIB } from './rlimits.ts';

/** The sandbox's layers around the isolate (spec SB6), as they are reported with each claim. */
export const LAYERS = [
  'process',
  'rlimits',
  'cgroup',
  'no_new_privs',
  'unprivileged',
  'namespaces',
  'network',
  'filesystem',
  'seccomp',
  'permission',
] as const;
export type Layer = (typeof LAYERS)[number];

export function isLayer(name: string): name is Layer {
  return (LAYERS as readonly string[]).includes(name);
}

export const layerMeanings: Record<Layer, string> = {
  process: 'a process of its own with an empty environment',
  rlimits: 'limits on memory, CPU time and open files; no file written, no core dump',
  cgroup: 'a cgroup of its own, which caps its memory and the number of its threads',
  no_new_privs: 'no program that it starts gains a right',
  unprivileged: 'a user that is not root, without capabilities',
  namespaces: 'its own user, pid, mount, ipc and uts namespaces: no other process is visible',
  network: 'a network namespace without any network',
  filesystem: 'an empty read-only root with its own program in it',
  seccomp: 'system calls that it does not need are refused',
  permission: "Node's own permission model: files, processes and network refused",
};

/** For each layer: null where the process has it, else what is wrong. */
export type Seen = Record<Layer, string | null>;

/** Inspects a running process through /proc. */
export function lookAt(pid: number): Seen {
  const status = readProc(pid, 'status') ?? '';
  return {
    process: emptyEnvironment(pid),
    rlimits: dataLimit(pid),
    cgroup: isInCgroup(pid) ? null : 'it has no cgroup of its own',
    no_new_privs: field(status, 'NoNewPrivs') === '1' ? null : 'the process may still gain rights',
    unprivileged: noRights(status),
    namespaces: ownNamespaces(pid, ['user', 'pid', 'mnt', 'ipc', 'uts']),
    network: noNetwork(pid),
    filesystem: emptyRoot(pid),
    seccomp: field(status, 'Seccomp') === '2' ? null : 'no filter of system calls is active',
    permission: readProc(pid, 'cmdline')?.split('\0').includes('--permission') ? null : 'Node runs without --permission',
  };
}

function emptyEnvironment(pid: number): string | null {
  const environment = readProc(pid, 'environ');
  // bwrap sets PWD. A file that cannot be read shows that the process already belongs to another user; this counts as empty.
  return environment === null || environment === '' || environment === 'PWD=/\0' ? null : 'the environment is not empty';
}

function dataLimit(pid: number): string | null {
  const limit = /^Max data size\s+(\d+)/m.exec(readProc(pid, 'limits') ?? '')?.[1];
  return Number(limit) === DATA_MAX_KIB * 1024 ? null : 'the limit on memory is not in force';
}

function noRights(status: string): string | null {
  if (field(status, 'Uid')?.split('\t').includes('0') !== false) return 'the process runs as root';
  const capabilities = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].filter((name) => !/^0+$/.test(field(status, name) ?? ''));
  return capabilities.length === 0 ? null : `the process has capabilities (${capabilities.join(', ')})`;
}

function field(status: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\t(.*)$`, 'm').exec(status)?.[1];
}

function ownNamespaces(pid: number, kinds: readonly string[]): string | null {
  const shared = kinds.filter((kind) => {
    const theirs = linkOf(pid, `ns/${kind}`);
    return theirs === null || theirs === linkOf('self', `ns/${kind}`);
  });
  return shared.length === 0 ? null : `shared with the runner: ${shared.join(', ')}`;
}

function noNetwork(pid: number): string | null {
  const shared = ownNamespaces(pid, ['net']);
  if (shared !== null) return shared;
  const devices = (readProc(pid, 'net/dev') ?? 'unknown:').split('\n').flatMap((line) => /^\s*(\S+):/.exec(line)?.[1] ?? []);
  return devices.every((device) => device === 'lo') ? null : `it has network devices: ${devices.join(', ')}`;
}

function emptyRoot(pid: number): string | null {
  const entries = entriesOf(`/proc/${pid}/root`);
  if (entries === null) return 'its root cannot be read';
  const others = entries.filter((name) => !ROOT_ENTRIES.includes(name));
  if (others.length > 0) return `its root shows other folders: ${others.slice(0, 3).join(', ')}`;
  const mounts = (readProc(pid, 'mountinfo') ?? '').split('\n').filter(Boolean);
  const writable = mounts.filter((line) => !line.split(' ')[5]?.split(',').includes('ro'));
  return mounts.length > 0 && writable.length === 0 ? null : 'parts of its root are not read-only';
}

function entriesOf(folder: string): string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    return null;
  }
}
