import { z } from 'zod';
import { Approval } from '../../../contract/approvals.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Row } from '../../db/tables.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import * as store from './store.ts';

const StringList = z.array(z.string());

/** Stores the acting admin's decision on a version, with the version's source hash and permissions as they are now. */
export async function recordDecision(
  ctx: Ctx,
  version: Pick<Row<'task_versions'>, 'id' | 'task_id' | 'source_sha256' | 'permissions'>,
  decision: Approval['decision'],
  comment: string | null,
): Promise<void> {
  await store.insertApproval(ctx.db, {
    task_id: version.task_id,
    version_id: version.id,
    source_sha256: version.source_sha256,
    permissions: version.permissions,
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

function approvalOf({ version_id, source_sha256, permissions, decision, admin_id, comment, at }: Row<'version_approvals'>): Approval {
  return {
    version_id,
    source_sha256,
    permissions: StringList.parse(JSON.parse(permissions)),
    decision: Approval.shape.decision.parse(decision),
    admin_id,
    comment,
    at,
  };
}
