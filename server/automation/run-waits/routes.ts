import { type Routes, read, write } from '../../verbs/route.ts';
import { listWaits, wait } from './domain.ts';

export const runWaitsRoutes = {
  'ai_tasks.list_waits': read((ctx, { params }) => listWaits(ctx, params.run_id)),
  'runner.wait': write(wait),
} satisfies Partial<Routes>;
