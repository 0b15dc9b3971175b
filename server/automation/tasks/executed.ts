import { TaskPermissions } from '../../../contract/permissions.ts';
import type { JsonObject } from '../../../contract/run-events.ts';
import type { ParameterDeclaration, TaskVersion } from '../../../contract/tasks.ts';
import type { At, Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { grantsIn } from '../grants/rules.ts';
import { acceptDefaults, acceptParameters, askingGiver } from '../parameters/domain.ts';
import { columnsOf, type Source } from './columns.ts';
import { mayReadOf } from './given.ts';
import { acceptGrants } from './grants.ts';
import * as store from './store.ts';
import { approvalStateOf, parametersOf, parsed, permissionsOf, requireHeld } from './versions.ts';

/** What runs execute: versions, and drafts, which are stored for dry runs alone. */

/** A version or draft that no decision can change before the transaction ends. `version` is null for a draft. */
export type HeldVersion = {
  id: number;
  version: number | null;
  state: TaskVersion['approval'] | 'draft';
  permissions: ReadonlySet<string>;
  parameters: ParameterDeclaration[];
  /** It was paused in its trial: it runs dry, and not otherwise. */
  isPaused: boolean;
};

/** Finds a version or draft and locks it until the transaction ends, so that no run opens on a version that is being revoked. */
export async function holdVersion(ctx: At, taskId: number, versionId: number): Promise<HeldVersion | undefined> {
  const row = await store.shareVersion(ctx.db, { taskId, id: versionId });
  return row && heldOf(row);
}

/** Finds a version that may run, and locks it in the same way. */
export async function holdRunnableVersion(ctx: At, taskId: number, versionId: number): Promise<HeldVersion | undefined> {
  const version = await holdVersion(ctx, taskId, versionId);
  return version?.state === 'approved' ? version : undefined;
}

/** Finds what the runs of a lineage execute, and locks it in the same way. */
export async function holdVersionsOfLineage(ctx: At, lineageId: string): Promise<HeldVersion[]> {
  return (await store.shareVersionsOfLineage(ctx, lineageId)).map(heldOf);
}

function heldOf(row: store.SharedRow): HeldVersion {
  return {
    id: row.id,
    version: row.version,
    state: row.version === null ? 'draft' : approvalStateOf(row),
    permissions: new Set(permissionsOf(row)),
    parameters: parametersOf(row),
    isPaused: row.paused === 1,
  };
}

/**
 * Refuses a dry run of a version that was decided against. While nobody has approved what the dry run executes, whoever starts
 * it must hold its permissions, because a run may do what was approved, or what its starter may do anyway.
 */
export function requireTryable(ctx: Ctx, { version, state, permissions }: HeldVersion): void {
  if (state === 'approved') return;
  if (state === 'rejected' || state === 'revoked') throw new Refusal('version_not_approved', `Version ${version} was ${state}.`);
  requireHeld(ctx, [...permissions], UNAPPROVED);
}

/** Finds what a run executes, a version or a draft. */
/** What a version or draft executes and may do. */
export async function findSource(db: Db, taskId: number, versionId: number): Promise<Source | undefined> {
  const row = await store.selectExecuted(db, taskId, versionId);
  return (
    row && {
      source_code: row.source_code,
      permissions: TaskPermissions.parse(permissionsOf(row)),
      parameters: parametersOf(row),
      ...grantsIn(row),
    }
  );
}

export async function findExecuted(db: Db, taskId: number, versionId: number) {
  const row = await store.selectExecuted(db, taskId, versionId);
  return row && parsed(row);
}

/** Finds the version that runs of the task execute, and locks it in the same way; undefined if none may run. */
export async function holdCurrent(ctx: At, task: Row<'tasks'>): Promise<HeldVersion | undefined> {
  return task.current_version_id === null ? undefined : holdRunnableVersion(ctx, task.id, task.current_version_id);
}

/** Refuses parameters with which a run of the current version would be refused. If no version may run, nothing can be checked yet. */
export async function refuseParameters(ctx: Ctx, task: Row<'tasks'>, given: JsonObject): Promise<void> {
  const version = await holdCurrent(ctx, task);
  if (version) await acceptParameters(ctx, version.parameters, given, askingGiver(ctx));
}

const UNAPPROVED = 'whoever starts a dry run of what nobody has approved must hold its permissions';

/** Stores a draft for a dry run. Nobody approves it, so whoever starts the dry run must hold what it may do. */
export async function keepDraft(ctx: Ctx, taskId: number, draft: Source): Promise<HeldVersion> {
  requireHeld(ctx, draft.permissions, UNAPPROVED);
  await acceptDefaults(ctx, draft.parameters, '/draft');
  await acceptGrants(ctx, draft, '/draft');
  const columns = columnsOf(draft);
  const id = await store.insertVersion(
    ctx.db,
    {
      task_id: taskId,
      version: null,
      ...columns,
      warnings: '[]',
      created_by: actingAdmin(ctx).adminId,
      note: null,
      may_read: mayReadOf(ctx),
      approved_by: null,
      approved_at: null,
      revoked_at: null,
      rejected_at: ctx.now,
      created_at: ctx.now,
    },
    ctx.prepared.code,
  );
  return { id, version: null, state: 'draft', permissions: new Set(draft.permissions), parameters: draft.parameters, isPaused: false };
}

/** Deletes those of these versions that are drafts whose runs are deleted. */
export { deleteUnusedDrafts as forgetDrafts } from './store.ts';
