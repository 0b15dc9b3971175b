import { release } from 'node:os';
import { type Image, NODE } from './image.ts';

/**
 * Without a filter of system calls it may fork. Since Linux 5.14 processes are counted in each user namespace; before,
 * in all of the machine for this user, so that nothing could be said here.
 */
const TASKS_MAX = 256;
const COUNTS_BY_NAMESPACE = [5, 14] as const;

/**
 * Runs as root of a user namespace that is made for it: makes the image and Node in it read-only mounts, then leaves that
 * namespace for one below, where it is nobody. No capability is left, and who lives in a chroot cannot make a user
 * namespace to get one. The shell stays, to tell of Node's end: unshare itself fails over a child that SIGKILL ended, and
 * the first process of a pid namespace cannot end itself by a signal.
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

/** The command that does with util-linux alone what bubblewrap does, where that is not installed. */
export function unshareCommand(unshare: string, { root, node }: Image, nodeArguments: readonly string[]): string[] {
  return [
    unshare,
    ...['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup'],
    ...['--fork', '--kill-child=KILL', '--'],
    ...['/bin/sh', '-c', `PATH=/usr/sbin:/usr/bin:/sbin:/bin${SETUP}`, 'sandbox', root, node, NODE.slice(1), tasksMax()],
    ...[NODE, ...nodeArguments],
  ];
}

/** bash calls the limit -u, other shells -p, which in bash is another that it refuses to set. */
function tasksMax(): string {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const [sinceMajor, sinceMinor] = COUNTS_BY_NAMESPACE;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor) ? String(TASKS_MAX) : '0';
}
