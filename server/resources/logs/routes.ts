import type { Handlers } from '../../http/handlers.ts';
import { listLogs } from './domain.ts';

export const logsRoutes: Handlers = {
  'logs.list': (ctx, { query }) => listLogs(ctx, query),
};
