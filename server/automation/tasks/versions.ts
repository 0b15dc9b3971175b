import { z } from 'zod';
import { declaredOf } from '../../../contract/declared.ts';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Grants } from '../../../contract/grants.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { holds, isTaskPermission, TaskPermissions } from '../../../contract/permissions.ts';
import { SourceWarning } from '../../../contract/source-warning.ts';
import { type ChangeRequest, ParameterDeclaration, type TaskVersion } from '../../../contract/tasks.ts';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { notify } from '../../resources/notifications/domain.ts';
import { readSettings } from '../../resources/settings/domain.ts';
import type { OnlyOf } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import type { Decision } from '../../verbs/decision.ts';
import { oncePerRead } from '../../verbs/once-per-read.ts';
import { notFound, Refusal, refusePermission, refuseValue } from '../../verbs/problem.ts';
import { findChangeRequest, recordDecision } from '../decisions/domain.ts';
import { signedVersion } from '../decisions/signed.ts';
import { declaredIn, grantsIn } from '../grants/rules.ts';
import { acceptDefaults } from '../parameters/domain.ts';
import { columnsOf, type Source } from './columns.ts';
import { acceptEvidence, applicablePlan, evidenceIn, newestPlanDigest, proposedEvidence } from './evidence.ts';
import { mayReadOf, requireGivenReads } from './given.ts';
import { acceptGrants, namedTasks } from './grants.ts';
import { isOwnVersion, needsReview, permissionsDiff, type Review } from './rules.ts';
import * as store from './store.ts';

/** How many of the newest runs are searched for the permissions that a version uses (spec TK1). */
const RUNS_LOOKED_AT = 20;
const StringList = z.array(z.string());
const Warnings = z.array(SourceWarning);
const Declarations = z.array(ParameterDeclaration);

type Version = store.VersionRow;
type NewVersion = Source & {
  note?: string | undefined;
  evidence?: readonly number[] | undefined;
  base_version_id?: number | undefined;
  assistant_thread_id?: number | undefined;
};

/** Is told of the thread in which the assistant wrote a version of the task. */
export type ClaimThread = (ctx: Ctx, threadId: number, taskId: number) => Promise<void>;

/**
 * Appends a version, approved at once or pending as the shop's policy says. The policy is read in this transaction, because
 * another server may have just changed it.
 */
export async function appendVersion<Given extends NewVersion>(
  ctx: Ctx,
  task: Pick<Row<'tasks'>, 'id' | 'name' | 'current_version_id'> & { one_off?: number },
  version: OnlyOf<Given, NewVersion>,
  /** What the current version declares. */
  approved: readonly string[],
  claimThread: ClaimThread,
): Promise<{ id: number; version: number; approval: 'approved' | 'pending' }> {
  await acceptDefaults(ctx, version.parameters);
  await acceptGrants(ctx, version);
  await requireGivenReads(ctx, { taskId: task.id, may_start: version.may_start });
  const { adminId } = actingAdmin(ctx);
  const newest = await store.selectNewest(ctx.db, task.id);
  const base = version.base_version_id === undefined ? undefined : await findBase(ctx, task.id, version.base_version_id, newest);
  const { approval_policy, decisions } = await readSettings(ctx.db);
  const agent = ctx.actor.type === 'admin' && ctx.actor.agent ? ctx.actor.name : null;
  const { assistant_thread_id: threadId } = version;
  if (threadId !== undefined) await claimThread(ctx, threadId, task.id);
  const createdVia = agent !== null ? 'mcp' : threadId !== undefined ? 'assistant' : unseenWriter(base);
  // What a model wrote, and what is to run once, waits for a person, whatever the policy (spec MC5, MC9, AS6); so does what is approved by a
  // gesture, which signs a version that is there (spec DE5).
  const waits = createdVia !== null || task.one_off === 1 || decisions.approve_version === 'passkey';
  const isPending = waits || needsReview(approval_policy, approved, declaredOf(version));
  const row = {
    task_id: task.id,
    version: (newest?.version ?? 0) + 1,
    ...columnsOf(version),
    warnings: JSON.stringify(ctx.prepared.warnings),
    created_by: adminId,
    note: version.note || null,
    may_read: mayReadOf(ctx),
    approved_by: isPending ? null : adminId,
    approved_at: isPending ? null : ctx.now,
    revoked_at: null,
    rejected_at: null,
    created_at: ctx.now,
    created_via: createdVia,
    created_by_agent: agent,
    evidence: version.evidence?.length ? JSON.stringify(await acceptEvidence(ctx, version, version.evidence)) : null,
  };
  const id = await store.insertVersion(ctx.db, row, ctx.prepared.code);
  if (isPending && task.one_off !== 1) await askForApproval(ctx, task, { id, ...row });
  else if (!isPending) {
    await ctx.decide(approvalOf(task, { id, ...row }));
    await recordDecision(ctx, { id, ...row }, 'approved', null);
  }
  await store.updateTask(ctx.db, task.id, { current_version_id: isPending ? task.current_version_id : id, updated_at: ctx.now });
  return { id, version: row.version, approval: isPending ? 'pending' : 'approved' };
}

/** Which model wrote the version of which a new one was made, if nobody has approved what it wrote (spec MC5, AS6). */
function unseenWriter(base: Version | undefined): Version['created_via'] {
  return base?.approved_by === null ? base.created_via : null;
}

/** The version of which a new one was made. Refuses an author who has not seen the newest one. The caller has locked the task. */
async function findBase(ctx: Ctx, taskId: number, baseId: number, newest: store.VersionSummary | undefined): Promise<Version> {
  const base = await store.selectVersion(ctx.db, taskId, baseId);
  if (!base) throw refuseValue('version_not_found', '/base_version_id', `task ${taskId} has no version ${baseId}`);
  if (!newest || newest.id === base.id) return base;
  const by = newest.created_by_name === null ? '' : ` by ${newest.created_by_name}`;
  throw new Refusal(
    'version_outdated',
    `Version ${newest.version}${by} of ${newest.created_at} is newer than version ${base.version}, from which this one was made.`,
    { extra: { newest_version_id: newest.id, newest_version: newest.version } },
  );
}

async function askForApproval(
  ctx: Ctx,
  task: Pick<Row<'tasks'>, 'id' | 'name'>,
  { id, version }: Pick<Version, 'id' | 'version'>,
): Promise<void> {
  const by = actingAdmin(ctx).name;
  const message = `Version ${version} of "${task.name}" by ${by}`;
  const metadata = { task_id: task.id, version_id: id, task_name: task.name, version, by };
  await notify(ctx, [{ type: 'ai_task_version_pending', title: 'A version waits for approval', message, metadata }]);
}

type Place = InputOf<Endpoints['ai_tasks.get_version']>['params'];

/** A version with what is found out about it, most of which its ETag counts, too. */
export const shownVersion = oncePerRead((ctx, place: Place) => getVersion(ctx, place));

async function getVersion(ctx: Ctx, { id, version_id }: Place): Promise<ResponseOf<Endpoints['ai_tasks.get_version']>> {
  const row = await store.selectVersion(ctx.db, id, version_id);
  if (!row) throw notFound('version', version_id);
  const permissions = permissionsOf(row);
  const previous = await store.selectPreviousApproved(ctx.db, id, row.version);
  const task = await store.selectTask(ctx.db, { id });
  const isOneOff = task?.one_off === 1;
  const used = new Set(await store.selectPermissionsUsed(ctx.db, row.id, RUNS_LOOKED_AT));
  return {
    ...versionOf(row),
    permissions_diff: permissionsDiff(previous ? declaredIn(previous) : [], declaredIn(row)),
    change_request: await changeRequestOf(ctx.db, row),
    is_own: ctx.actor.type === 'admin' && isOwnVersion(row, ctx.actor.adminId, await reviewOf(ctx, task, row)),
    evidence: isOneOff ? await proposedEvidence(ctx.db, row.id) : evidenceIn(row),
    proposal: isOneOff ? { run_id: (await applicablePlan(ctx.db, row.id)).run_id } : null,
    plan_digest_now: await newestPlanDigest(ctx.db, row.id),
    may_start_tasks: await namedTasks(ctx.db, grantsIn(row).may_start),
    // A call that needs `read` counts as use of `write` where the version holds only `write`.
    permissions_used: permissions.filter((held) =>
      [...used].some((needed) => needed === held || (!permissions.includes(needed) && needed === held.replace(/write$/, 'read'))),
    ),
  };
}

/** The newest request for changes on a version, while it is pending. */
function changeRequestOf(db: Db, row: Version): Promise<ChangeRequest> {
  return row.change_request_id === null || approvalStateOf(row) !== 'pending'
    ? Promise.resolve(null)
    : findChangeRequest(db, row.change_request_id);
}

/** The decision to approve a version: all that a run of it could do. */
export function approvalOf(
  task: Pick<Row<'tasks'>, 'id' | 'name'>,
  version: Pick<Version, 'id' | 'version' | 'source_sha256' | 'permissions' | 'parameters' | keyof Grants>,
): Decision {
  return {
    acts: ['approve_version'],
    subject: { type: 'task_version', id: version.id },
    decided: { task: { id: task.id, name: task.name }, version: signedVersion(version) },
  };
}

/** Asks what the shop's policy says of the version, compared with the one that runs now. */
export async function reviewOf(ctx: Ctx, task: Row<'tasks'> | undefined, version: Version): Promise<Review> {
  const { approval_policy, decisions } = await readSettings(ctx.db);
  const currentId = task?.current_version_id ?? null;
  const current = currentId === null ? undefined : await store.selectVersion(ctx.db, version.task_id, currentId);
  const needsSecond = needsReview(approval_policy, current ? declaredIn(current) : [], declaredIn(version));
  return { needsSecond, isSigned: decisions.approve_version === 'passkey' };
}

const WRITTEN = 'a version can only have permissions that its author and its approver hold';

/** Refuses permissions that the acting admin does not hold (spec TK6). It applies to a version's author and to its approver. */
export function requireHeld(ctx: Ctx, permissions: readonly string[], why = WRITTEN): void {
  if (ctx.actor.type !== 'admin') throw new Refusal('forbidden', 'Only an admin writes versions.');
  const missing = notHeld(ctx.actor.permissions, permissions);
  if (missing.length > 0) {
    throw refusePermission('permission_not_held', missing, `You do not hold ${missing.join(', ')} yourself; ${why}.`);
  }
}

export function notHeld(held: ReadonlySet<string>, permissions: readonly string[]): string[] {
  return permissions.filter((permission) => !isTaskPermission(permission) || !holds(held, permission));
}

export { selectVersion as findVersionRow } from './store.ts';

/** Finds a version, whatever was decided about it, with its columns parsed. */
export async function findVersion(db: Db, taskId: number, versionId: number) {
  const row = await store.selectVersion(db, taskId, versionId);
  return row && parsed(row);
}

export function parsed(row: Row<'task_versions'>) {
  return {
    id: row.id,
    isRevoked: row.revoked_at !== null,
    permissions: TaskPermissions.parse(JSON.parse(row.permissions)),
    parameters: parametersOf(row),
  };
}

/** Where the console shows a version. */
export function linkOf({ id, task_id }: Pick<Version, 'id' | 'task_id'>): string {
  return `/tasks/${task_id}/versions/${id}`;
}

export async function changeVersion(
  ctx: Ctx,
  version: Version,
  changes: Partial<Pick<Version, 'approved_by' | 'approved_at' | 'revoked_at' | 'rejected_at' | 'may_read' | 'change_request_id'>>,
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

/**
 * Makes a version that was just signed the current one, unless a newer one is. No other becomes current by it: where the current one was
 * revoked, nobody has signed that one before it runs again (spec DE5).
 */
export async function makeSignedCurrent(ctx: Ctx, task: Row<'tasks'>, id: number): Promise<[before: number | null, after: number]> {
  const before = task.current_version_id;
  if (before !== null && before > id) return [before, before];
  await store.updateTask(ctx.db, task.id, { current_version_id: id, updated_at: ctx.now });
  return [before, id];
}

export async function makeNoneCurrent(ctx: Ctx, task: Row<'tasks'>): Promise<[before: number | null, after: null]> {
  await store.updateTask(ctx.db, task.id, { current_version_id: null, updated_at: ctx.now });
  return [task.current_version_id, null];
}

export function approvalStateOf(row: Pick<Version, 'approved_by' | 'revoked_at' | 'rejected_at'>): TaskVersion['approval'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.rejected_at !== null) return 'rejected';
  return row.approved_by === null ? 'pending' : 'approved';
}

export function permissionsOf(row: Pick<Version, 'permissions'>): string[] {
  return StringList.parse(JSON.parse(row.permissions));
}

export function parametersOf(row: Pick<Row<'task_versions'>, 'parameters'>): ParameterDeclaration[] {
  return Declarations.parse(JSON.parse(row.parameters));
}

export function versionOf(row: Version): TaskVersion {
  const { source_code, permissions, parameters, source_sha256 } = row;
  return {
    ...namedOf(row),
    source_code,
    permissions,
    parameters,
    ...grantsIn(row),
    source_sha256,
    warnings: Warnings.parse(JSON.parse(row.warnings)),
  };
}

export function summaryOf(row: store.VersionSummary): ResponseOf<Endpoints['ai_tasks.get']>['versions'][number] {
  const named = namedOf(row);
  return { ...named, changes_requested: named.approval === 'pending' && row.change_request_id !== null };
}

function namedOf(row: store.VersionSummary) {
  const { id, version, created_at, approved_by, created_by, created_by_name, created_via, note } = row;
  return { id, version, created_at, approved_by, approval: approvalStateOf(row), created_by, created_by_name, created_via, note };
}
