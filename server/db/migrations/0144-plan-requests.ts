import type { Statement } from '../dialect.ts';
import { planRequests } from '../schema/decisions.ts';

/** Plans that wait for a second person. */
export const statements: readonly Statement[] = planRequests;
