import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { holds, isTaskPermission, type Permission, TaskPermissions } from '../../../contract/permissions.ts';
import type { JsonObject } from '../../../contract/run-events.ts';
import { SourceWarning } from '../../../contract/source-warning.ts';
import { ParameterDeclaration, type TaskVersion } from '../../../contract/tasks.ts';
import type { At, Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { notify } from '../../resources/notifications/domain.ts';
import { readSettings } from '../../resources/settings/domain.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refusePermission } from '../../verbs/problem.ts';
import { recordDecision } from '../decisions/domain.ts';
import { acceptDefaults, acceptParameters, askingGiver } from '../parameters/domain.ts';
import { needsReview, permissionsDiff } from './rules.ts';
import * as store from './store.ts';

/** How many of the newest runs are searched for the permissions that a version uses (automation.md §2). */
const RUNS_LOOKED_AT = 20;
const StringList = z.array(z.string());
const Warnings = z.array(SourceWarning);
const Declarations = z.array(ParameterDeclaration);

type Version = Row<'task_versions'>;
type NewVersion = { source_code: string; permissions: Permission[]; parameters: ParameterDeclaration[] };

/**
 * Appends a version, approved at once or pending as the shop's policy says. The policy is read in this transaction, because
 * another server may have just changed it.
 */
export async function appendVersion(
  ctx: Ctx,
  task: Pick<Row<'tasks'>, 'id' | 'name' | 'current_version_id'>,
  version: NewVersion,
  approvedPermissions: readonly string[],
): Promise<{ id: number; approval: 'approved' | 'pending' }> {
  await acceptDefaults(ctx, version.parameters);
  const { adminId } = actingAdmin(ctx);
  const { approval_policy } = await readSettings(ctx.db);
  const isPending = needsReview(approval_policy, approvedPermissions, version.permissions);
  const row = {
    task_id: task.id,
    version: (await store.selectHighestVersion(ctx.db, task.id)) + 1,
    source_code: version.source_code,
    source_sha256: createHash('sha256').update(version.source_code).digest('hex'),
    permissions: JSON.stringify(version.permissions),
    parameters: JSON.stringify(version.parameters),
    warnings: JSON.stringify(ctx.prepared.warnings),
    created_by: adminId,
    approved_by: isPending ? null : adminId,
    approved_at: isPending ? null : ctx.now,
    revoked_at: null,
    rejected_at: null,
    created_at: ctx.now,
  };
  const id = await store.insertVersion(ctx.db, row);
  if (isPending) await askForApproval(ctx, task, { id, ...row });
  else await recordDecision(ctx, { id, ...row }, 'approved', null);
  await store.updateTask(ctx.db, task.id, { current_version_id: isPending ? task.current_version_id : id, updated_at: ctx.now });
  return { id, approval: isPending ? 'pending' : 'approved' };
}

async function askForApproval(
  ctx: Ctx,
  task: Pick<Row<'tasks'>, 'id' | 'name'>,
  { id, version }: Pick<Version, 'id' | 'version'>,
): Promise<void> {
  const message = `Version ${version} of "${task.name}" by ${actingAdmin(ctx).name}`;
  const metadata = { task_id: task.id, version_id: id };
  await notify(ctx, [{ type: 'ai_task_version_pending', title: 'A version waits for approval', message, metadata }]);
}

export async function getVersion(
  ctx: Ctx,
  { id, version_id }: InputOf<Endpoints['ai_tasks.get_version']>['params'],
): Promise<ResponseOf<Endpoints['ai_tasks.get_version']>> {
  const row = await store.selectVersion(ctx.db, id, version_id);
  if (!row) throw notFound('version', version_id);
  const permissions = permissionsOf(row);
  const previous = StringList.parse(JSON.parse((await store.selectPreviousApproved(ctx.db, id, row.version)) ?? '[]'));
  const used = new Set(await store.selectPermissionsUsed(ctx.db, row.id, RUNS_LOOKED_AT));
  return {
    ...versionOf(row),
    permissions_diff: permissionsDiff(previous, permissions),
    // A call that needs `read` counts as use of `write` where the version holds only `write`.
    permissions_used: permissions.filter((held) =>
      [...used].some((needed) => needed === held || (!permissions.includes(needed) && needed === held.replace(/write$/, 'read'))),
    ),
  };
}

/** Refuses permissions that the acting admin does not hold (decisions.md TK6). It applies to a version's author and to its approver. */
export function requireHeld(ctx: Ctx, permissions: readonly string[]): void {
  if (ctx.actor.type !== 'admin') throw new Refusal('forbidden', 'Only an admin writes versions.');
  const { permissions: held } = ctx.actor;
  const missing = permissions.filter((permission) => !isTaskPermission(permission) || !holds(held, permission));
  if (missing.length > 0) {
    throw refusePermission(
      'permission_not_held',
      missing,
      `You do not hold ${missing.join(', ')} yourself; a version can only have permissions that its author and its approver hold.`,
    );
  }
}

export function findVersionRow(db: Db, taskId: number, id: number): Promise<Version | undefined> {
  return store.selectVersion(db, taskId, id);
}

/** Finds a version, whatever was decided about it, with its columns parsed. */
export async function findVersion(db: Db, taskId: number, versionId: number) {
  const row = await store.selectVersion(db, taskId, versionId);
  if (!row) return undefined;
  return {
    id: row.id,
    isRevoked: row.revoked_at !== null,
    permissions: TaskPermissions.parse(JSON.parse(row.permissions)),
    parameters: Declarations.parse(JSON.parse(row.parameters)),
  };
}

/** Refuses parameters with which a run of the current version would be refused. If no version may run, nothing can be checked yet. */
export async function refuseParameters(ctx: Ctx, task: Row<'tasks'>, given: JsonObject): Promise<void> {
  const version = task.current_version_id === null ? undefined : await holdRunnableVersion(ctx, task.id, task.current_version_id);
  if (version) await acceptParameters(ctx, version.parameters, given, askingGiver(ctx));
}

/**
 * Finds a version that may run, with its columns parsed. It is locked until the transaction ends, so that no run opens on a
 * version that is being revoked.
 */
export async function holdRunnableVersion(ctx: At, taskId: number, versionId: number) {
  const row = await store.shareVersion(ctx.db, ctx.dialect, taskId, versionId);
  if (!row || row.approved_by === null) return undefined;
  const permissions: ReadonlySet<string> = new Set(permissionsOf(row));
  return { id: row.id, version: row.version, permissions, parameters: Declarations.parse(JSON.parse(row.parameters)) };
}

export async function changeVersion(
  ctx: Ctx,
  version: Version,
  changes: Partial<Pick<Version, 'approved_by' | 'approved_at' | 'revoked_at' | 'rejected_at'>>,
): Promise<Version> {
  await store.updateVersion(ctx.db, version.id, changes);
  return { ...version, ...changes };
}

/** Makes the newest approved version the current one, or none. Returns the ids of the current version before and after. */
export async function makeNewestApprovedCurrent(ctx: Ctx, task: Row<'tasks'>): Promise<[before: number | null, after: number | null]> {
  const newest = await store.selectNewestApproved(ctx.db, task.id);
  if (newest !== task.current_version_id) await store.updateTask(ctx.db, task.id, { current_version_id: newest, updated_at: ctx.now });
  return [task.current_version_id, newest];
}

export function approvalStateOf(row: Pick<Version, 'approved_by' | 'revoked_at' | 'rejected_at'>): TaskVersion['approval'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.rejected_at !== null) return 'rejected';
  return row.approved_by === null ? 'pending' : 'approved';
}

export function permissionsOf(row: Pick<Version, 'permissions'>): string[] {
  return StringList.parse(JSON.parse(row.permissions));
}

export function versionOf(row: Version): TaskVersion {
  const { id, version, source_code, permissions, parameters, approved_by, created_at, source_sha256 } = row;
  return {
    id,
    version,
    source_code,
    permissions,
    parameters,
    approved_by,
    approval: approvalStateOf(row),
    created_at,
    source_sha256,
    warnings: Warnings.parse(JSON.parse(row.warnings)),
  };
}
