import type { Failure, Tools, Way } from './choose.ts';
import { LAYERS, type Layer, type Seen } from './layers.ts';

/** A layer that is not available here. `why`: the reason; `remedy`: what would make it available. */
export type MissingLayer = { layer: Layer; why: string; remedy: string };

const NAMESPACES =
  'install bubblewrap (apt-get install bubblewrap) and let ordinary users make user namespaces (user.max_user_namespaces above 0, ' +
  'kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu; in a container a seccomp profile that allows unshare and mount)';
const remedies: Record<Layer, string> = {
  process: 'remove the cause that is named here: without this layer no script runs',
  rlimits: 'start the runner with a hard limit on data (ulimit -H -d) of at least 1.5 GiB',
  cgroup:
    "start the runner in a cgroup v2 that is delegated to it (systemd: Delegate=yes and DelegateSubgroup=runner); without it rlimits and the runner's watchdog still limit the memory",
  no_new_privs: 'install util-linux (setpriv)',
  unprivileged: 'start the runner as an ordinary user',
  namespaces: NAMESPACES,
  network: NAMESPACES,
  filesystem: NAMESPACES,
  seccomp: 'install bubblewrap (apt-get install bubblewrap): it passes the filter to the kernel',
  permission: 'start the runner with the version of Node that package.json names',
};

/**
 * The layers that the chosen way of starting workers does not give. The reasons come from the inspection of the worker and
 * from the failures of the stronger ways.
 */
export function missingLayers(seen: Seen, way: Way, tools: Tools, failures: readonly Failure[]): MissingLayer[] {
  return LAYERS.flatMap((layer) => {
    const found = seen[layer];
    if (found === null) return [];
    const relevant = needsTools(layer) ? failures : failures.filter((failure) => failure.way === way);
    return [{ layer, why: whyMissing(layer, found, tools, relevant), remedy: remedies[layer] }];
  });
}

function whyMissing(layer: Layer, found: string, tools: Tools, failures: readonly Failure[]): string {
  const reasons = new Set<string>();
  if (needsTools(layer) && tools.bwrap === null) reasons.add('bwrap is not installed');
  if (needsTools(layer) && layer !== 'seccomp' && tools.unshare === null) reasons.add('unshare is not installed');
  // Only the first failure of each way is reported: it is that of the way's strongest form.
  const reported = new Set<string>();
  for (const { way, expected, problem } of failures) {
    if (!expected.includes(layer) || reported.has(way)) continue;
    reported.add(way);
    reasons.add(way === 'none' ? problem : `${way}: ${problem}`);
  }
  return [...reasons].join('; ') || found;
}

function needsTools(layer: Layer): boolean {
  return layer === 'namespaces' || layer === 'network' || layer === 'filesystem' || layer === 'seccomp';
}
