import { z } from 'zod';
import type { InputOf } from '../../../contract/endpoint.ts';
import { Hook, HookSignature, MAX_HOOKS_OF_TASK, type SignatureInput } from '../../../contract/hooks.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { JsonObject } from '../../../contract/run-events.ts';
import type { Row } from '../../db/tables.ts';
import { hashToken, randomSecret } from '../../resources/tokens/secret.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted, type OnlyOf } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx, type TaskActor } from '../../verbs/context.ts';
import { notFound, Refusal, refusePermission, refuseValue, refuseValues } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { Retention } from '../../verbs/retention.ts';
import { closeAll, derivedOf, gatheredOf, NOTHING, tellRemoved } from '../gathered-starts/domain.ts';
import { mayWait, startErrors } from '../gathered-starts/rules.ts';
import { contentOfHook, missingReadsOf, READS_HOOK_CONTENT } from '../grants/read-permissions.ts';
import { actsForAsker, takesOver } from '../parameters/domain.ts';
import { withGiven } from '../parameters/rules.ts';
import { lockSecrets } from '../secrets/domain.ts';
import { lockTask, requireAliveTask } from '../tasks/domain.ts';
import { holdCurrent, refuseParameters } from '../tasks/executed.ts';
import { requireMayBeGiven } from '../tasks/given.ts';
import { parameterErrors, signatureOf } from './rules.ts';
import { openSigning, sealSigning } from './signing-secrets.ts';
import * as store from './store.ts';
import { deleteOldCalls, hooks } from './store.ts';

export const recordVersions = {
  hook: {
    version: async (db, params) =>
      (await hooks.find(db, { taskId: Number(params['id']), id: Number(params['hook_id']) }))?.row_version ?? null,
    derived: async ({ db }, params) => {
      const row = await hooks.find(db, { taskId: Number(params['id']), id: Number(params['hook_id']) });
      return row && (await derivedOf(db, 'hook', row));
    },
  },
} satisfies RecordVersions;

/** Calls are remembered for as long as a repeated one is known. */
export const callRetention: Retention = { days: () => 1, deleteBatch: deleteOldCalls };

type Place = { id: number; hook_id: number };
type Values = Pick<
  Hook,
  | 'name'
  | 'enabled'
  | 'parameter'
  | 'parameters'
  | 'verify'
  | 'idempotency_header'
  | 'repeats'
  | 'raw_body'
  | 'wait'
  | 'rate_per_minute'
  | 'start'
>;

export async function listHooks(ctx: Ctx, taskId: number): Promise<Hook[]> {
  const rows = await hooks.ofTask(ctx.db, taskId);
  const gathered = await gatheredOf(
    ctx.db,
    'hook',
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...hookOf(row), gathered: gathered(row.id) }));
}

export async function getHook(ctx: Ctx, { id: taskId, hook_id: id }: Place): Promise<Hook> {
  const row = await hooks.find(ctx.db, { taskId, id });
  if (!row) throw notFound('hook', id);
  return { ...hookOf(row), gathered: (await gatheredOf(ctx.db, 'hook', [id]))(id) };
}

export async function createHook(ctx: Ctx, taskId: number, body: InputOf<Endpoints['ai_tasks.create_hook']>['body']) {
  if (body.verify?.secret !== undefined) await lockSecrets(ctx);
  await lockTask(ctx, taskId);
  const task = await requireAliveTask(ctx.db, taskId);
  const verify = chosenSignature(body.verify, false);
  body satisfies OnlyOf<typeof body, Values>;
  const values: Values = { ...body, verify, repeats: body.repeats ?? (isKnowable({ ...body, verify }) ? 'once' : 'each') };
  refuseUnknowable(values);
  refuseStart(values);
  await refuseUnfit(ctx, task, values);
  if ((await hooks.count(ctx.db, taskId)) >= MAX_HOOKS_OF_TASK) {
    throw new Refusal('too_many', `Task ${taskId} has ${MAX_HOOKS_OF_TASK} hooks, the most that a task may have.`);
  }
  const address = newAddress();
  const id = await hooks.insert(ctx.db, {
    task_id: taskId,
    ...toColumns(values),
    verify_secret: null,
    verify_key_id: null,
    secret_hash: hashToken(address),
    created_by: actingAdmin(ctx).adminId,
    ...savedBy(ctx),
    created_at: ctx.now,
  });
  // The id is sealed with the secret, so that it cannot be used in another hook.
  const secret = body.verify?.secret;
  if (secret !== undefined) await store.updateSealed(ctx.db, id, sealSigning(ctx.services.keyring, { id, task_id: taskId }, secret));
  noteCreated(ctx, 'hook', { id, task_id: taskId, ...values }, body.name);
  return { ...(await getHook(ctx, { id: taskId, hook_id: id })), url_path: pathOf(id, address) };
}

export async function updateHook(ctx: Ctx, place: Place, body: InputOf<Endpoints['ai_tasks.update_hook']>['body']): Promise<Hook> {
  // A rotation under way would write a secret back that is removed here.
  if (body.verify !== undefined) await lockSecrets(ctx);
  const row = await lockHook(ctx, place);
  const task = await requireAliveTask(ctx.db, place.id);
  const before = hookOf(row);
  body satisfies OnlyOf<typeof body, Values>;
  const { verify: asked, ...plain } = body;
  const verify = asked === undefined ? before.verify : chosenSignature(asked, row.verify_secret !== null);
  const wanted = { ...before, ...given(plain), verify };
  // Without what made its calls known, a hook that says nothing else cannot go on taking some for repeats.
  const after = { ...wanted, repeats: plain.repeats ?? (isKnowable(wanted) ? before.repeats : 'each') };
  refuseUnknowable(after);
  refuseStart(after);
  const isToCheck = [body.parameters, body.parameter, body.start].some((one) => one !== undefined) || body.wait;
  if (after.enabled || isToCheck) await refuseUnfit(ctx, task, after);
  const changes = changesBetween(before, after);
  if (changes['start']) await closeAll(ctx, 'hook', row.id);
  const sealed = asked === undefined ? {} : sealedAnew(ctx, row, asked);
  if (sealed.verify_secret !== undefined) {
    changes['verify_secret'] = [hidden(row.verify_secret, 'old'), hidden(sealed.verify_secret, 'new')];
  }
  if (Object.keys(changes).length > 0 || (await takesOver(ctx, before))) {
    const editor = savedBy(ctx);
    await hooks.update(ctx.db, row.id, { ...toColumns(after), ...sealed, ...editor });
    if (editor.acts_for !== before.acts_for) changes['acts_for'] = [before.acts_for, editor.acts_for];
  }
  noteChanged(ctx, 'hook', row.id, changes);
  return getHook(ctx, place);
}

/**
 * Replaces the secret part of the address. Whoever knows the new one gets what the hook answers, so this is a save like any other: it needs
 * the same permissions, and from then on the hook acts for the one who asks.
 */
export async function rotateHook(ctx: Ctx, place: Place) {
  const row = await lockHook(ctx, place);
  const task = await requireAliveTask(ctx.db, place.id);
  const before = hookOf(row);
  if (before.enabled) await refuseUnfit(ctx, task, before);
  const address = newAddress();
  const editor = savedBy(ctx);
  await hooks.update(ctx.db, row.id, { secret_hash: hashToken(address), ...editor });
  noteChanged(ctx, 'hook', row.id, { address: ['(old)', '(new)'], ...changesBetween(before, { acts_for: editor.acts_for }) });
  return { ...(await getHook(ctx, place)), url_path: pathOf(row.id, address) };
}

export async function deleteHook(ctx: Ctx, place: Place): Promise<undefined> {
  const row = await lockHook(ctx, place);
  const { id, task_id, name, parameter, parameters, verify } = hookOf(row);
  await tellRemoved(ctx, { kind: 'hook', starter_id: id, task_id });
  await hooks.remove(ctx.db, row.id);
  noteDeleted(ctx, 'hook', { id, task_id, name, parameter, parameters, verify }, name);
}

/** The hook of the run's own task that has this name; `content`: what the run learns by what the hook is sent. */
export async function awaitedHook(ctx: Ctx, { taskId, versionId }: TaskActor, name: string): Promise<{ id: number; content: string }> {
  const [hook, ...others] = (await hooks.ofTask(ctx.db, taskId)).filter((one) => one.name === name);
  if (!hook || others.length > 0) {
    const detail = hook
      ? `task ${taskId} has several hooks "${name}"; give each a name of its own`
      : `task ${taskId} has no hook "${name}"`;
    throw refuseValue('hook_not_found', '/event', detail);
  }
  if (hook.parameter === null)
    throw refuseValue('hook_not_found', '/event', `hook "${name}" has no parameter for what it is sent, so nothing of it is kept`);
  await requireMayBeGiven(ctx.db, { taskId, versionId }, READS_HOOK_CONTENT, 'What a hook is sent');
  return { id: hook.id, content: contentOfHook(hook.id) };
}

async function lockHook(ctx: Ctx, place: Place): Promise<store.HookRow> {
  const row = await hooks.lock(ctx, { taskId: place.id, id: place.hook_id });
  if (!row) throw notFound('hook', place.hook_id);
  return row;
}

/** Only here, because the address leads to this code alone. */
function pathOf(id: number, secret: string): string {
  return `/hooks/${id}/${secret}`;
}

/** Addresses are shown once and never in a dry run, so they need not be the same in each pass. */
function newAddress(): string {
  return randomSecret();
}

function hidden(secret: string | null, which: 'old' | 'new'): string | null {
  return secret === null ? null : `(${which})`;
}

/** `isStored`: whether the hook has a secret already. */
function chosenSignature(input: SignatureInput | null, isStored: boolean): HookSignature | null {
  if (input === null) return null;
  const { signature, errors } = signatureOf(input);
  if (input.secret === undefined && !isStored) {
    errors.push({ pointer: '/verify/secret', parameter: null, code: 'required', detail: 'is required, because none is stored yet' });
  }
  if (errors.length > 0) throw refuseValues(errors);
  return signature;
}

/** The columns of the secret that a change of the signature changes. */
function sealedAnew(
  { services }: Ctx,
  row: store.HookRow,
  asked: SignatureInput | null,
): Partial<Pick<store.HookRow, 'verify_secret' | 'verify_key_id'>> {
  const wanted = asked === null ? null : asked.secret;
  if (wanted === undefined || (wanted === null && row.verify_secret === null)) return {};
  if (wanted === null) return { verify_secret: null, verify_key_id: null };
  if (wanted === openSigning(services.keyring, row)) return {};
  const { sealed, key_id } = sealSigning(services.keyring, row, wanted);
  return { verify_secret: sealed, verify_key_id: key_id };
}

/** Refuses what a run of the current version would be refused for. If no version may run, nothing can be checked yet. */
async function refuseUnfit(ctx: Ctx, task: Row<'tasks'>, { parameter, parameters, raw_body, wait, start }: Values): Promise<void> {
  const version = await holdCurrent(ctx, task);
  if (version && parameter !== null) {
    const errors = parameterErrors(parameter, version.parameters);
    if (errors.length > 0) throw refuseValues(errors);
    await requireMayBeGiven(ctx.db, { taskId: task.id, versionId: version.id }, READS_HOOK_CONTENT, 'What a hook is sent');
  }
  if (parameter !== null && Object.hasOwn(parameters, parameter)) {
    const pointer = `/parameters/${parameter}`;
    throw refuseValue('invalid_value', pointer, `"${parameter}" gets what is sent, so it cannot have a fixed value`);
  }
  const sample = raw_body ? { ...SAMPLE, raw_body: '' } : SAMPLE;
  await refuseParameters(ctx, task, withGiven(parameters, parameter, start.batch ? [sample] : sample));
  const missing = wait && version ? missingReadsOf(ctx.actor, version.permissions) : [];
  if (missing.length === 0) return;
  const detail = `The result of a run may contain whatever the version may read; for a hook that answers with it you need ${missing.join(', ')}.`;
  throw refusePermission('forbidden', missing, detail);
}

/** Whether something makes a call known when it is made again. */
function isKnowable({ verify, idempotency_header }: Pick<Values, 'verify' | 'idempotency_header'>): boolean {
  return verify !== null || idempotency_header !== null;
}

/** Refuses to take calls for repeats of one another that may be different calls with the same text. */
function refuseUnknowable(values: Values): void {
  if (values.repeats === 'each' || isKnowable(values)) return;
  const detail =
    '"once" needs an idempotency_header or a signature (verify), which make a call known; without both, "each" is accepted: every call opens a run';
  throw refuseValue('invalid_value', '/repeats', detail);
}

/** Refuses options that a hook cannot have. A key is taken from what was sent, which only a hook with a parameter keeps. */
function refuseStart({ start, parameter, wait }: Pick<Values, 'start' | 'parameter' | 'wait'>): void {
  const errors = startErrors(start, (name) => {
    if (!KEY.test(name)) return `must be body.<field>, query.<field> or headers.<field>, not "${name}"`;
    return parameter === null ? 'is only there for a hook with a parameter, which gets what was sent' : null;
  });
  if (wait && mayWait(start)) {
    const detail = 'goes only without debounce, batch, delay and rate: nobody can wait for a run that opens later';
    errors.push({ pointer: '/wait', parameter: null, code: 'invalid_value', detail });
  }
  if (errors.length > 0) throw refuseValues(errors);
}

/** A field of what was sent, or one within it. */
const KEY = /^(?:body|query|headers)(?:\.[^.]+)+$/;

const SAMPLE: JsonObject = { headers: {}, query: {}, body: null };

/** The columns of every save: the hook acts for whoever saves it, and tells what that admin might read at that time. */
function savedBy(ctx: Ctx) {
  const { actor, now } = ctx;
  if (actor.type !== 'admin') throw new Error(`hooks are saved by admins, not by a ${actor.type}`);
  return { last_error: null, ...actsForAsker(ctx), permissions: JSON.stringify([...actor.permissions].sort()), updated_at: now };
}

const Permissions = z.array(z.string());

export function savedPermissions(row: Pick<store.HookRow, 'permissions'>): ReadonlySet<string> {
  return new Set(Permissions.parse(JSON.parse(row.permissions)));
}

function toColumns({ parameters, enabled, verify, wait, raw_body, start, ...values }: Values) {
  const { name, parameter, idempotency_header, repeats, rate_per_minute } = values;
  return {
    ...{ name, parameter, idempotency_header, repeats, rate_per_minute },
    raw_body: raw_body ? 1 : 0,
    parameters: JSON.stringify(parameters),
    enabled: enabled ? 1 : 0,
    verify: verify === null ? null : JSON.stringify(verify),
    wait: wait ? 1 : 0,
    start_options: JSON.stringify(start),
  };
}

export function verificationOf(row: Pick<store.HookRow, 'verify'>): HookSignature | null {
  return row.verify === null ? null : HookSignature.parse(JSON.parse(row.verify));
}

/** Without what it has gathered, which is no part of its row. */
function hookOf(row: store.HookRow): Hook {
  const {
    row_version: _,
    verify_secret: _secret,
    verify_key_id: _key,
    secret_hash: _hash,
    permissions: _permissions,
    reads_files: _files,
    start_options,
    ...shown
  } = row;
  return Hook.parse({
    ...shown,
    enabled: row.enabled === 1,
    parameters: JSON.parse(row.parameters),
    verify: verificationOf(row),
    wait: row.wait === 1,
    raw_body: row.raw_body === 1,
    start: JSON.parse(start_options),
    gathered: NOTHING,
  });
}
