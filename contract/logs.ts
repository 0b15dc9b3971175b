import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { cursorFields, NextCursor, refuseBoth } from './paging.ts';
import { Id, Timestamp, text } from './values.ts';

/** Page size of the logs; it is neither taken nor given (decisions.md PG2). */
export const LOGS_PER_PAGE = 50;

/** Sources that the server writes; a filter by another finds nothing (decisions.md LG1). */
export const logSources = ['webhook', 'mcp', 'admin', 'ai_task'] as const;
export type LogSource = (typeof logSources)[number];

export const LogEntry = z
  .object({
    id: Id,
    source: z.string(),
    action: z.string(),
    status: z.string(),
    summary: z.string(),
    detail: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'LogEntry' });
export type LogEntry = z.infer<typeof LogEntry>;

export const logsList = endpoint({
  id: 'logs.list',
  method: 'GET',
  path: '/logs',
  summary: 'Admin log, newest first',
  permission: 'admin_api.logs.read',
  query: refuseBoth(z.object({ source: text().optional(), ...cursorFields })),
  status: 200,
  response: z.object({
    logs: z.array(LogEntry),
    total: z.int(),
    page: z.int(),
    total_pages: z.int(),
    next_cursor: NextCursor,
  }),
});
