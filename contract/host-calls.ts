/**
 * The operations that cross the sandbox's wall (spec SB2), declared once for the runner, its workers and the guest code. This file
 * imports nothing, so that the guest code can use its values.
 */

/**
 * How the runner schedules the calls of an operation. `call`: at most 16 are under way at a time. `barrier`: it begins when every earlier
 * call has settled, and later calls wait for it. `detached`: it takes no place among the 16, and no barrier waits for it (a sleep of an
 * hour). `instant`: it has no answer.
 */
export type HostCallKind = 'call' | 'barrier' | 'detached' | 'instant';

/** The operations of the one host function, and how each is scheduled. */
export const hostCallKinds = {
  admin_api: 'call',
  log: 'instant',
  progress: 'instant',
  result: 'instant',
  checkpoint: 'barrier',
  once: 'call',
  sleep: 'detached',
  file_read: 'call',
  file_write: 'call',
  prompt: 'call',
  task_end: 'call',
} as const satisfies Record<string, HostCallKind>;
export type HostOperation = keyof typeof hostCallKinds;

export function isHostOperation(name: string): name is HostOperation {
  return Object.hasOwn(hostCallKinds, name);
}

/** The longest time between two attempts of a run: a day. */
export const RETRY_MAX_MS = 86_400_000;
