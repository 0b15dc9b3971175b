import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorFields, NextCursor, refuseBoth } from './paging.ts';
import { Id, Timestamp, text } from './values.ts';

export const LogEntry = z
  .object({
    id: Id,
    /** webhook, mcp, admin or ai_task; a filter by another finds nothing (decisions.md LG1). */
    source: z.string(),
    action: z.string(),
    status: z.string(),
    summary: z.string(),
    detail: z.string().nullable(),
    admin_id: Id.nullable().meta({ description: 'Whose act it was; null where it was nobody’s, such as a webhook' }),
    admin_name: z.string().nullable().meta({ description: 'Their name of then, else their email' }),
    run_id: Id.nullable().meta({ description: 'The run that did it for them' }),
    created_at: Timestamp,
  })
  .meta({ id: 'LogEntry' });
export type LogEntry = z.infer<typeof LogEntry>;

export const logsEndpoints = endpointsOf(
  /** 50 a page; the size is neither taken nor given (decisions.md PG2). */
  {
    id: 'logs.list',
    method: 'GET',
    path: '/logs',
    summary: 'Admin log, newest first',
    permission: 'admin_api.logs.read',
    query: refuseBoth(z.object({ source: text().optional(), ...cursorFields })),
    status: 200,
    response: z
      .object({
        logs: z.array(LogEntry),
        total: z.int(),
        page: z.int(),
        total_pages: z.int(),
        next_cursor: NextCursor,
      })
      .meta({ id: 'LogPage' }),
  },
);
