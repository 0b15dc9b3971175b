/**
 * What crosses the sandbox's wall (automation.md §1), named once for the runner, its workers and the guest code. This file
 * imports nothing, so that the guest can take its values.
 */

/**
 * How the calls of an operation are made: a `call` is one of at most 16 under way; a `barrier` begins when every earlier call
 * has settled, and later ones wait for it; a `detached` one holds no place, and no barrier waits for it (a sleep of an hour);
 * an `instant` one has no answer.
 */
export type HostCallKind = 'call' | 'barrier' | 'detached' | 'instant';

/** The operations of the one host function. */
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
} as const satisfies Record<string, HostCallKind>;
export type HostOperation = keyof typeof hostCallKinds;

export function isHostOperation(name: string): name is HostOperation {
  return Object.hasOwn(hostCallKinds, name);
}

/** What a script may import from 'backroom'; the same names are globals. */
export const scriptNames = [
  'parameters',
  'last_checkpoint',
  'admin_api',
  'admin',
  'AdminApiError',
  'PermissionError',
  'log',
  'progress',
  'result',
  'checkpoint',
  'once',
  'sleep',
  'files',
  'prompt',
  'llm',
] as const;
export type ScriptName = (typeof scriptNames)[number];
