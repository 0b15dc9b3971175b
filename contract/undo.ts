import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json } from './run-events.ts';
import { Id } from './values.ts';

/** So many writes can one undo take back. */
export const UNDONE_WRITES = 10_000;

export const UndoState = z.enum(['ready', 'conflict', 'irreversible', 'already_as_before']).meta({
  description: [
    '`ready`: the write can be taken back.',
    '`conflict`: what it changed was changed since; it is left alone unless it is chosen.',
    '`irreversible`: it cannot be taken back; `reason` says why, and what can be done instead.',
    '`already_as_before`: everything is as it was before the write.',
  ].join(' '),
});
export type UndoState = z.infer<typeof UndoState>;

export const UndoReason = z.enum(['endpoint', 'not_kept', 'made_since', 'referred_to', 'value_taken']).meta({
  description: [
    '`endpoint`: what the endpoint does cannot be taken back (`x-undo`).',
    '`not_kept`: how the records were before is not kept.',
    '`made_since`: records that were made since would be deleted with what the write made.',
    '`referred_to`: a record that was made since refers to what the write made, or what it refers to is gone.',
    '`value_taken`: another record has a value by now that only one may have.',
  ].join(' '),
});
export type UndoReason = z.infer<typeof UndoReason>;

/** A field that is not as the write left it. */
export const UndoConflict = z
  .object({
    record: z.string().meta({ description: 'The stored record, such as `products 12`' }),
    field: z.string().nullable().meta({ description: 'null: the record as a whole, which was deleted or made since' }),
    before: Json,
    run: Json.meta({ description: 'What the write made of it' }),
    now: Json,
  })
  .meta({ id: 'UndoConflict' });
export type UndoConflict = z.infer<typeof UndoConflict>;

export const UndoRow = z
  .object({
    position: z.int().meta({ description: 'Its place in the plan, from 1, the newest write first' }),
    call: z.int().meta({ description: 'The effect that is taken back, as `call` of the effects of its run' }),
    run_id: Id.meta({ description: 'The run that made it' }),
    endpoint: z.string(),
    method: z.string(),
    path: z.string(),
    state: UndoState,
    choosable: z.boolean().meta({ description: 'Whether `rows` of the application may name it' }),
    reason: z.string().nullable(),
    reason_code: UndoReason.nullable().default(null),
    conflicts: z.array(UndoConflict),
    changes: z.array(
      z.object({
        resource: z.object({ type: z.string(), id: z.int().nullable() }),
        changes: z.record(z.string(), z.tuple([Json, Json])),
      }),
    ),
    stays: z.array(z.string()).meta({ description: 'What this write did besides and stays done, such as a mail that was sent' }),
  })
  .meta({ id: 'UndoRow' });
export type UndoRow = z.infer<typeof UndoRow>;

const counted = z.object({ ready: z.int(), conflict: z.int(), irreversible: z.int(), already_as_before: z.int() });

export const undoEndpoints = endpointsOf(
  {
    id: 'ai_tasks.undo_run',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/{run_id}/undo',
    summary: 'Plan to take back what a run did: a run of its own whose plan is shown and applied like that of a dry run',
    permission: 'admin_api.ai_tasks.write',
    record: 'run',
    body: z
      .object({
        effects: z.array(z.int()).min(1).max(UNDONE_WRITES).optional().meta({ description: 'Only these effects, by their `call`' }),
        lineage: z
          .boolean()
          .optional()
          .meta({ description: 'Also what the runs did that this one goes on from, and those that go on from it' }),
      })
      .refine(({ effects, lineage }) => !(effects && lineage), {
        path: ['effects'],
        message: 'cannot be given together with lineage',
        params: { code: 'invalid_value' },
      }),
    status: 201,
    response: z.object({ run_id: Id, rows: counted }),
    location: '/ai-tasks/{id}/runs/{run_id}',
    refusals: ['not_applicable', 'forbidden', 'too_many', 'not_found'],
  },
  {
    id: 'ai_tasks.list_undo',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/undo',
    summary: 'List the rows of the plan of an undo, the newest write first',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    query: z.object({ after: z.int().min(0).default(0), limit: z.int().min(1).max(1000).default(100) }),
    response: z.array(UndoRow),
    refusals: ['not_applicable', 'journal_expired'],
  },
);
