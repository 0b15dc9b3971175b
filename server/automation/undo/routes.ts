import { type Routes, read, steps, write } from '../../verbs/route.ts';
import { applyPlan } from './apply.ts';
import { undoRun } from './making.ts';
import { listUndo } from './plan.ts';
import { askSecondPerson, declinePlan, listPendingPlans } from './second-person.ts';

export const undoRoutes = {
  'ai_tasks.apply_run': write((ctx, input) => applyPlan(ctx, input)),
  'ai_tasks.undo_run': steps(undoRun),
  'ai_tasks.list_undo': read((ctx, input) => listUndo(ctx, input)),
  'ai_tasks.ask_second_person': write((ctx, input) => askSecondPerson(ctx, input)),
  'ai_tasks.decline_plan': write((ctx, input) => declinePlan(ctx, input)),
  'ai_tasks.list_pending_plans': read((ctx, input) => listPendingPlans(ctx, input)),
} satisfies Partial<Routes>;
