import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { SECRETS_MAX, type TaskSecret } from '../../../contract/task-secrets.ts';
import type { At } from '../../db/open.ts';
import { changesBetween, given, type OnlyOf } from '../../verbs/changes.ts';
import type { AuditEntry, Ctx } from '../../verbs/context.ts';
import { refuseValue } from '../../verbs/problem.ts';
import { getRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { acceptScoped, lockAll, scopeText } from '../tasks/scope.ts';
import { seal } from './sealing.ts';
import { type StoredSecret, secrets, selectSecrets } from './store.ts';

export const recordVersions = {
  task_secret: {
    version: secrets.version,
    // A use must not make an admin's edit fail, so it leaves the row version.
    derived: async (ctx, { id }) => (await secrets.find(ctx.db, Number(id)))?.last_used_at,
  },
} satisfies RecordVersions;

export async function listSecrets(ctx: Ctx, { query }: InputOf<Endpoints['task_secrets.list']>): Promise<TaskSecret[]> {
  return (await selectSecrets(ctx.db, query.task_id)).map(shown);
}

export async function getSecret(ctx: Ctx, id: number): Promise<TaskSecret> {
  return shown(await getRecord(ctx, secrets, id));
}

export async function createSecret(ctx: Ctx, { body }: InputOf<Endpoints['task_secrets.create']>): Promise<TaskSecret> {
  const { value, ...values } = body;
  values satisfies OnlyOf<typeof values, TaskSecret>;
  const stamps = await acceptScoped(ctx, body, { kind: 'secret', most: SECRETS_MAX, all: () => selectSecrets(ctx.db) });
  const sealed = seal(ctx.services.keyring.current(), body, value);
  const secret = await secrets.insert(ctx.db, { ...values, ...sealed, ...stamps, last_used_at: null });
  const { name, task_id, hosts, note } = secret;
  tell(ctx, secret, 'created', {
    name: [null, name],
    task_id: [null, task_id],
    hosts: [null, hosts],
    note: [null, note],
    value: [null, SET],
  });
  return shown(secret);
}

export async function updateSecret(ctx: Ctx, { params, body }: InputOf<Endpoints['task_secrets.update']>): Promise<TaskSecret> {
  const { value, ...patch } = body;
  if (value !== undefined) await lockSecrets(ctx);
  const before = await lockRecord(ctx, secrets, params.id);
  const wanted = given(patch);
  const added = (patch.hosts ?? []).filter((host) => !before.hosts.includes(host));
  if (value === undefined && added.length > 0) {
    // Values cannot be read. Adding a host without knowing the value would be a way to have it sent there.
    throw refuseValue('required', '/value', `is required where a host is added (${added.join(', ')}): set the secret anew`);
  }
  const changes = { ...changesBetween(before, wanted), ...(value === undefined ? {} : { value: [SET, SET_ANEW] as [unknown, unknown] }) };
  tell(ctx, before, 'changed', changes);
  if (Object.keys(changes).length === 0) return shown(before);
  const sealed = value === undefined ? {} : seal(ctx.services.keyring.current(), before, value);
  const after = { ...before, ...wanted, ...sealed, updated_at: ctx.now };
  await secrets.update(ctx.db, before, after);
  return shown(after);
}

export async function deleteSecret(ctx: Ctx, id: number): Promise<undefined> {
  const secret = await lockRecord(ctx, secrets, id);
  await secrets.remove(ctx.db, id);
  const { name, task_id, hosts } = secret;
  tell(ctx, secret, 'deleted', { name: [name, null], task_id: [task_id, null], hosts: [hosts, null], value: [SET, null] });
}

/** Whoever seals a value holds this lock first and reads the key then, so that a rotation of the key misses none. */
export function lockSecrets(at: At): Promise<void> {
  return lockAll(at, 'secret');
}

/** What the audit log shows in place of a value. */
const SET = '(set)';
const SET_ANEW = '(set anew)';

function tell(ctx: Ctx, secret: StoredSecret, what: string, changes: AuditEntry['changes']): void {
  const summary = `Secret ${secret.id} "${secret.name}" of ${scopeText(secret)} ${what}`;
  ctx.audit({ resource: { type: 'task_secret', id: secret.id }, changes, summary });
}

function shown({ sealed: _, key_id: __, ...secret }: StoredSecret): TaskSecret {
  return secret;
}
