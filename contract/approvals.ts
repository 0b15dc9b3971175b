import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { ShownGrants } from './grants.ts';
import { ChangeRequest, PermissionsDiff, TaskVersion } from './tasks.ts';
import { clamped, Id, Timestamp, text } from './values.ts';

/** A decision on a version; decisions are kept forever (spec AP6). */
export const Approval = z
  .object({
    version_id: Id,
    /** The hash of the source that the admin decided on. */
    source_sha256: z.string(),
    permissions: z.array(z.string()),
    ...ShownGrants.shape,
    decision: z.enum(['approved', 'rejected', 'revoked', 'changes_requested']),
    admin_id: Id,
    comment: z.string().nullable(),
    at: Timestamp,
  })
  .meta({ id: 'Approval' });
export type Approval = z.infer<typeof Approval>;

/** A version that waits for approval or for its author, and whether the caller may approve it. */
export const PendingVersion = z
  .object({
    version_id: Id,
    version: z.int(),
    task_id: Id,
    task_name: z.string(),
    ...TaskVersion.pick({ created_at: true, created_by: true, created_by_name: true, created_via: true, note: true }).shape,
    one_off: z.boolean().meta({ description: 'Whether it is a proposal to run once: it is applied, not approved' }),
    current_version_id: Id.nullable().meta({ description: 'The approved version that runs until another one is approved' }),
    change_request: ChangeRequest,
    permissions_diff: PermissionsDiff.meta({
      description: 'The permissions and grants that it adds and removes compared with the current version',
    }),
    may_approve: z.boolean(),
    refusal: z
      .enum(['forbidden', 'self_approval', 'permission_not_held'])
      .nullable()
      .meta({ description: 'The code with which an approval by the caller would be refused' }),
  })
  .meta({ id: 'PendingVersion' });
export type PendingVersion = z.infer<typeof PendingVersion>;

/** A list of grants as the approver saw it. */
const Reviewed = z.array(z.string().max(4000)).max(200).default([]);

const Comment = text({ max: 2000, trim: true });

/** What the approver reviewed; the server refuses the approval if any of it differs from the version's. */
export const ReviewedVersion = z.object({
  source_sha256: z.string().max(200),
  permissions: z.array(z.string().max(200)).max(200),
  mail_to: Reviewed,
  http_allow: Reviewed,
  secrets: Reviewed,
  may_start: z.array(Id).max(200).default([]),
  change_request_id: Id.nullable().default(null).meta({
    description: 'The request for changes that the approver saw (`change_request.id` of the version); null: none',
  }),
  comment: Comment.optional(),
});

const decisions = { query: z.object({ limit: clamped(1, 500, 50) }), response: z.array(Approval) } as const;

export const approvalsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.approve_version',
    method: 'POST',
    path: '/ai-tasks/{id}/versions/{version_id}/approve',
    summary: 'Approve a pending version, if it is still as it was reviewed',
    decides: true,
    permission: 'admin_api.ai_tasks.approve',
    record: 'task_version',
    body: ReviewedVersion,
    response: TaskVersion,
    refusals: ['self_approval', 'permission_not_held', 'already_decided', 'version_changed', 'changes_requested', 'task_deleted'],
  },
  {
    id: 'ai_tasks.reject_version',
    method: 'POST',
    path: '/ai-tasks/{id}/versions/{version_id}/reject',
    summary: 'Reject a pending version ; this is final',
    permission: 'admin_api.ai_tasks.approve',
    record: 'task_version',
    body: z.object({ reason: text({ min: 1, max: 2000, trim: true }) }),
    response: TaskVersion,
    refusals: ['already_decided'],
  },
  {
    id: 'ai_tasks.request_changes',
    method: 'POST',
    path: '/ai-tasks/{id}/versions/{version_id}/request-changes',
    summary: 'Ask the author of a pending version for changes; it stays pending, and whoever approves it must have seen the request',
    permission: 'admin_api.ai_tasks.approve',
    record: 'task_version',
    body: z.object({ comment: text({ min: 1, max: 2000, trim: true }) }),
    response: TaskVersion,
    refusals: ['self_approval', 'already_decided', 'task_deleted'],
  },
  {
    id: 'ai_tasks.revoke_version',
    method: 'POST',
    path: '/ai-tasks/{id}/versions/{version_id}/revoke',
    summary: 'Revoke an approval: open runs of the version are cancelled, and no new run of it can start',
    permission: 'admin_api.ai_tasks.approve',
    record: 'task_version',
    body: z.object({ comment: Comment.optional() }),
    status: 204,
    refusals: ['version_not_approved', 'already_decided'],
  },
  {
    id: 'ai_tasks.list_pending_versions',
    method: 'GET',
    path: '/approvals',
    summary:
      'List the versions of all tasks that wait for approval, oldest first; without those on which the caller requested changes, and those that were overtaken after such a request',
    permission: 'admin_api.ai_tasks.read',
    query: z.object({ limit: clamped(1, 500, 100) }),
    response: z.array(PendingVersion),
  },
  {
    id: 'ai_tasks.list_approvals',
    method: 'GET',
    path: '/ai-tasks/{id}/approvals',
    summary: 'List the decisions on all versions of a task, newest first',
    permission: 'admin_api.ai_tasks.read',
    record: 'task',
    ...decisions,
  },
  {
    id: 'ai_tasks.list_version_approvals',
    method: 'GET',
    path: '/ai-tasks/{id}/versions/{version_id}/approvals',
    summary: 'List the decisions on one version, newest first',
    permission: 'admin_api.ai_tasks.read',
    record: 'task_version',
    ...decisions,
  },
);
