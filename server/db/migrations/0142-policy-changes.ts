import type { Statement } from '../dialect.ts';
import { policyChanges } from '../schema/decisions.ts';

/** What one owner proposes to change of the policy. */
export const statements: readonly Statement[] = policyChanges;
