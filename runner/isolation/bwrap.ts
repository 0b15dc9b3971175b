import { type Image, NODE } from './image.ts';

/** The user `nobody` of the worker's own user namespace. */
const NOBODY = '65534';

/** The command that runs Node in an empty root by bubblewrap. `filterFd`: the descriptor with the seccomp filter, if there is one. */
export function bwrapCommand(bwrap: string, { root, node }: Image, filterFd: number | null, nodeArguments: readonly string[]): string[] {
  return [
    bwrap,
    '--unshare-user',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...['--uid', NOBODY, '--gid', NOBODY, '--hostname', 'sandbox'],
    '--die-with-parent',
    '--clearenv',
    ...['--cap-drop', 'ALL'],
    ...['--ro-bind', root, '/', '--ro-bind', node, NODE, '--chdir', '/'],
    ...(filterFd === null ? [] : ['--seccomp', String(filterFd)]),
    ...['--', NODE, ...nodeArguments],
  ];
}
