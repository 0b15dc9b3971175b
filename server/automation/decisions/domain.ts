import { z } from 'zod';
import { Approval } from '../../../contract/approvals.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Grants } from '../../../contract/grants.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Row } from '../../db/tables.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { grantsIn } from '../grants/rules.ts';
import * as store from './store.ts';

const StringList = z.array(z.string());

/** Stores the acting admin's decision on a version, with the version's source hash and permissions as they are now; returns its id. */
export async function recordDecision(
  ctx: Ctx,
  version: Pick<Row<'task_versions'>, 'id' | 'task_id' | 'source_sha256' | 'permissions' | keyof Grants>,
  decision: Approval['decision'],
  comment: string | null,
): Promise<number> {
  return store.insertApproval(ctx.db, {
    task_id: version.task_id,
    version_id: version.id,
    source_sha256: version.source_sha256,
    permissions: version.permissions,
    mail_to: version.mail_to,
    http_allow: version.http_allow,
    secrets: version.secrets,
    may_start: version.may_start,
    decision,
    admin_id: actingAdmin(ctx).adminId,
    comment,
    at: ctx.now,
  });
}

export async function listApprovals(ctx: Ctx, { params, query }: InputOf<Endpoints['ai_tasks.list_approvals']>): Promise<Approval[]> {
  return (await store.selectApprovals(ctx.db, { taskId: params.id }, query.limit)).map(approvalOf);
}

export async function listVersionApprovals(
  ctx: Ctx,
  { params, query }: InputOf<Endpoints['ai_tasks.list_version_approvals']>,
): Promise<Approval[]> {
  return (await store.selectApprovals(ctx.db, { versionId: params.version_id }, query.limit)).map(approvalOf);
}

function approvalOf(row: Row<'version_approvals'>): Approval {
  const { version_id, source_sha256, permissions, decision, admin_id, comment, at } = row;
  return {
    version_id,
    source_sha256,
    permissions: StringList.parse(JSON.parse(permissions)),
    ...grantsIn(row),
    decision: Approval.shape.decision.parse(decision),
    admin_id,
    comment,
    at,
  };
}

/** A request for changes with the name of who made it. */
export { selectChangeRequest as findChangeRequest } from './store.ts';
