import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorFields, NextCursor, refuseBoth } from './paging.ts';
import { Id, Timestamp, text } from './values.ts';

export const LogEntry = z
  .object({
    id: Id,
    /** webhook, mcp, admin or ai_task; any other value as filter matches nothing (spec LG1). */
    source: z.string(),
    action: z.string(),
    status: z.string(),
    summary: z.string(),
    detail: z.string().nullable(),
    admin_id: Id.nullable().meta({ description: 'The admin who acted; null if no admin did, as for a webhook' }),
    admin_name: z.string().nullable().meta({ description: 'Name of that admin at that time, or their email if they had no name' }),
    run_id: Id.nullable().meta({ description: 'The run that acted for the admin' }),
    created_at: Timestamp,
  })
  .meta({ id: 'LogEntry' });
export type LogEntry = z.infer<typeof LogEntry>;

export const logsEndpoints = endpointsOf(
  /** Pages hold 50 entries; the page size can neither be chosen nor is it part of the response (spec PG2). */
  {
    id: 'logs.list',
    method: 'GET',
    path: '/logs',
    summary: 'List the admin log, newest first',
    permission: 'admin_api.logs.read',
    query: refuseBoth(z.object({ source: text().optional(), ...cursorFields })),
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
