import type { PerformingHandlers } from '../../http/handlers.ts';
import { applyRun } from './apply.ts';

/** Who applies a plan makes its writes in the transaction of the request. */
export const dryRunPerforming: PerformingHandlers = { 'ai_tasks.apply_run': applyRun };
