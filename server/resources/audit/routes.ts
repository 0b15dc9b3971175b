import { type Routes, read } from '../../verbs/route.ts';
import { listAudit } from './entries.ts';

export const auditLogRoutes = {
  'audit_log.list': read((ctx, { query }) => listAudit(ctx, query)),
} satisfies Partial<Routes>;
