import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { eventTypes } from './events.ts';
import { JsonObject } from './run-events.ts';
import { Gathered, StartOptions } from './start-options.ts';
import { Id, Timestamp, text } from './values.ts';

/** Triggers: events of the shop on which a task runs by itself (spec TG1). */

export const MAX_TRIGGERS_OF_TASK = 100;
const MAX_FIELDS = 20;
const MAX_ACCEPTED = 100;

const FilterValue = z.union([text({ max: 500 }), z.number(), z.boolean(), z.null()]);
const Accepted = z.array(FilterValue).meta({ minItems: 1, maxItems: MAX_ACCEPTED });
const Fields = z
  .record(text({ min: 1, max: 64 }), z.union([FilterValue, Accepted]))
  .superRefine((filter, ctx) => {
    const refuse = (path: string[], code: string, message: string) => ctx.addIssue({ code: 'custom', path, message, params: { code } });
    const entries = Object.entries(filter);
    if (entries.length > MAX_FIELDS) refuse([], 'too_long', `must have at most ${MAX_FIELDS} fields`);
    for (const [name, accepted] of entries) {
      if (!Array.isArray(accepted)) continue;
      if (accepted.length === 0) refuse([name], 'invalid_value', 'must have at least one value');
      if (accepted.length > MAX_ACCEPTED) refuse([name], 'too_long', `must have at most ${MAX_ACCEPTED} values`);
    }
  })
  .meta({ description: 'Fields of the event, each with the value it must have or a list of such values' });
/** The fields that an event must have: each with the given value, or one of the given values. */
export const EventFilter = z
  .custom<z.input<typeof Fields>>()
  .check(({ value, issues }) => {
    // z.record would drop a member named `__proto__`, and the filter would then let every event through.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__')) return;
    const message = 'no event has a field of this name';
    issues.push({ code: 'custom', path: ['__proto__'], message, params: { code: 'invalid_value' }, input: value });
  })
  .register(z.globalRegistry, {
    override: ({ jsonSchema }: { jsonSchema: object }) => Object.assign(jsonSchema, z.toJSONSchema(Fields, { io: 'input' })),
  })
  .pipe(Fields);
export type EventFilter = z.infer<typeof EventFilter>;

const EventType = z.enum(eventTypes);

export const Trigger = z
  .object({
    id: Id,
    task_id: Id,
    event: EventType,
    filter: EventFilter,
    parameters: JsonObject,
    enabled: z.boolean(),
    start: StartOptions,
    gathered: Gathered,
    last_error: z.string().nullable().meta({ description: 'Why the last event started no run; else null' }),
    created_by: Id,
    acts_for: Id.meta({ description: 'The admin for whom its runs act: the one who created or last changed the trigger' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;

const read = 'admin_api.ai_tasks.read';
const write = 'admin_api.ai_tasks.write';

export const triggersEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_triggers',
    method: 'GET',
    path: '/ai-tasks/{id}/triggers',
    summary: 'List the triggers of a task',
    permission: read,
    record: 'task',
    response: z.array(Trigger),
  },
  {
    id: 'ai_tasks.create_trigger',
    method: 'POST',
    path: '/ai-tasks/{id}/triggers',
    summary: 'Create a trigger: the task runs on an event of the shop',
    permission: write,
    record: 'task',
    body: z.object({
      event: EventType,
      filter: EventFilter.default({}),
      parameters: JsonObject.default({}),
      enabled: z.boolean().default(true),
      start: StartOptions.default({}),
    }),
    status: 201,
    response: Trigger,
    location: '/ai-tasks/{task_id}/triggers/{id}',
    refusals: ['task_deleted', 'too_many'],
  },
  {
    id: 'ai_tasks.get_trigger',
    method: 'GET',
    path: '/ai-tasks/{id}/triggers/{trigger_id}',
    summary: 'Get a trigger',
    permission: read,
    record: 'trigger',
    response: Trigger,
  },
  {
    id: 'ai_tasks.update_trigger',
    method: 'PATCH',
    path: '/ai-tasks/{id}/triggers/{trigger_id}',
    summary: 'Change a trigger, or switch it on or off',
    permission: write,
    record: 'trigger',
    body: z.object({
      event: EventType.optional(),
      filter: EventFilter.optional(),
      parameters: JsonObject.optional(),
      enabled: z.boolean().optional(),
      start: StartOptions.optional(),
    }),
    response: Trigger,
    refusals: ['task_deleted'],
  },
  {
    id: 'ai_tasks.delete_trigger',
    method: 'DELETE',
    path: '/ai-tasks/{id}/triggers/{trigger_id}',
    summary: 'Remove a trigger; its runs are kept, and events that wait for it start no run',
    permission: write,
    record: 'trigger',
    status: 204,
  },
);
