import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { SecretName } from './grants.ts';
import { Id, Timestamp, text } from './values.ts';

/**
 * Secrets that the server puts into requests of tasks. A value can be set and never be read again, by nobody; a run names a secret that its
 * version declares, and only for the hosts of the secret.
 */

export const SECRET_VALUE_MAX_BYTES = 16 * 1024;
const HOSTS_MAX = 20;
export const SECRETS_MAX = 200;

const SecretValue = z
  .string()
  .superRefine((value, ctx) => {
    const refuse = (code: string, message: string): void => {
      ctx.addIssue({ code: 'custom', message, params: { code } });
    };
    if (value === '') return refuse('blank', 'must not be empty');
    if (!value.isWellFormed() || value.includes('\u0000'))
      return refuse('invalid_value', 'must be text without U+0000 and lone surrogates');
    if (new TextEncoder().encode(value).length > SECRET_VALUE_MAX_BYTES)
      refuse('too_long', `must have at most ${SECRET_VALUE_MAX_BYTES} bytes`);
  })
  .meta({ minLength: 1, writeOnly: true, description: `The secret itself, at most ${SECRET_VALUE_MAX_BYTES} bytes; no answer shows it` });

const HOST_RULE = 'must be a host such as api.example.com, or host:port; without a port it stands for the port of https, 443';

/** A host, or a host and a port, in lower case and in ASCII; a host alone stands for port 443. */
const SecretHost = z
  .string()
  .max(255)
  .transform((given, ctx) => {
    const host = canonicalHost(given.trim());
    if (host !== null) return host;
    ctx.issues.push({ code: 'custom', input: given, message: HOST_RULE, params: { code: 'invalid_value' } });
    return z.NEVER;
  });

function canonicalHost(given: string): string | null {
  if (given === '' || /[\s/\\?#@*]/.test(given) || !URL.canParse(`https://${given}/`)) return null;
  // The URL parser drops the port of https.
  const { host } = new URL(`https://${given}/`);
  return host === '' || host.startsWith('.') ? null : host;
}

const Hosts = z
  .array(SecretHost)
  .min(1)
  .max(HOSTS_MAX)
  .transform((list) => [...new Set(list)])
  .meta({ description: `Where the server may send the secret: hosts, or host:port (${HOST_RULE})` });

const Note = text({ max: 1000, trim: true });
const TaskId = Id.nullable().meta({
  description: 'The task whose runs may use it; null: the runs of all tasks. The task’s own comes first',
});

export const TaskSecret = z
  .object({
    id: Id,
    name: z.string(),
    task_id: TaskId,
    hosts: z.array(z.string()),
    note: z.string(),
    created_by: Id,
    created_by_name: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({ description: 'When the server last put it into a request, at most a minute late' }),
  })
  .meta({ id: 'TaskSecret' });
export type TaskSecret = z.infer<typeof TaskSecret>;

const read = 'admin_api.task_secrets.read';
const write = 'admin_api.task_secrets.write';

export const taskSecretsEndpoints = endpointsOf(
  {
    id: 'task_secrets.list',
    method: 'GET',
    path: '/task-secrets',
    summary: `List the secrets of the shop and of its tasks by name, at most ${SECRETS_MAX}; no answer ever holds a value`,
    permission: read,
    query: z.object({ task_id: Id.optional().meta({ description: 'Only those of this task' }) }),
    response: z.array(TaskSecret),
  },
  {
    id: 'task_secrets.create',
    method: 'POST',
    path: '/task-secrets',
    summary: 'Store a secret for the requests of tasks',
    permission: write,
    body: z.object({ name: SecretName, task_id: TaskId.default(null), value: SecretValue, hosts: Hosts, note: Note.default('') }),
    status: 201,
    response: TaskSecret,
    location: '/task-secrets/{id}',
    refusals: ['duplicate', 'task_not_found', 'task_deleted', 'too_many'],
  },
  {
    id: 'task_secrets.get',
    method: 'GET',
    path: '/task-secrets/{id}',
    summary: 'Get a secret without its value',
    permission: read,
    record: 'task_secret',
    response: TaskSecret,
  },
  {
    id: 'task_secrets.update',
    method: 'PATCH',
    path: '/task-secrets/{id}',
    summary: 'Replace the value of a secret, or change its hosts or its note; a host that is added needs the value again',
    permission: write,
    record: 'task_secret',
    body: z.object({ value: SecretValue.optional(), hosts: Hosts.optional(), note: Note.optional() }),
    response: TaskSecret,
  },
  {
    id: 'task_secrets.delete',
    method: 'DELETE',
    path: '/task-secrets/{id}',
    summary: 'Delete a secret; runs that need it are refused from now on',
    permission: write,
    record: 'task_secret',
    status: 204,
  },
);
