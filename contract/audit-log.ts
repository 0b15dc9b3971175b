import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NextCursor } from './paging.ts';
import { Id, isRealDate, Timestamp, TimestampInput, text } from './values.ts';

export const AuditRow = z
  .object({
    id: Id,
    at: Timestamp,
    actor: z.object({
      type: z.enum(['admin', 'task', 'system']),
      /** The admin who acted; null for the system. */
      id: Id.nullable(),
      token_id: Id.nullable(),
      run_id: Id.nullable(),
    }),
    /** Id of the endpoint, such as `orders.edit`. */
    action: z.string(),
    resource: z.object({ type: z.string(), id: Id.nullable() }),
    changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).meta({ description: 'field → [before, after]' }),
    undo_of_entry_id: Id.nullable().meta({ description: 'The entry that this edit took back' }),
    may_undo: z.boolean().meta({
      description: 'Whether it is an edit that the caller may take back; `audit_log.get_undo` tells what has become of its fields since',
    }),
    request_id: z.string(),
    ip: z.string(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditRow = z.infer<typeof AuditRow>;

/** A calendar day in the shop's time zone, or an instant. */
const dayOrInstant = z
  .union([z.string().refine(isRealDate), TimestampInput], {
    error: () => 'must be a date as YYYY-MM-DD, or an RFC 3339 timestamp with Z or ±hh:mm',
  })
  .meta({ description: 'YYYY-MM-DD in the time zone of the shop, or an RFC 3339 timestamp' });

export const auditLogEndpoints = endpointsOf(
  /** Every write with its values before and after (spec AL1). */
  {
    id: 'audit_log.list',
    method: 'GET',
    path: '/audit-log',
    summary: 'List who changed what, newest first, page by page with a cursor',
    permission: 'admin_api.logs.read',
    taskPermission: null,
    query: z.object({
      actor_id: Id.optional(),
      action: text().optional(),
      resource_type: text().optional(),
      resource_id: Id.optional(),
      from: dayOrInstant.optional().meta({ description: 'Only entries at this time or later; a date means the beginning of that day' }),
      to: dayOrInstant.optional().meta({ description: 'Only entries before this time; a date means the end of that day' }),
      cursor: text({ max: 2000 }).optional(),
      per_page: z.int().min(1).max(100).default(50),
    }),
    response: z.object({ data: z.array(AuditRow), next_cursor: NextCursor }).meta({ id: 'AuditLogPage' }),
  },
);
