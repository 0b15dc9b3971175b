/**
 * What a script may import from 'backroom'; the same names are globals. A name whose use needs a permission has it here, and an object the
 * permissions of those of its functions that need one; null needs none. The calls of `admin` and `admin_api` need those of their endpoints.
 * sandbox-lib/index.ts has the types. This file imports nothing, so that the guest code and the console can use its values.
 */
export const scriptLibrary = {
  parameters: null,
  last_checkpoint: null,
  shop: null,
  admin_api: null,
  admin: null,
  AdminApiError: null,
  PermissionError: null,
  RetryAfter: null,
  log: null,
  progress: null,
  result: null,
  describe: null,
  details: null,
  checkpoint: null,
  once: null,
  sleep: null,
  waitFor: null,
  signal: null,
  files: { read: 'file_upload', text: 'file_upload', write: 'file_download' },
  prompt: 'prompt_input',
  llm: { complete: 'llm' },
  notify: 'admin_api.notifications.write',
  mail: 'mail_send',
  state: null,
  secret: null,
  variables: null,
  http: { request: 'http_request' },
  tasks: { start: 'tasks_start', run: 'tasks_start' },
} as const;

export type ScriptLibrary = typeof scriptLibrary;
export type ScriptName = keyof ScriptLibrary;

export const scriptNames: readonly string[] = Object.keys(scriptLibrary);

/** The permission that each function needs, by its name in a source, such as `files.read`; functions that are not here need none. */
export const functionPermissions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(scriptLibrary).flatMap(([name, needs]): [string, string][] => {
    if (needs === null) return [];
    return typeof needs === 'string' ? [[name, needs]] : Object.entries(needs).map(([method, one]) => [`${name}.${method}`, one]);
  }),
);

/**
 * How the runner schedules the calls of an operation. `call`: at most 16 are under way at a time. `barrier`: it begins when every earlier
 * call has settled, and later calls wait for it. `detached`: it takes no place among the 16, and a barrier waits only until the
 * server has stored it (a sleep of an hour, a wait for an event). `instant`: it has no answer.
 */
export type HostCallKind = 'call' | 'barrier' | 'detached' | 'instant';

/** The operations that cross the sandbox's wall, all by the one host function (spec SB2), and how each is scheduled. */
export const hostCallKinds = {
  admin_api: 'call',
  log: 'instant',
  progress: 'instant',
  result: 'instant',
  describe: 'instant',
  details: 'instant',
  checkpoint: 'barrier',
  once: 'call',
  sleep: 'detached',
  file_read: 'call',
  file_write: 'call',
  prompt: 'call',
  wait: 'detached',
  task_end: 'call',
} as const satisfies Record<string, HostCallKind>;
export type HostOperation = keyof typeof hostCallKinds;

export function isHostOperation(name: string): name is HostOperation {
  return Object.hasOwn(hostCallKinds, name);
}

/** The longest time between two attempts of a run: a day. */
export const RETRY_MAX_MS = 86_400_000;
