import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NextCursor } from './paging.ts';
import { CalledRequest, EndReason } from './run-events.ts';
import { RestartedFrom } from './runs.ts';
import { Id, Timestamp } from './values.ts';

const duration = (what: string) => z.int().nullable().meta({ description: what });

/** A moment in the course of a run. */
export const RunMoment = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('opened'),
      at: Timestamp,
      started_by: z.string(),
      restarted_from: RestartedFrom.nullable(),
    }),
    z.object({
      kind: z.literal('claimed'),
      at: Timestamp,
      attempt: z.int(),
      runner: z.string(),
      duration_ms: duration('Until the runner gave the run back or lost it, or the run ended; null: the claim is in force'),
    }),
    z.object({
      kind: z.literal('call'),
      at: Timestamp,
      call: z.int(),
      method: z.string(),
      path: z.string(),
      status: z.int(),
      request: CalledRequest.nullable().meta({ description: 'What it asked of another system; null: nothing' }),
      duration_ms: duration('From the sending of the call to its answer; null if nobody measured it'),
    }),
    z.object({ kind: z.literal('checkpoint'), at: Timestamp, epoch: z.int(), bytes: z.int() }),
    z.object({
      kind: z.literal('asked'),
      at: Timestamp,
      prompt_id: Id,
      label: z.string(),
      duration_ms: duration('Until somebody answered; null: the question is open, or the run ended without an answer'),
    }),
    z.object({ kind: z.literal('ended'), at: Timestamp, status: z.string(), end_reason: EndReason.nullable() }),
  ])
  .meta({ id: 'RunMoment' });
export type RunMoment = z.infer<typeof RunMoment>;

/** The time of the last moment of a page, its rank among moments of that time, and its number. */
export const TIMELINE_CURSOR = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)\/(\d)\/(\d{1,16})$/;

export const runTimelineEndpoints = endpointsOf({
  id: 'ai_tasks.get_timeline',
  method: 'GET',
  path: '/ai-tasks/{id}/runs/{run_id}/timeline',
  summary: 'List what happened in the course of a run, by time: its start, attempts, calls, checkpoints, questions and end',
  permission: 'admin_api.ai_tasks.read',
  record: 'run',
  query: z.object({
    cursor: z
      .string()
      .refine((value) => TIMELINE_CURSOR.test(value), {
        message: 'must be next_cursor of the previous page',
        params: { code: 'invalid_value' },
      })
      .optional()
      .meta({ description: '`next_cursor` of the previous page' }),
    limit: z.int().min(1).max(1000).default(500),
  }),
  response: z.object({ data: z.array(RunMoment), next_cursor: NextCursor }).meta({ id: 'RunTimeline' }),
});
