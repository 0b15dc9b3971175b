import type { Handlers } from '../../http/handlers.ts';
import { listApprovals, listVersionApprovals } from '../decisions/domain.ts';
import type { Ending } from '../runs/end.ts';
import { approveVersion, rejectVersion, revokeVersion } from './domain.ts';

export function approvalRoutes(ending: Ending): Handlers {
  return {
    'ai_tasks.approve_version': approveVersion,
    'ai_tasks.reject_version': rejectVersion,
    'ai_tasks.revoke_version': revokeVersion(ending),
    'ai_tasks.list_approvals': listApprovals,
    'ai_tasks.list_version_approvals': listVersionApprovals,
  };
}
