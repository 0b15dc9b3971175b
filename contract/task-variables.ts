import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { SecretName } from './grants.ts';
import { Json } from './run-events.ts';
import { Id, Timestamp, text } from './values.ts';

/** Variables: values that admins set and that runs read. */

const VALUE_MAX_BYTES = 64 * 1024;
export const VARIABLES_MAX = 200;

const Value = Json.refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= VALUE_MAX_BYTES, {
  message: `must have at most ${VALUE_MAX_BYTES} bytes as JSON`,
  params: { code: 'too_long' },
}).meta({ description: `Any JSON of at most ${VALUE_MAX_BYTES} bytes` });
const Note = text({ max: 1000, trim: true });
const TaskId = Id.nullable().meta({ description: 'The task whose runs read it; null: the runs of all tasks. The task’s own comes first' });

export const TaskVariable = z
  .object({
    id: Id,
    name: z.string(),
    task_id: TaskId,
    value: Json,
    note: z.string(),
    created_by: Id,
    created_by_name: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'TaskVariable' });
export type TaskVariable = z.infer<typeof TaskVariable>;

const read = 'admin_api.task_variables.read';
const write = 'admin_api.task_variables.write';

export const taskVariablesEndpoints = endpointsOf(
  {
    id: 'task_variables.list',
    method: 'GET',
    path: '/task-variables',
    summary: `List the variables of the shop and of its tasks by name, at most ${VARIABLES_MAX}`,
    permission: read,
    query: z.object({ task_id: Id.optional().meta({ description: 'Only those of this task' }) }),
    response: z.array(TaskVariable),
  },
  {
    id: 'task_variables.create',
    method: 'POST',
    path: '/task-variables',
    summary: 'Create a variable, which runs can read',
    permission: write,
    body: z.object({ name: SecretName, task_id: TaskId.default(null), value: Value, note: Note.default('') }),
    status: 201,
    response: TaskVariable,
    location: '/task-variables/{id}',
    refusals: ['duplicate', 'task_not_found', 'task_deleted', 'too_many'],
  },
  {
    id: 'task_variables.get',
    method: 'GET',
    path: '/task-variables/{id}',
    summary: 'Get a variable',
    permission: read,
    record: 'task_variable',
    response: TaskVariable,
  },
  {
    id: 'task_variables.update',
    method: 'PATCH',
    path: '/task-variables/{id}',
    summary: 'Change the value or the note of a variable',
    permission: write,
    record: 'task_variable',
    body: z.object({ value: Value.optional(), note: Note.optional() }),
    response: TaskVariable,
  },
  {
    id: 'task_variables.delete',
    method: 'DELETE',
    path: '/task-variables/{id}',
    summary: 'Delete a variable',
    permission: write,
    record: 'task_variable',
    status: 204,
  },
  {
    id: 'task_variables.resolve',
    method: 'GET',
    path: '/ai-tasks/{id}/variables/{name}',
    summary: 'Get the variable that the runs of a task read under a name: the task’s own, else the shop’s',
    permission: read,
    taskPermission: 'task_variables',
    record: 'task',
    response: z.object({ name: z.string(), value: Json }).meta({ id: 'ResolvedVariable' }),
  },
);
