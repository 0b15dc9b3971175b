import { type Routes, read, write } from '../../verbs/route.ts';
import { listAudit } from './entries.ts';
import { getUndo, undoEntry } from './undo.ts';

export { recordVersions } from './undo-plan.ts';

export const auditLogRoutes = {
  'audit_log.list': read((ctx, { query }) => listAudit(ctx, query)),
  'audit_log.get_undo': read((ctx, { params }) => getUndo(ctx, params.id)),
  'audit_log.undo': write((ctx, { params, body }) => undoEntry(ctx, params.id, body)),
} satisfies Partial<Routes>;
