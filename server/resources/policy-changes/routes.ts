import { type Routes, read, write } from '../../verbs/route.ts';
import { applyPolicyChange, declinePolicyChange, listPolicyChanges, proposePolicyChange } from './domain.ts';

export const policyChangesRoutes = {
  'policy_changes.list': read((ctx, input) => listPolicyChanges(ctx, input)),
  'policy_changes.create': write((ctx, input) => proposePolicyChange(ctx, input)),
  'policy_changes.apply': write((ctx, input) => applyPolicyChange(ctx, input)),
  'policy_changes.decline': write((ctx, input) => declinePolicyChange(ctx, input)),
} satisfies Partial<Routes>;
