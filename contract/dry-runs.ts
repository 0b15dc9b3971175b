import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { UNDONE_WRITES } from './undo.ts';
import { Id } from './values.ts';

export const dryRunsEndpoints = endpointsOf({
  id: 'ai_tasks.apply_run',
  method: 'POST',
  path: '/ai-tasks/{id}/runs/{run_id}/apply',
  summary: 'Apply the plan of a dry run: all of its writes, or none of them',
  decides: true,
  permission: 'admin_api.ai_tasks.write',
  record: 'run',
  body: z.object({
    rows: z.array(z.int()).min(1).max(UNDONE_WRITES).optional().meta({
      description:
        'Of an undo only: the `position` of the rows that are carried out, those with a conflict among them. Default: all that are `ready`',
    }),
  }),
  status: 201,
  response: z.object({ run_id: Id, version_id: Id }),
  location: '/ai-tasks/{id}/runs/{run_id}',
  refusals: ['not_applicable', 'plan_outdated', 'version_not_approved', 'task_deleted', 'journal_expired'],
});
