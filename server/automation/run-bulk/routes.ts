import { type Routes, read, steps } from '../../verbs/route.ts';
import { bulkRuns, previewBulk } from './domain.ts';

export const runBulkRoutes = {
  'ai_tasks.preview_bulk_runs': read(previewBulk, { isHeavy: () => true }),
  'ai_tasks.bulk_runs': steps(bulkRuns),
} satisfies Partial<Routes>;
