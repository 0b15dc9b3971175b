import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json } from './run-events.ts';
import { EventFilter } from './triggers.ts';
import { Id, Timestamp, text } from './values.ts';
import { WAIT_MAX_MS, WAITS_MAX } from './wait-rules.ts';

/** Waits of runs: for an event of the shop, for what a hook brings, and for a time. */

/** What an open run waits for, as admins see it. */
export const RunWait = z
  .object({
    id: Id,
    event: z.string().nullable().meta({ description: 'A type of event, `hook:<name>`, `signal` or `signal:<key>`; null: the run sleeps' }),
    match: EventFilter,
    since: Timestamp,
    until: Timestamp.meta({ description: 'When the wait ends in any case' }),
  })
  .meta({ id: 'RunWait' });
export type RunWait = z.infer<typeof RunWait>;

export const waitsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_waits',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/waits',
    summary: 'List what the run waits for: events, requests to hooks and times; what ends first comes first',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    response: z.array(RunWait),
  },
  {
    id: 'runner.wait',
    method: 'POST',
    path: '/runner/runs/{run_id}/waits',
    summary: `Wait for an event or a time, or look whether it has come; a repeat with the same key finds the same wait. A run may wait for ${WAITS_MAX} at once`,
    permission: 'admin_api.runner.write',
    ownRun: true,
    body: z.object({
      /** `<epoch>/<fingerprint>/<occurrence>`, the same form as the journal key of a call. */
      key: z.string().regex(/^\d{1,9}\/[0-9a-f]{64}\/\d{1,9}$/),
      event: text({ min: 1, max: 200 }).optional().meta({ description: 'Missing: the run sleeps' }),
      match: EventFilter.default({}),
      timeout_ms: z.int().min(0).max(WAIT_MAX_MS),
      since: z.literal('start').optional().meta({ description: 'An event that came since the run began counts too' }),
      sample: Json.optional().meta({ description: 'In a dry run: the event that the script gets' }),
    }),
    response: z
      .object({
        id: Id,
        value: Json.meta({ description: 'The event; null: the time is up, or it has not come yet' }),
        ended_at: Timestamp.nullable().meta({ description: 'null: the wait goes on' }),
        left_ms: z.int().min(0).meta({ description: 'How long the wait lasts at most' }),
        again: z.boolean().meta({ description: 'Whether an earlier claim has waited for this already' }),
      })
      .meta({ id: 'RunnerWait' }),
    audited: false,
    refusals: ['run_fenced', 'out_of_range', 'hook_not_found'],
  },
);
