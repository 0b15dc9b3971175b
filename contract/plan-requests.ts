import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { clamped, Id, Timestamp, text } from './values.ts';

/** Plans that wait for a second person (spec DE8). */

export const PendingPlan = z
  .object({
    task_id: Id,
    task_name: z.string(),
    run_id: Id.meta({ description: 'The dry run, or the plan of an undo' }),
    undo_of_run_id: Id.nullable(),
    proposal_version_id: Id.nullable().meta({
      description:
        'The version of a proposal to run once, which is approved with its plan (`proposals.apply`); null: it is applied as any plan',
    }),
    writes: z.int(),
    asked_by: Id,
    asked_by_name: z.string(),
    asked_at: Timestamp,
    comment: z.string().nullable(),
    may_apply: z.boolean(),
    refusal: z
      .enum(['forbidden', 'second_person_required'])
      .nullable()
      .meta({ description: 'The code with which the caller, who made the plan or may not apply any, would be refused' }),
  })
  .meta({ id: 'PendingPlan' });
export type PendingPlan = z.infer<typeof PendingPlan>;

const write = 'admin_api.ai_tasks.write';
const said = (min: number) => text({ min, max: 2000, trim: true });

export const planRequestsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.ask_second_person',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/{run_id}/second-person',
    summary: 'Leave a plan to another admin: it waits in `GET /approvals/plans`, and whoever made it does not apply it any more',
    permission: write,
    record: 'run',
    body: z.object({ comment: said(0).optional() }),
    status: 204,
    refusals: ['not_applicable'],
  },
  {
    id: 'ai_tasks.decline_plan',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/{run_id}/second-person/decline',
    summary: 'Decline a plan that waits for a second person, or withdraw one’s own; this is final',
    permission: write,
    record: 'run',
    body: z.object({ reason: said(1) }),
    status: 204,
    refusals: ['not_applicable'],
  },
  {
    id: 'ai_tasks.list_pending_plans',
    method: 'GET',
    path: '/approvals/plans',
    summary: 'List the plans of all tasks that wait for a second person, oldest first',
    permission: 'admin_api.ai_tasks.read',
    query: z.object({ limit: clamped(1, 500, 100) }),
    response: z.array(PendingPlan),
  },
);
