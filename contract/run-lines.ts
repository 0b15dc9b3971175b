import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { CalledRequest, LoggedEvent } from './run-events.ts';
import { Timestamp } from './values.ts';

const DurationMs = z.int().nullable().meta({ description: 'From the sending of the call to its answer; null if nobody measured it' });

/** A line of a run's log with what is known of it besides its event, which holds nothing else (spec EV4). */
export const RunLine = z
  .object({
    seq: z.int().meta({ description: 'Number of the line, as in the stream of events' }),
    at: Timestamp.meta({ description: 'When the server stored the line' }),
    event: LoggedEvent,
    call: z.int().nullable().meta({ description: 'Number of the call that this line reports' }),
    duration_ms: DurationMs,
    source: z.enum(['run', 'server']).nullable().meta({
      description:
        'Who wrote the line: `run`: what drives the run; `server`: the server itself; null: the line is from before this was noted',
    }),
  })
  .meta({ id: 'RunLine' });
export type RunLine = z.infer<typeof RunLine>;

/** A call of the admin API that a run made. */
export const RunCall = z
  .object({
    call: z.int().meta({ description: 'Number of the call in the run, from 1, in the order of the log' }),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    request: CalledRequest.nullable().meta({ description: 'What it asked of another system; null: nothing' }),
    at: Timestamp.meta({ description: 'When the call was sent; if nobody measured that, when the server stored its line' }),
    duration_ms: DurationMs,
    epoch: z.int().nullable().meta({ description: 'Number of checkpoints that the run, and the runs that it continues, had stored' }),
    log_seq: z.int().meta({ description: 'Number of its line in the log' }),
  })
  .meta({ id: 'RunCall' });
export type RunCall = z.infer<typeof RunCall>;

const after = (what: string) =>
  z
    .int()
    .min(0)
    .default(0)
    .meta({ description: `Only ${what} after the one with this number` });
const limit = z.int().min(1).max(1000).default(500);

export const runLinesEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_run_lines',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/lines',
    summary: 'List lines of the log with their times, in order; `last_seq` is the number of the last line that there is',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    query: z.object({ after: after('lines'), limit }),
    response: z.object({ lines: z.array(RunLine), last_seq: z.int() }),
  },
  {
    id: 'ai_tasks.list_calls',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/calls',
    summary: 'List the calls that the run made, with their times, in the order of the log',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    query: z.object({ after: after('calls'), limit }),
    response: z.array(RunCall),
  },
);
