import { type Routes, read, write } from '../../verbs/route.ts';
import { applyPlan } from './apply.ts';
import { listUndo, undoRun } from './plan.ts';

export const undoRoutes = {
  'ai_tasks.apply_run': write((ctx, input) => applyPlan(ctx, input)),
  'ai_tasks.undo_run': write((ctx, input) => undoRun(ctx, input)),
  'ai_tasks.list_undo': read((ctx, input) => listUndo(ctx, input)),
} satisfies Partial<Routes>;
