import { type Routes, read, write } from '../../verbs/route.ts';
import { listWaits, wait } from './domain.ts';
import { signalOther, signalRun, signalTask } from './signals.ts';

export const runWaitsRoutes = {
  'ai_tasks.list_waits': read((ctx, { params }) => listWaits(ctx, params.run_id)),
  'ai_tasks.signal_run': write(signalRun),
  'ai_tasks.signal': write(signalTask),
  'task_runs.signal': write(signalOther),
  'runner.wait': write(wait),
} satisfies Partial<Routes>;
