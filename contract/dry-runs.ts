import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id } from './values.ts';

export const dryRunsEndpoints = endpointsOf({
  id: 'ai_tasks.apply_run',
  method: 'POST',
  path: '/ai-tasks/{id}/runs/{run_id}/apply',
  summary: 'Apply the plan of a dry run: all of its writes, or none of them',
  decides: true,
  permission: 'admin_api.ai_tasks.write',
  record: 'run',
  status: 201,
  response: z.object({ run_id: Id, version_id: Id }),
  location: '/ai-tasks/{id}/runs/{run_id}',
  refusals: ['not_applicable', 'plan_outdated', 'version_not_approved', 'task_deleted', 'journal_expired'],
});
