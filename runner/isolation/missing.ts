import type { Failure, Tools, Way } from './choose.ts';
import { LAYERS, type Layer, type Seen } from './layers.ts';

/** A layer that cannot be had here: why, and what would bring it. */
export type MissingLayer = { layer: Layer; why: string; remedy: string };

const NAMESPACES =
  'install bubblewrap (apt-get install bubblewrap) and let ordinary users make user namespaces (user.max_user_namespaces above 0, ' +
  'kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu; in a container a seccomp profile that allows unshare and mount)';
const remedies: Record<Layer, string> = {
  process: 'look at the reason: without it no script runs',
  rlimits: 'start the runner with a hard limit on data (ulimit -H -d) of at least 1.5 GiB',
  cgroup:
    "start the runner in a cgroup v2 that is delegated to it (systemd: Delegate=yes and DelegateSubgroup=runner); without it memory is held by rlimits and by the runner's own watch",
  no_new_privs: 'install util-linux (setpriv)',
  unprivileged: 'start the runner as an ordinary user',
  namespaces: NAMESPACES,
  network: NAMESPACES,
  filesystem: NAMESPACES,
  seccomp: 'install bubblewrap (apt-get install bubblewrap): it is what hands the filter to the kernel',
  permission: 'start the runner with the version of Node that package.json names',
};

/** What was seen on the worker that starts in this way, and why the stronger ones did not start. */
export function missingLayers(seen: Seen, way: Way, tools: Tools, failures: readonly Failure[]): MissingLayer[] {
  return LAYERS.flatMap((layer) => {
    const found = seen[layer];
    if (found === null) return [];
    const telling = needsTools(layer) ? failures : failures.filter((failure) => failure.way === way);
    return [{ layer, why: whyMissing(layer, found, tools, telling), remedy: remedies[layer] }];
  });
}

function whyMissing(layer: Layer, found: string, tools: Tools, failures: readonly Failure[]): string {
  const reasons = new Set<string>();
  if (needsTools(layer) && tools.bwrap === null) reasons.add('bwrap is not installed');
  if (needsTools(layer) && layer !== 'seccomp' && tools.unshare === null) reasons.add('unshare is not installed');
  // The first failure of each way is that of its strongest form.
  const told = new Set<string>();
  for (const { way, aims, problem } of failures) {
    if (!aims.includes(layer) || told.has(way)) continue;
    told.add(way);
    reasons.add(way === 'none' ? problem : `${way}: ${problem}`);
  }
  return [...reasons].join('; ') || found;
}

function needsTools(layer: Layer): boolean {
  return layer === 'namespaces' || layer === 'network' || layer === 'filesystem' || layer === 'seccomp';
}
