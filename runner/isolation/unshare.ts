import { type Image, NODE } from './image.ts';

/**
 * Runs as root of a user namespace that is made for it: makes the image and Node in it read-only mounts, then leaves that
 * namespace for one below, where it is nobody. No capability is left, and who lives in a chroot cannot make a user
 * namespace to get one.
 */
const SETUP = `
set -e
mount -o bind,ro,nosuid,nodev "$1" "$1"
mount -o bind,ro,nosuid,nodev "$2" "$1/$3"
root=$1
shift 3
exec env -i setpriv --no-new-privs -- unshare --user --map-user=65534 --map-group=65534 --root="$root" --wd=/ -- "$@"
`;

/** The command that does with util-linux alone what bubblewrap does, where that is not installed. */
export function unshareCommand(unshare: string, { root, node }: Image, nodeArguments: readonly string[]): string[] {
  return [
    unshare,
    ...['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup'],
    ...['--fork', '--kill-child=KILL', '--'],
    ...['/bin/sh', '-c', `PATH=/usr/sbin:/usr/bin:/sbin:/bin${SETUP}`, 'sandbox', root, node, NODE.slice(1)],
    ...[NODE, ...nodeArguments],
  ];
}
