import { type Routes, read } from '../../verbs/route.ts';
import { listLogs } from './domain.ts';

export const logsRoutes = {
  'logs.list': read((ctx, { query }) => listLogs(ctx, query)),
} satisfies Partial<Routes>;
