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
  checkpoint: null,
  once: null,
  sleep: null,
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
