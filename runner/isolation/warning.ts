import type { Layer } from './layers.ts';
import type { MissingLayer } from './missing.ts';

/** What it means for a shop that a layer is missing. Layers that are not listed only add to the strength of these. */
const meanings: Partial<Record<Layer, string>> = {
  process: 'a script runs without a process of its own',
  no_new_privs: 'code that breaks out of the sandbox may start programs that give it more rights (sudo, su)',
  unprivileged: 'code that breaks out of the sandbox is root on this machine',
  namespaces: 'code that breaks out of the sandbox sees the processes of this machine',
  network: 'code that breaks out of the sandbox reaches the network, and with it the server and its neighbours',
  filesystem: "code that breaks out of the sandbox reads every file that the worker's user may read",
};
const RULE = '='.repeat(100);

/** A warning for the person who starts the runner, where one of these layers is missing; else null. */
export function warningOf(missing: readonly MissingLayer[]): string | null {
  const shown = missing.flatMap((one) => (meanings[one.layer] === undefined ? [] : [{ ...one, meaning: meanings[one.layer] }]));
  if (shown.length === 0) return null;
  const remedies = new Map<string, string[]>();
  for (const { layer, remedy } of shown) remedies.set(remedy, [...(remedies.get(remedy) ?? []), layer]);
  return [
    RULE,
    'WARNING: task scripts run here without some layers of their sandbox. The isolate and the other layers still confine them.',
    '',
    ...shown.map(({ layer, meaning }) => `  no ${layer}: ${meaning}.`),
    '',
    ...[...remedies].map(([remedy, layers]) => `  To have ${layers.join(', ')}: ${remedy}.`),
    '  `npx backroom doctor` tells why each layer is missing. RUNNER_ISOLATION_REQUIRED makes the runner refuse to start instead.',
    RULE,
    '',
  ].join('\n');
}
