import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import { holds, type Permission, TaskPermissions } from '../../../contract/permissions.ts';
import type * as contract from '../../../contract/tasks.ts';
import {
  defaultTaskSettings,
  ParameterDeclaration,
  SourceWarning,
  type Task,
  TaskSettings,
  type TaskVersion,
} from '../../../contract/tasks.ts';
import { fold } from '../../../contract/values.ts';
import { actingAdmin, type Ctx } from '../../context.ts';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { notFound, Refusal } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { permissionsDiff } from './rules.ts';
import * as store from './store.ts';

/** How many runs tell which permissions a version uses (automation.md §2). */
const RUNS_LOOKED_AT = 20;
const StringList = z.array(z.string());
const Warnings = z.array(SourceWarning);
const Declarations = z.array(ParameterDeclaration);

export const taskVersions: RecordVersions = {
  task: (db, params) => store.selectTaskVersion(db, Number(params['id'])),
  task_version: async (db, params) => {
    const version = await store.selectVersion(db, Number(params['id']), Number(params['version_id']));
    return version ? 1 : null;
  },
};

export async function listTasks(
  ctx: Ctx,
  { query }: InputOf<typeof contract.aiTasksList>,
): Promise<ResponseOf<typeof contract.aiTasksList>> {
  const filter = { search: query.search ? fold(query.search) : undefined, includeDeleted: query.include_deleted };
  const tasks = await store.selectTasks(ctx.db, ctx.dialect, filter, query.limit, query.offset);
  return { tasks, total: await store.countTasks(ctx.db, ctx.dialect, filter) };
}

export async function getTask(ctx: Ctx, { params }: InputOf<typeof contract.aiTasksGet>): Promise<ResponseOf<typeof contract.aiTasksGet>> {
  const row = await requireTask(ctx.db, params.id);
  const current = row.current_version_id === null ? undefined : await store.selectVersion(ctx.db, row.id, row.current_version_id);
  return { task: taskOf(row), current_version: current ? versionOf(current) : null, versions: await store.selectVersions(ctx.db, row.id) };
}

/** Task and version 1 in one transaction; under the policy `author` creating is approving (automation.md §2). */
export async function createTask(
  ctx: Ctx,
  { body }: InputOf<typeof contract.aiTasksCreate>,
): Promise<ResponseOf<typeof contract.aiTasksCreate>> {
  requireHeld(ctx, body.permissions);
  const id = await store.insertTask(ctx.db, {
    name: body.name,
    name_folded: fold(body.name),
    description: body.description,
    description_folded: fold(body.description),
    current_version_id: null,
    settings: JSON.stringify(defaultTaskSettings),
    deleted_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  const versionId = await appendVersion(ctx, id, body);
  ctx.audit({
    resource: { type: 'task', id },
    changes: { name: [null, body.name], current_version_id: [null, versionId], permissions: [[], body.permissions] },
    summary: `Task "${body.name}" created`,
  });
  return { task_id: id, version_id: versionId, warnings: [...ctx.prepared.warnings] };
}

export async function createVersion(
  ctx: Ctx,
  { params, body }: InputOf<typeof contract.aiTasksCreateVersion>,
): Promise<ResponseOf<typeof contract.aiTasksCreateVersion>> {
  requireHeld(ctx, body.permissions);
  await store.lockTask(ctx.db, ctx.dialect, params.id);
  const task = await requireTask(ctx.db, params.id);
  requireAlive(task);
  const current = task.current_version_id === null ? undefined : await store.selectVersion(ctx.db, task.id, task.current_version_id);
  const diff = permissionsDiff(current ? StringList.parse(JSON.parse(current.permissions)) : [], body.permissions);
  const versionId = await appendVersion(ctx, task.id, body);
  ctx.audit({
    resource: { type: 'task', id: task.id },
    changes: {
      current_version_id: [task.current_version_id, versionId],
      permissions_added: [null, diff.added],
      permissions_removed: [null, diff.removed],
    },
    summary: `Task "${task.name}": new version`,
  });
  return { version_id: versionId, permissions_diff: diff, warnings: [...ctx.prepared.warnings] };
}

type NewVersion = { source_code: string; permissions: Permission[]; parameters: ParameterDeclaration[] };

async function appendVersion(ctx: Ctx, taskId: number, version: NewVersion): Promise<number> {
  const { adminId } = actingAdmin(ctx);
  const id = await store.insertVersion(ctx.db, {
    task_id: taskId,
    version: (await store.selectHighestVersion(ctx.db, taskId)) + 1,
    source_code: version.source_code,
    source_sha256: createHash('sha256').update(version.source_code).digest('hex'),
    permissions: JSON.stringify(version.permissions),
    parameters: JSON.stringify(version.parameters),
    warnings: JSON.stringify(ctx.prepared.warnings),
    created_by: adminId,
    approved_by: adminId,
    approved_at: ctx.now,
    revoked_at: null,
    created_at: ctx.now,
  });
  await store.updateTask(ctx.db, taskId, { current_version_id: id, updated_at: ctx.now });
  return id;
}

export async function updateTask(ctx: Ctx, { params, body }: InputOf<typeof contract.aiTasksUpdate>): Promise<Task> {
  await store.lockTask(ctx.db, ctx.dialect, params.id);
  const before = taskOf(await requireTask(ctx.db, params.id));
  requireAlive(before);
  const settings: TaskSettings = body.settings
    ? {
        max_attempts: body.settings.max_attempts ?? before.settings.max_attempts,
        on_interrupt: body.settings.on_interrupt ?? before.settings.on_interrupt,
        limits: merge(before.settings.limits, body.settings.limits),
        concurrency: merge(before.settings.concurrency, body.settings.concurrency),
      }
    : before.settings;
  const after = { name: body.name ?? before.name, description: body.description ?? before.description, settings };
  const changes: Record<string, [unknown, unknown]> = {};
  if (after.name !== before.name) changes['name'] = [before.name, after.name];
  if (after.description !== before.description) changes['description'] = [before.description, after.description];
  if (JSON.stringify(settings) !== JSON.stringify(before.settings)) changes['settings'] = [before.settings, settings];
  if (Object.keys(changes).length > 0) {
    await store.updateTask(ctx.db, params.id, {
      name: after.name,
      name_folded: fold(after.name),
      description: after.description,
      description_folded: fold(after.description),
      settings: JSON.stringify(settings),
      updated_at: ctx.now,
    });
  }
  ctx.audit({ resource: { type: 'task', id: params.id }, changes, summary: `Task "${after.name}" changed` });
  return taskOf(await requireTask(ctx.db, params.id));
}

/** `before` with what `changes` gives. */
function merge<T extends object>(before: T, changes: { [K in keyof T]?: T[K] | undefined } | undefined): T {
  const merged = { ...before };
  for (const key of Object.keys(changes ?? {}) as (keyof T)[]) {
    const value = changes?.[key];
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** Soft; a second time changes nothing (decisions.md TK3). */
export async function deleteTask(ctx: Ctx, { params }: InputOf<typeof contract.aiTasksDelete>): Promise<undefined> {
  await store.lockTask(ctx.db, ctx.dialect, params.id);
  const task = await requireTask(ctx.db, params.id);
  if (task.deleted_at === null) await store.updateTask(ctx.db, task.id, { deleted_at: ctx.now, updated_at: ctx.now });
  ctx.audit({
    resource: { type: 'task', id: task.id },
    changes: { deleted_at: [task.deleted_at, task.deleted_at ?? ctx.now] },
    summary: `Task "${task.name}" deleted`,
  });
}

export async function getVersion(
  ctx: Ctx,
  { params }: InputOf<typeof contract.aiTasksGetVersion>,
): Promise<ResponseOf<typeof contract.aiTasksGetVersion>> {
  const row = await store.selectVersion(ctx.db, params.id, params.version_id);
  if (!row) throw notFound('version', params.version_id);
  const permissions = StringList.parse(JSON.parse(row.permissions));
  const previous = StringList.parse(JSON.parse((await store.selectPreviousApproved(ctx.db, params.id, row.version)) ?? '[]'));
  const used = new Set(await store.selectPermissionsUsed(ctx.db, row.id, RUNS_LOOKED_AT));
  return {
    ...versionOf(row),
    permissions_diff: permissionsDiff(previous, permissions),
    // A call needs `read` where the version may hold it by `write` alone.
    permissions_used: permissions.filter((held) =>
      [...used].some((needed) => needed === held || (!permissions.includes(needed) && needed === held.replace(/write$/, 'read'))),
    ),
  };
}

/** Nobody declares what they may not do (decisions.md TK6). */
export function requireHeld(ctx: Ctx, permissions: readonly Permission[]): void {
  if (ctx.actor.type !== 'admin') throw new Refusal('forbidden', 'Only an admin writes versions.');
  const { permissions: held } = ctx.actor;
  const missing = permissions.filter((permission) => !holds(held, permission));
  if (missing.length > 0) {
    throw new Refusal('permission_not_held', `You do not hold ${missing.join(', ')} yourself.`, { extra: { permissions: missing } });
  }
}

export function requireAlive(task: Pick<Row<'tasks'>, 'id' | 'deleted_at'>): void {
  if (task.deleted_at !== null) throw new Refusal('task_deleted', `Task ${task.id} was deleted at ${task.deleted_at}.`);
}

/** Holds the task against other transactions: what is counted for it stays true until this one ends. */
export function lockTask(ctx: Pick<Ctx, 'db' | 'dialect'>, id: number): Promise<void> {
  return store.lockTask(ctx.db, ctx.dialect, id);
}

export function findTask(db: Db, id: number): Promise<Row<'tasks'> | undefined> {
  return store.selectTask(db, id);
}

export async function requireTask(db: Db, id: number): Promise<Row<'tasks'>> {
  const row = await store.selectTask(db, id);
  if (!row) throw notFound('task', id);
  return row;
}

/** A version whatever was decided about it: parsed columns. */
export async function findVersion(db: Db, taskId: number, versionId: number) {
  const row = await store.selectVersion(db, taskId, versionId);
  if (!row) return undefined;
  return {
    id: row.id,
    permissions: TaskPermissions.parse(JSON.parse(row.permissions)),
    parameters: Declarations.parse(JSON.parse(row.parameters)),
  };
}

/** A version as it runs: parsed columns. */
export async function findRunnableVersion(db: Db, taskId: number, versionId: number) {
  const row = await store.selectVersion(db, taskId, versionId);
  if (!row || row.approved_by === null || row.revoked_at !== null) return undefined;
  const permissions: ReadonlySet<string> = new Set(StringList.parse(JSON.parse(row.permissions)));
  return { id: row.id, version: row.version, permissions, parameters: Declarations.parse(JSON.parse(row.parameters)) };
}

export function settingsOf(row: Pick<Row<'tasks'>, 'settings'>): TaskSettings {
  return TaskSettings.parse(JSON.parse(row.settings));
}

function taskOf(row: Row<'tasks'>): Task {
  const { id, name, description, current_version_id, deleted_at, created_at, updated_at } = row;
  return { id, name, description, current_version_id, deleted_at, created_at, updated_at, settings: settingsOf(row) };
}

function versionOf(row: Row<'task_versions'>): TaskVersion {
  const { id, version, source_code, permissions, parameters, approved_by, created_at, source_sha256 } = row;
  return {
    id,
    version,
    source_code,
    permissions,
    parameters,
    approved_by,
    created_at,
    source_sha256,
    warnings: Warnings.parse(JSON.parse(row.warnings)),
  };
}
