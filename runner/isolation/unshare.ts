import { release } from 'node:os';
import { type Image, NODE } from './image.ts';

/**
 * Limits the number of processes, because without a filter of system calls the worker may fork. Since Linux 5.14 the kernel
 * counts processes for each user namespace. Before, it counted all processes of the user, so no useful limit exists there.
 */
const TASKS_MAX = 256;
const COUNTS_BY_NAMESPACE = [5, 14] as const;

/**
 * Runs as root of a new user namespace: mounts the image and Node read-only, then enters a nested user namespace as `nobody`,
 * without capabilities; a process in a chroot cannot make a user namespace to regain any. The shell stays to report how Node
 * ended: unshare fails when SIGKILL ended its child, and the first process of a pid namespace cannot end itself by a signal.
 */
const SETUP = `
set -e
if [ "$4" != 0 ]; then ulimit -p "$4" 2> /dev/null || ulimit -u "$4"; fi
mount -o bind,ro,nosuid,nodev "$1" "$1"
mount -o bind,ro,nosuid,nodev "$2" "$1/$3"
root=$1
shift 4
env -i setpriv --no-new-privs -- unshare --user --map-user=65534 --map-group=65534 --root="$root" --wd=/ -- "$@"
exit $?
`;

/** The command that does with util-linux alone what bubblewrap does, for machines without bubblewrap. */
export function unshareCommand(unshare: string, { root, node }: Image, nodeArguments: readonly string[]): string[] {
  return [
    unshare,
    ...['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup'],
    ...['--fork', '--kill-child=KILL', '--'],
    ...['/bin/sh', '-c', `PATH=/usr/sbin:/usr/bin:/sbin:/bin${SETUP}`, 'sandbox', root, node, NODE.slice(1), tasksMax()],
    ...[NODE, ...nodeArguments],
  ];
}

/** The process limit as text; 0: none is set. In bash `ulimit -u` sets it; in other shells `-p`, which bash refuses to set. */
function tasksMax(): string {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const [sinceMajor, sinceMinor] = COUNTS_BY_NAMESPACE;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor) ? String(TASKS_MAX) : '0';
}
