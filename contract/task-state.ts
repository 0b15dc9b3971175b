import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json } from './run-events.ts';
import { STATE_KEY_RULE, STATE_VALUE_MAX_BYTES } from './task-state-rules.ts';
import { Id, Timestamp } from './values.ts';

/**
 * The state of a task: values that its runs keep for later runs. A run reaches the state of its own task alone, by the same endpoints as
 * admins.
 */

const StateValue = Json.refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= STATE_VALUE_MAX_BYTES, {
  message: `must have at most ${STATE_VALUE_MAX_BYTES} bytes as JSON`,
  params: { code: 'too_long' },
}).meta({ description: `Any JSON of at most ${STATE_VALUE_MAX_BYTES} bytes` });

const IfVersion = z.int().min(0).meta({
  description: 'The version that the value must have now; 0: there must be no value. Otherwise nothing is changed (409 `state_stale`)',
});

const StateRow = z
  .object({
    key: z.string(),
    version: z.int().meta({ description: 'Rises with each change; a key that was deleted never gets an earlier version again' }),
    size_bytes: z.int().meta({ description: 'Size of the value as JSON' }),
    updated_at: Timestamp,
    updated_by_run_id: Id.nullable().meta({ description: 'The run that wrote the value; null: an admin did' }),
  })
  .meta({ id: 'TaskStateRow' });
export type StateRow = z.infer<typeof StateRow>;

/** Without the run, which is another one when the plan of a dry run is applied. */
const StateSet = StateRow.omit({ updated_by_run_id: true }).meta({ id: 'TaskStateSet' });
export type StateSet = z.infer<typeof StateSet>;

const StateEntry = StateRow.extend({ value: Json }).meta({ id: 'TaskStateEntry' });
export type StateEntry = z.infer<typeof StateEntry>;

const path = '/ai-tasks/{id}/state/{key}';
const reading = { permission: 'admin_api.ai_tasks.read', taskPermission: 'task_state' } as const;
const writing = { permission: 'admin_api.ai_tasks.write', taskPermission: 'task_state' } as const;
const KEY = `the key ${STATE_KEY_RULE}`;

export const taskStateEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_state',
    method: 'GET',
    path: '/ai-tasks/{id}/state',
    summary: 'List the keys of a task’s state in their order, without the values',
    ...reading,
    record: 'task',
    query: z.object({ prefix: z.string().max(200).default('').meta({ description: 'Only keys that begin with this text' }) }),
    response: z.array(StateRow),
  },
  {
    id: 'ai_tasks.get_state',
    method: 'GET',
    path,
    summary: `Get a value of a task’s state; ${KEY}`,
    ...reading,
    record: 'task_state',
    response: StateEntry,
    refusals: ['invalid_value'],
  },
  {
    id: 'ai_tasks.set_state',
    method: 'PUT',
    path,
    undo: 'restore',
    summary: `Set a value of a task’s state; ${KEY}`,
    ...writing,
    record: 'task_state',
    body: z.object({ value: StateValue, if_version: IfVersion.optional() }),
    response: StateSet,
    refusals: ['invalid_value', 'state_stale', 'too_many', 'too_long', 'task_deleted'],
  },
  {
    id: 'ai_tasks.delete_state',
    method: 'DELETE',
    path,
    undo: 'restore',
    summary: `Delete a value of a task’s state; ${KEY}`,
    ...writing,
    record: 'task_state',
    query: z.object({
      if_version: IfVersion.optional().meta({ description: 'The version that the value must have, or else it is not deleted' }),
    }),
    status: 204,
    refusals: ['invalid_value', 'state_stale'],
  },
);
