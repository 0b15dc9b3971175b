import { type Routes, write } from '../../verbs/route.ts';
import { applyRun } from './apply.ts';

export const dryRunRoutes = {
  'ai_tasks.apply_run': write((ctx, input) => applyRun(ctx, input)),
} satisfies Partial<Routes>;
