import { z } from 'zod';
import { ReviewedVersion } from './approvals.ts';
import { endpointsOf } from './endpoint.ts';
import { JsonObject } from './run-events.ts';
import { SOURCE_BODY_LIMIT, TaskSource, TaskVersion } from './tasks.ts';
import { Id, text } from './values.ts';

/** So many proposals of one admin and the agents that act for them may wait for a decision. */
export const OPEN_PROPOSALS_MAX = 20;

/**
 * Scripts that are to run once (spec MC9). Each is the one version of a task that no list shows; it is declined as a version is rejected.
 */
export const proposalsEndpoints = endpointsOf(
  {
    id: 'proposals.create',
    method: 'POST',
    path: '/proposals',
    summary: 'Propose a script that is to run once: it runs dry, and its plan waits for a person',
    permission: 'admin_api.ai_tasks.write',
    body: TaskSource.extend({
      values: JsonObject.default({}).meta({ description: 'Values of the declared parameters; they become their defaults' }),
      why: text({ min: 1, max: 1000, trim: true }).meta({ description: 'For the person who decides' }),
    }),
    bodyLimitBytes: SOURCE_BODY_LIMIT,
    status: 201,
    response: z.object({ task_id: Id, version_id: Id, run_id: Id.meta({ description: 'The dry run' }) }),
    location: '/ai-tasks/{task_id}/versions/{version_id}',
    refusals: ['unknown_permission', 'permission_not_grantable', 'permission_not_held', 'task_not_found', 'too_many'],
  },
  {
    id: 'proposals.withdraw',
    method: 'POST',
    path: '/ai-tasks/{id}/versions/{version_id}/withdraw',
    summary: 'Take back a proposal of your own that nobody has decided on; an agent, one that it made itself',
    permission: 'admin_api.ai_tasks.write',
    record: 'task_version',
    body: z.object({ why: text({ min: 1, max: 1000, trim: true }) }),
    response: TaskVersion,
    refusals: ['already_decided'],
  },
  {
    id: 'proposals.apply',
    method: 'POST',
    path: '/ai-tasks/{id}/versions/{version_id}/apply',
    summary: 'Approve a proposal and apply the plan of its dry run, both or neither',
    decides: true,
    permission: 'admin_api.ai_tasks.approve',
    record: 'task_version',
    body: ReviewedVersion.extend({ run_id: Id.meta({ description: 'The dry run whose plan the approver saw' }) }),
    status: 201,
    response: z.object({ run_id: Id, version_id: Id }),
    location: '/ai-tasks/{id}/runs/{run_id}',
    refusals: [
      'self_approval',
      'permission_not_held',
      'already_decided',
      'version_changed',
      'task_deleted',
      'not_applicable',
      'plan_outdated',
      'version_not_approved',
      'journal_expired',
    ],
  },
);
