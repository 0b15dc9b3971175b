import { existsSync } from 'node:fs';

/** How a worker process is started. */
export type Launch = {
  command: readonly string[];
  /** The user id that the worker runs as; null: this process's own user. */
  user: number | null;
  /** The file with the compiled seccomp filter, which the command gets as descriptor FILTER_FD. */
  filter: string | null;
  /** Whether Node is a descendant of the command. The command's exit code then is 128 plus the signal that ended Node. */
  wrapped: boolean;
  /** The folder for the workers' cgroups; null where none can be made. */
  cgroup: string | null;
};

export const FILTER_FD = 4;
export const NODE_FLAGS: readonly string[] = [
  '--no-node-snapshot',
  // With one thread for garbage collection, a script that fills its heap keeps one processor busy instead of all.
  '--single-threaded-gc',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=SecurityWarning',
];

/** Starts a worker from the source files, with only the layers that any process has. */
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
 * The command prefix by which the kernel kills the worker when the daemon dies (none where setpriv is not installed). The
 * closed pipe alone would not end a script in a busy loop.
 */
export function guard(): string[] {
  const setpriv = findProgram('setpriv');
  return setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'];
}

/**
 * The command prefix that runs a command as another user, for a runner that is not root but has the capability to do so. The
 * command gets none of the runner's capabilities.
 */
export function asUser(user: number): string[] {
  const setpriv = findProgram('setpriv');
  if (setpriv === null) throw new Error('setpriv is not installed (util-linux)');
  const identity = ['--reuid', String(user), '--regid', String(user), '--clear-groups'];
  return [setpriv, ...identity, '--inh-caps=-all', '--ambient-caps=-all', '--'];
}

/** The path of a program; null where it is not installed. PATH is not used: the user who starts the runner may have changed it. */
export function findProgram(name: string): string | null {
  const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
  return folders.map((folder) => `${folder}/${name}`).find(existsSync) ?? null;
}
