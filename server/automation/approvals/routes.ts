import { type Routes, read, write } from '../../verbs/route.ts';
import { listApprovals, listVersionApprovals } from '../decisions/domain.ts';
import { prepareSource } from '../tasks/prepare.ts';
import { approveVersion, continueVersion, listPendingVersions, rejectVersion, requestChanges, revokeVersion } from './domain.ts';
import { applyProposal, propose, withdrawProposal } from './proposals.ts';

export const approvalRoutes = {
  'ai_tasks.approve_version': write((ctx, input) => approveVersion(ctx, input)),
  'ai_tasks.reject_version': write((ctx, input) => rejectVersion(ctx, input)),
  'ai_tasks.request_changes': write(requestChanges),
  'ai_tasks.continue_version': write(continueVersion),
  'ai_tasks.revoke_version': write(revokeVersion),
  'ai_tasks.list_pending_versions': read(listPendingVersions),
  'ai_tasks.list_approvals': read(listApprovals),
  'ai_tasks.list_version_approvals': read(listVersionApprovals),
  'proposals.create': write(propose, { prepare: prepareSource }),
  'proposals.withdraw': write(withdrawProposal),
  'proposals.apply': write(applyProposal),
} satisfies Partial<Routes>;
