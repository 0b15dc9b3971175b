import type { PendingVersion } from '../../../contract/approvals.ts';
import { type Declared, declaredOf } from '../../../contract/declared.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { ChangeRequest, TaskVersion } from '../../../contract/tasks.ts';
import { tellAdmins } from '../../resources/notifications/domain.ts';
import { readSettings } from '../../resources/settings/domain.ts';
import { type Actor, actingAdmin, type Ctx, may } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import { findChangeRequest, recordDecision } from '../decisions/domain.ts';
import { declaredIn, tasksIn } from '../grants/rules.ts';
import { cancelRunsOfVersion } from '../runs/life/cancel.ts';
import { lockTask, requireAlive, requireTask, settingsOf } from '../tasks/domain.ts';
import { givenReadsOf, mayBothRead, requireGivenReads } from '../tasks/given.ts';
import { isOwnVersion, needsReview, permissionsDiff } from '../tasks/rules.ts';
import {
  approvalOf,
  approvalStateOf,
  changeVersion,
  findVersionRow,
  linkOf,
  makeNewestApprovedCurrent,
  makeNoneCurrent,
  makeSignedCurrent,
  notHeld,
  permissionsOf,
  requireHeld,
  reviewOf,
  versionOf,
} from '../tasks/versions.ts';
import { beginTrial, continueTrial } from '../trials/domain.ts';
import * as store from './store.ts';

type Task = Awaited<ReturnType<typeof requireTask>>;
type Version = NonNullable<Awaited<ReturnType<typeof findVersionRow>>>;

export async function listPendingVersions(
  ctx: Ctx,
  { query }: InputOf<Endpoints['ai_tasks.list_pending_versions']>,
): Promise<PendingVersion[]> {
  const { adminId } = actingAdmin(ctx);
  const rows = await store.selectPending(ctx.db, adminId, query.limit);
  const missing = await givenReadsOf(ctx, rows.map(givenOf));
  const { approval_policy, decisions } = await readSettings(ctx.db);
  const isSigned = decisions.approve_version === 'passkey';
  return rows.map((row) => {
    const needsSecond = needsReview(approval_policy, declaredNow(row), declaredIn(row));
    const isOwn = isOwnVersion(row, adminId, { needsSecond, isSigned });
    return pendingOf(ctx.actor, row, { isOwn, mayReadGiven: missing(givenOf(row)).length === 0 });
  });
}

function givenOf(version: Pick<Version, 'task_id' | 'may_start'>) {
  return { taskId: version.task_id, may_start: tasksIn(version.may_start) };
}

type Judged = { isOwn: boolean; mayReadGiven: boolean };

function pendingOf(actor: Actor, row: store.PendingRow, judged: Judged): PendingVersion {
  const { id, version, task_id, task_name, created_at, created_by, created_by_name, created_via, note, current_version_id, one_off } = row;
  const permissions = permissionsOf(row);
  const refusal = refusalOf(actor, { permissions, ...judged });
  return {
    version_id: id,
    ...{
      version,
      task_id,
      task_name,
      created_at,
      created_by,
      created_by_name,
      created_via,
      note,
      current_version_id,
      one_off: one_off === 1,
    },
    change_request: changeRequestOf(row),
    permissions_diff: permissionsDiff(declaredNow(row), declaredIn(row)),
    may_approve: refusal === null,
    refusal,
  };
}

function changeRequestOf(row: store.PendingRow): ChangeRequest {
  const { change_request_id: id, requested_by: admin_id, requested_by_name: admin_name, requested_at: at, requested: comment } = row;
  return id === null || admin_id === null || at === null ? null : { id, admin_id, admin_name, comment: comment ?? '', at };
}

function declaredNow(row: store.PendingRow): string[] {
  return declaredIn({
    permissions: row.current_permissions ?? '[]',
    mail_to: row.current_mail_to ?? '[]',
    http_allow: row.current_http_allow ?? '[]',
    secrets: row.current_secrets ?? '[]',
    may_start: row.current_may_start ?? '[]',
  });
}

/** The first code with which `approveVersion` would refuse this actor; null: the actor may approve the version. */
function refusalOf(actor: Actor, version: Judged & { permissions: readonly string[] }): PendingVersion['refusal'] {
  if (actor.type !== 'admin' || !may(actor, 'admin_api.ai_tasks.approve')) return 'forbidden';
  if (version.isOwn) return 'self_approval';
  const isHeld = version.mayReadGiven && notHeld(actor.permissions, version.permissions).length === 0;
  return isHeld ? null : 'permission_not_held';
}

/** Approves a pending version. The approver must not be its author, and must hold every permission that it declares (spec AP3) and of what it is given. */
export async function approveVersion(
  ctx: Ctx,
  { params, body }: Pick<InputOf<Endpoints['ai_tasks.approve_version']>, 'params' | 'body'>,
  as: 'version' | 'proposal' = 'version',
): Promise<TaskVersion> {
  const { admin, task, version } = await lockVersion(ctx, params);
  if (as === 'proposal' && task.one_off === 0)
    throw new Refusal('not_applicable', `Version ${version.version} is no proposal to run once; approve it.`);
  if (as === 'version' && task.one_off === 1)
    throw new Refusal('forbidden', 'A proposal to run once is not approved by itself: apply its plan, or decline it.');
  // The task of a proposal is deleted when its plan is applied.
  if (as === 'proposal') requirePending(version);
  requireAlive(task);
  const review = await reviewOf(ctx, task, version);
  if (isOwnVersion(version, admin.adminId, review)) {
    throw new Refusal('self_approval', `Version ${version.version} is your own; another admin has to approve it.`);
  }
  requireHeld(ctx, permissionsOf(version));
  await requireGivenReads(ctx, givenOf(version));
  requirePending(version);
  requireAsReviewed(version, body);
  await requireRequestSeen(ctx, version, body.change_request_id);
  // What approves a proposal is the decision to apply its plan.
  if (as === 'version') await ctx.decide(approvalOf(task, version));
  const approved = await changeVersion(ctx, version, {
    approved_by: admin.adminId,
    approved_at: ctx.now,
    may_read: mayBothRead(ctx, version.may_read),
  });
  await recordDecision(ctx, approved, 'approved', body.comment ?? null);
  const { isSigned } = review;
  const [before, after] = await (isSigned ? makeSignedCurrent(ctx, task, version.id) : makeNewestApprovedCurrent(ctx, task));
  // A draft has no number, and is never approved.
  if (after === version.id && version.version !== null)
    await beginTrial(ctx, settingsOf(task).trial, { id: version.id, task_id: task.id, version: version.version });
  ctx.audit({
    resource: { type: 'task_version', id: version.id },
    changes: {
      approval: ['pending', 'approved'],
      approved_by: [null, admin.adminId],
      ...(before === after ? {} : { current_version_id: [before, after] }),
    },
    summary: `Task "${task.name}": version ${version.version} approved`,
  });
  return versionOf(approved);
}

/**
 * Asks the author of a pending version for changes. The version stays pending: it waits for its author, and can be approved by whoever has
 * seen the request (spec AP8).
 */
export async function requestChanges(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.request_changes']>): Promise<TaskVersion> {
  const { admin, task, version } = await lockVersion(ctx, params);
  if (task.one_off === 1) throw new Refusal('forbidden', 'A proposal to run once has no next version: decline it, and say why.');
  requireAlive(task);
  if (isOwnVersion(version, admin.adminId, await reviewOf(ctx, task, version))) {
    throw new Refusal('self_approval', `Version ${version.version} is your own; another admin reviews it.`);
  }
  requirePending(version);
  const id = await recordDecision(ctx, version, 'changes_requested', body.comment);
  const asked = await changeVersion(ctx, version, { change_request_id: id });
  const by = actingAdmin(ctx).name;
  await tellAdmins(ctx, [version.created_by], {
    type: 'ai_task_changes_requested',
    title: 'Changes are requested on a version',
    message: `${by} requests changes on version ${version.version} of "${task.name}"`,
    link: linkOf(version),
    metadata: { task_id: task.id, version_id: version.id, task_name: task.name, version: version.version, by },
  });
  ctx.audit({
    resource: { type: 'task_version', id: version.id },
    changes: { change_request_id: [version.change_request_id, id], comment: [null, body.comment] },
    summary: `Task "${task.name}": changes requested on version ${version.version}`,
  });
  return versionOf(asked);
}

/** Refuses an approver who has not seen the newest request for changes, which may have come while the page was open. */
async function requireRequestSeen(ctx: Ctx, version: Version, seen: number | null): Promise<void> {
  if (version.change_request_id === seen) return;
  const request = version.change_request_id === null ? null : await findChangeRequest(ctx.db, version.change_request_id);
  throw new Refusal(
    'changes_requested',
    request === null
      ? `Nobody requested changes on version ${version.version} as number ${seen}.`
      : `${request.admin_name ?? 'An admin'} requested changes on version ${version.version} at ${request.at}. Read them, and name ${request.id} as change_request_id to approve it all the same.`,
    { extra: { change_request_id: version.change_request_id } },
  );
}

/**
 * Rejects a pending version for good, and cancels its dry runs and replays: its faults are mended in a new version. The author
 * may reject it too, to withdraw it.
 */
export async function rejectVersion(
  ctx: Ctx,
  { params, body }: Pick<InputOf<Endpoints['ai_tasks.reject_version']>, 'params' | 'body'>,
): Promise<TaskVersion> {
  const { task, version } = await lockVersion(ctx, params);
  requirePending(version);
  const rejected = await changeVersion(ctx, version, { rejected_at: ctx.now });
  await recordDecision(ctx, rejected, 'rejected', body.reason);
  await cancelRunsOfVersion(ctx, task, version.id, 'rejected');
  ctx.audit({
    resource: { type: 'task_version', id: version.id },
    changes: { approval: ['pending', 'rejected'], reason: [null, body.reason] },
    summary: `Task "${task.name}": version ${version.version} rejected`,
  });
  return versionOf(rejected);
}

/**
 * Revokes an approved version and cancels its running runs at once. Opening a run locks the version's row until the run is
 * stored, so no run can open on the version in between.
 */
export async function revokeVersion(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.revoke_version']>): Promise<undefined> {
  const { task, version } = await lockVersion(ctx, params);
  const state = approvalStateOf(version);
  if (state === 'revoked') throw decided(version, 'was revoked before');
  if (state !== 'approved')
    throw new Refusal('version_not_approved', `Version ${version.version} is ${state}; there is nothing to revoke.`);
  const revoked = await changeVersion(ctx, version, { approved_by: null, approved_at: null, revoked_at: ctx.now });
  await recordDecision(ctx, revoked, 'revoked', body.comment ?? null);
  const [before, after] = await replaceRevoked(ctx, task, version.id);
  ctx.audit({
    resource: { type: 'task_version', id: version.id },
    changes: {
      approval: ['approved', 'revoked'],
      approved_by: [version.approved_by, null],
      ...(before === after ? {} : { current_version_id: [before, after] }),
    },
    summary: `Task "${task.name}": version ${version.version} revoked`,
  });
  await cancelRunsOfVersion(ctx, task, version.id, 'revoked');
}

/** While a version is approved by a gesture, revoking one makes no other current: nobody has signed that an earlier one runs again. */
async function replaceRevoked(ctx: Ctx, task: Task, revokedId: number): Promise<[before: number | null, after: number | null]> {
  const { decisions } = await readSettings(ctx.db);
  if (decisions.approve_version === 'token') return makeNewestApprovedCurrent(ctx, task);
  const before = task.current_version_id;
  return before === revokedId ? makeNoneCurrent(ctx, task) : [before, before];
}

/** Lets a version go on that was paused in its trial (spec TV1). */
export async function continueVersion(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.continue_version']>): Promise<undefined> {
  const { task, version } = await lockVersion(ctx, params);
  requireAlive(task);
  if (!(await continueTrial(ctx, version.id))) throw new Refusal('not_paused', `Version ${version.version} is not paused.`);
  const { decided: approved, ...decision } = approvalOf(task, version);
  await ctx.decide({ ...decision, decided: { ...approved, continued: true } });
  ctx.audit({
    resource: { type: 'task_version', id: version.id },
    changes: { trial: ['paused', 'continued'], ...(body.comment ? { comment: [null, body.comment] } : {}) },
    summary: `Task "${task.name}": version ${version.version} goes on after its trial paused it`,
  });
}

/** Locks the task, so that of two admins who decide at the same time the second sees the first one's decision. */
async function lockVersion(ctx: Ctx, { id, version_id }: { id: number; version_id: number }) {
  if (ctx.actor.type !== 'admin') throw new Refusal('forbidden', 'Only an admin decides on versions.');
  await lockTask(ctx, id);
  const task = await requireTask(ctx.db, id);
  const version = await findVersionRow(ctx.db, id, version_id);
  if (!version) throw notFound('version', version_id);
  return { admin: ctx.actor, task, version };
}

function requirePending(version: Version): void {
  switch (approvalStateOf(version)) {
    case 'pending':
      return;
    case 'approved':
      throw decided(version, `was approved by admin ${version.approved_by}; revoke it to stop it`);
    case 'rejected':
      throw decided(version, 'was rejected for good; make a new version');
    case 'revoked':
      throw decided(version, 'was revoked for good; make a new version');
  }
}

function decided({ version }: Version, how: string): Refusal {
  return new Refusal('already_decided', `Version ${version} ${how}.`);
}

/** Refuses unless source hash, permissions and grants are those that the admin reviewed. The order of each list does not matter. */
function requireAsReviewed(version: Version, seen: Declared & { source_sha256: string }): void {
  if (seen.source_sha256.toLowerCase() !== version.source_sha256) {
    throw new Refusal('version_changed', `Version ${version.version} has the source_sha256 ${version.source_sha256}, not the one given.`);
  }
  const [given, held] = [new Set(declaredOf(seen)), new Set(declaredIn(version))];
  if (given.size !== held.size || [...given].some((one) => !held.has(one))) {
    throw new Refusal(
      'version_changed',
      `Version ${version.version} declares ${[...held].join(', ') || 'nothing'}, and not what was given.`,
    );
  }
}
