import { type Routes, write } from '../../verbs/route.ts';
import { startTask } from './domain.ts';

export const taskStartRoutes = {
  'task_runs.start': write((ctx, { body }) => startTask(ctx, body)),
} satisfies Partial<Routes>;
