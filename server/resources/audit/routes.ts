import type { Handlers } from '../../http/handlers.ts';
import { listAudit } from './read.ts';

export const auditLogRoutes: Handlers = {
  'audit_log.list': (ctx, { query }) => listAudit(ctx, query),
};
