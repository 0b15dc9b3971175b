import { z } from 'zod';
import { decisionActs } from './decisions.ts';
import { endpointsOf } from './endpoint.ts';
import { clamped, Id, Timestamp, text } from './values.ts';

/** What one owner proposes to change of the policy, and another applies (spec DE9). */

/** So long a proposed change can be applied. */
export const POLICY_CHANGE_DAYS = 7;

export const PolicyChange = z
  .object({
    id: Id,
    method: z.string(),
    path: z.string(),
    acts: z.array(z.enum(decisionActs)),
    decided: z.record(z.string(), z.unknown()).meta({ description: 'Exactly what is proposed, as both owners decide on it' }),
    comment: z.string().nullable(),
    state: z.enum(['waiting', 'expired', 'applied', 'declined']),
    proposed_by: Id,
    proposed_by_name: z.string(),
    created_at: Timestamp,
    expires_at: Timestamp,
    decided_by: Id.nullable(),
    decided_at: Timestamp.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was declined or withdrawn' }),
    may_apply: z.boolean().meta({ description: 'Whether it waits for the caller: it is of another owner' }),
  })
  .meta({ id: 'PolicyChange' });
export type PolicyChange = z.infer<typeof PolicyChange>;

const read = 'admin_api.admins.read';
const write = 'admin_api.admins.write';

export const policyChangesEndpoints = endpointsOf(
  {
    id: 'policy_changes.list',
    method: 'GET',
    path: '/policy-changes',
    summary: 'List what was proposed to change of the policy, newest first',
    permission: read,
    query: z.object({
      state: z.enum(['waiting', 'applied', 'declined']).optional().meta({ description: '`waiting`: also those that have expired' }),
      limit: clamped(1, 500, 100),
    }),
    response: z.array(PolicyChange),
  },
  {
    id: 'policy_changes.create',
    method: 'POST',
    path: '/policy-changes',
    summary: 'Propose a request that takes two owners; nothing is changed until another owner applies it',
    decides: true,
    permission: write,
    body: z.object({
      method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
      path: z.string().min(1).max(4000).meta({ description: 'Path of the request below `/admin/api`, such as `/settings`' }),
      body: z.record(z.string(), z.unknown()).nullable().default(null).meta({ description: 'Its body; null: it has none' }),
      comment: text({ max: 2000, trim: true }).nullable().default(null),
    }),
    status: 201,
    response: PolicyChange,
    refusals: ['forbidden', 'second_person_not_needed', 'too_many'],
  },
  {
    id: 'policy_changes.apply',
    method: 'POST',
    path: '/policy-changes/{id}/apply',
    summary: 'Carry out what another owner proposed, if it is still exactly that',
    decides: true,
    permission: write,
    record: 'policy_change',
    response: PolicyChange,
    refusals: ['forbidden', 'second_person_required', 'decision_changed', 'change_not_waiting'],
  },
  {
    id: 'policy_changes.decline',
    method: 'POST',
    path: '/policy-changes/{id}/decline',
    summary: 'Decline what was proposed, or withdraw what one has proposed; this is final',
    permission: write,
    record: 'policy_change',
    body: z.object({ reason: text({ min: 1, max: 2000, trim: true }) }),
    response: PolicyChange,
    refusals: ['forbidden', 'change_not_waiting'],
  },
);
