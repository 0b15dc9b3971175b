import { existsSync } from 'node:fs';

/** How a worker process is started. */
export type Launch = {
  command: readonly string[];
  /** The user to become; null: this process's own. */
  user: number | null;
  /** File with a compiled seccomp filter, handed on as FILTER_FD. */
  filter: string | null;
  /** Whether Node is a descendant of the command, whose exit code then tells of signals as shells do. */
  wrapped: boolean;
  /** Folder for the workers' cgroups; null: there can be none. */
  cgroup: string | null;
};

export const FILTER_FD = 4;
export const NODE_FLAGS: readonly string[] = [
  '--no-node-snapshot',
  // A script that fills its heap keeps one processor busy, not all.
  '--single-threaded-gc',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=SecurityWarning',
];

/** A worker of the sources as they lie, with no layers but those of a process. */
export function sourceLaunch(preludePath: string, workerMain: string, user: number | null = null): Launch {
  return {
    command: [...guard(), process.execPath, ...NODE_FLAGS, workerMain, preludePath],
    user,
    filter: null,
    wrapped: false,
    cgroup: null,
  };
}

/**
 * With setpriv at hand the kernel kills the worker when the daemon dies: a script in a busy loop would outlive a closed
 * pipe.
 */
export function guard(): string[] {
  const setpriv = findProgram('setpriv');
  return setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'];
}

/**
 * The command that makes the one after it another user's, for a runner that is not root but may become that user; none of
 * its capabilities goes with it.
 */
export function asUser(user: number): string[] {
  const setpriv = findProgram('setpriv');
  if (setpriv === null) throw new Error('setpriv is not installed (util-linux)');
  const identity = ['--reuid', String(user), '--regid', String(user), '--clear-groups'];
  return [setpriv, ...identity, '--inh-caps=-all', '--ambient-caps=-all', '--'];
}

/** Not by PATH, which whoever starts the runner may have changed. */
export function findProgram(name: string): string | null {
  const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
  return folders.map((folder) => `${folder}/${name}`).find(existsSync) ?? null;
}
