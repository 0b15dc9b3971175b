import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { Json } from '../../../contract/run-events.ts';
import type { StateEntry, StateRow, StateSet } from '../../../contract/task-state.ts';
import { STATE_KEY, STATE_KEY_RULE, STATE_KEYS_MAX } from '../../../contract/task-state-rules.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseParameter, refusePermission } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { missingReadsOf, readPermissions } from '../grants/read-permissions.ts';
import { permissionsOfRun } from '../runs/rows/output-permissions.ts';
import { requireAlive, requireTask } from '../tasks/domain.ts';
import { requireMayBeGiven } from '../tasks/given.ts';
import * as store from './store.ts';

/** A value that does not exist yet has a version too, because a PUT may create it; a GET refuses it in its verb. */
export const recordVersions = {
  task_state: async (db, { id, key }) =>
    store.selectStateVersion(db, { taskId: Number(id), key: STATE_KEY.test(String(key)) ? String(key) : '' }),
} satisfies RecordVersions;

export async function listState(ctx: Ctx, { params, query }: InputOf<Endpoints['ai_tasks.list_state']>): Promise<StateRow[]> {
  const entries = await store.selectEntries(ctx.db, params.id, query.prefix);
  await requireStateReads(ctx, params.id);
  return entries;
}

export async function getState(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.get_state']>): Promise<StateEntry> {
  requireKey(params.key);
  const row = await store.selectEntry(ctx.db, { taskId: params.id, key: params.key });
  await requireStateReads(ctx, params.id);
  if (!row) throw noSuchKey(params);
  const { key, version, size_bytes, updated_at, updated_by_run_id } = row;
  return { key, version, size_bytes, updated_at, updated_by_run_id, value: Json.parse(JSON.parse(row.value)) };
}

export async function setState(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.set_state']>): Promise<StateSet> {
  requireKey(params.key);
  const place = { taskId: params.id, key: params.key };
  const task = await requireTask(ctx.db, params.id);
  if (ctx.actor.type !== 'task') requireAlive(task);
  const before = (await store.lockEntry(ctx.db, place)) ?? (await lockMissing(ctx, place));
  requireVersion(place, before, body.if_version);
  const value = JSON.stringify(body.value);
  const row = {
    task_id: params.id,
    key: params.key,
    value,
    version: await nextVersion(ctx, params.id, before),
    size_bytes: Buffer.byteLength(value),
    updated_at: ctx.now,
    updated_by_run_id: ctx.actor.type === 'task' ? ctx.actor.runId : null,
  };
  await (before ? store.updateEntry : store.insertEntry)(ctx.db, row);
  await markReads(ctx, params.id);
  note(ctx, { id: params.id, name: task.name }, before, row);
  const { key, version, size_bytes, updated_at } = row;
  return { key, version, size_bytes, updated_at };
}

export async function deleteState(ctx: Ctx, { params, query }: InputOf<Endpoints['ai_tasks.delete_state']>): Promise<undefined> {
  requireKey(params.key);
  const place = { taskId: params.id, key: params.key };
  const task = await requireTask(ctx.db, params.id);
  await lockKeys(ctx, params.id);
  const before = await store.lockEntry(ctx.db, place);
  requireVersion(place, before, query.if_version);
  if (!before) throw noSuchKey(params);
  await store.deleteEntry(ctx.db, place);
  const { deleted_version } = await store.lockMarks(ctx, params.id);
  if (before.version > deleted_version) await store.updateMarks(ctx.db, params.id, { deleted_version: before.version });
  note(ctx, { id: params.id, name: task.name }, before, undefined);
}

/** Keys are made and deleted by one transaction at a time, so that they stay as counted. Values of existing keys need no such lock. */
function lockKeys(ctx: Ctx, taskId: number): Promise<void> {
  return ctx.dialect.lockName(ctx.db, `keys of task ${taskId}`);
}

/** Locks a key that has no value; another transaction may have made one meanwhile. */
async function lockMissing(ctx: Ctx, place: { taskId: number; key: string }): Promise<store.EntryRow | undefined> {
  await lockKeys(ctx, place.taskId);
  const made = await store.lockEntry(ctx.db, place);
  if (made) return made;
  if ((await store.countEntries(ctx.db, place.taskId)) < STATE_KEYS_MAX) return undefined;
  throw new Refusal(
    'too_many',
    `The state of task ${place.taskId} has ${STATE_KEYS_MAX} keys, the most that it may have; delete one first.`,
  );
}

/** A key that is deleted and made again gets no version that it had before, so an old `if_version` never fits by chance. */
async function nextVersion(ctx: Ctx, taskId: number, before: store.EntryRow | undefined): Promise<number> {
  if (before) return before.version + 1;
  return ((await store.selectMarks(ctx.db, taskId))?.deleted_version ?? 0) + 1;
}

function requireVersion({ taskId, key }: { taskId: number; key: string }, entry: store.EntryRow | undefined, wanted?: number): void {
  const version = entry?.version ?? 0;
  if (wanted === undefined || wanted === version) return;
  const now = entry ? `version ${version}` : 'no value';
  throw new Refusal('state_stale', `The key "${key}" of task ${taskId} has ${now} now, not version ${wanted}; nothing was changed.`, {
    extra: { current_version: version },
  });
}

/** A run's value may hold whatever the run could read, so the task's state needs these permissions from now on. */
async function markReads(ctx: Ctx, taskId: number): Promise<void> {
  if (ctx.actor.type !== 'task') return;
  const own = await permissionsOfRun(ctx.db, ctx.actor.runId);
  const isNew = (marks: { permissions: string } | undefined): boolean => {
    const known = new Set(readPermissions(marks?.permissions ?? '[]'));
    return own.some((one) => !known.has(one));
  };
  if (!isNew(await store.selectMarks(ctx.db, taskId))) return;
  const known = readPermissions((await store.lockMarks(ctx, taskId)).permissions);
  await store.updateMarks(ctx.db, taskId, { permissions: JSON.stringify([...new Set([...known, ...own])]) });
}

/**
 * Refuses an admin who may not read all that the runs which wrote the state could read, and a run whose version such an admin wrote or
 * approved, as when it is current again after a later one that could read more. A dry run sends nothing on. Called after the state was read:
 * whoever writes to it meanwhile marks it in the same transaction.
 */
async function requireStateReads(ctx: Ctx, taskId: number): Promise<void> {
  if (ctx.actor.type === 'task' && ctx.actor.dryRun) return;
  const marks = await store.selectMarks(ctx.db, taskId);
  if (ctx.actor.type === 'task') {
    return requireMayBeGiven(ctx.db, ctx.actor, readPermissions(marks?.permissions ?? '[]'), `The state of task ${taskId}`);
  }
  const missing = missingReadsOf(ctx.actor, readPermissions(marks?.permissions ?? '[]'));
  if (missing.length === 0) return;
  const detail = `The state of task ${taskId} may contain whatever its versions may read; to see it you need ${missing.join(', ')}.`;
  throw refusePermission('forbidden', missing, detail);
}

function requireKey(key: string): void {
  if (!STATE_KEY.test(key)) throw refuseParameter('invalid_value', 'key', STATE_KEY_RULE);
}

function noSuchKey({ id, key }: { id: number; key: string }): Refusal {
  return new Refusal('not_found', `The state of task ${id} has no key "${key}".`);
}

/**
 * Values are not noted: they may be personal, and no entry of the log or the audit log about a task is found when a customer is forgotten.
 */
function note(
  ctx: Ctx,
  task: { id: number; name: string },
  before: store.EntryRow | undefined,
  after: Pick<store.EntryRow, 'key' | 'version' | 'size_bytes'> | undefined,
): void {
  const key = after?.key ?? before?.key ?? null;
  ctx.audit({
    resource: { type: 'task_state', id: task.id },
    changes: {
      key: [before ? key : null, after ? key : null],
      version: [before?.version ?? null, after?.version ?? null],
      size_bytes: [before?.size_bytes ?? null, after?.size_bytes ?? null],
    },
    summary: `Task "${task.name}": ${after ? `state ${key} set, version ${after.version}` : `state ${key} deleted`}`,
  });
}
