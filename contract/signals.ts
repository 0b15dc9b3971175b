import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json } from './run-events.ts';
import { Id, text } from './values.ts';
import { SIGNAL_DAYS, SIGNAL_MAX_BYTES, SIGNALS_KEPT } from './wait-rules.ts';

/** Signals: values for runs that wait for them, from admins and from other runs. */

const Value = Json.refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= SIGNAL_MAX_BYTES, {
  message: `must have at most ${SIGNAL_MAX_BYTES} bytes as JSON`,
  params: { code: 'too_long' },
}).meta({ description: `Any JSON of at most ${SIGNAL_MAX_BYTES} bytes` });
const Key = text({ min: 1, max: 200 });

/** `taken`: a run has waited for it. */
const Sent = z
  .object({ id: Id, taken: z.boolean().meta({ description: 'Whether a run has waited for it; else it is kept' }) })
  .meta({ id: 'SentSignal' });
export type SentSignal = z.infer<typeof Sent>;

const KEPT = `At most ${SIGNALS_KEPT} are kept for ${SIGNAL_DAYS} days until a run waits for them`;
const own = { permission: 'admin_api.ai_tasks.write', taskPermission: 'task_signals', status: 201, response: Sent } as const;

export const signalsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.signal_run',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/{run_id}/signals',
    undo: { irreversible: 'A run that waited for the signal has gone on with it. Take back what that run did.' },
    summary: `Send a signal to a run, which gets it by \`waitFor('signal')\`, or with a key by \`waitFor('signal:KEY')\`. ${KEPT}`,
    ...own,
    record: 'run',
    body: z.object({ key: Key.optional(), value: Value }),
    refusals: ['run_not_running', 'too_many', 'signal_not_allowed'],
  },
  {
    id: 'ai_tasks.signal',
    method: 'POST',
    path: '/ai-tasks/{id}/signals',
    undo: { irreversible: 'A run that waited for the signal has gone on with it. Take back what that run did.' },
    summary: `Send a signal to the run of a task that waits for this key the longest. ${KEPT}`,
    ...own,
    record: 'task',
    body: z.object({ key: Key, value: Value }),
    refusals: ['too_many'],
  },
  {
    id: 'task_runs.signal',
    method: 'POST',
    path: '/task-runs/signals',
    undo: { irreversible: 'A run that waited for the signal has gone on with it. Take back what that run did.' },
    summary: 'Send a signal to a run of a task that the version of the calling run may start; only runs can call it',
    permission: 'tasks_start',
    body: z.object({
      task: z.union([Id, text({ min: 1, max: 200 })]).meta({ description: 'The id or the name of a task in `may_start`' }),
      run_id: Id.optional().meta({ description: 'Without it, the run that waits for the key the longest gets the signal' }),
      key: Key.optional().meta({ description: 'Needed without `run_id`' }),
      value: Value,
    }),
    status: 201,
    response: Sent,
    refusals: ['task_start_not_allowed', 'run_not_found', 'run_not_running', 'required', 'too_many', 'signal_not_allowed'],
  },
);
