import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json } from './run-events.ts';
import { Id, Timestamp, text } from './values.ts';

/** Taking back one edit of a person, by its entry of the audit log (spec UN11). */

/** Why an entry, or a field of it, is not taken back. */
export const UndoClosed = z
  .enum(['by_run', 'by_system', 'created', 'deleted', 'not_an_edit', 'irreversible', 'ledger', 'follows', 'not_kept', 'forgotten', 'gone'])
  .meta({
    description: [
      '`by_run`: a run did it: take the run back.',
      '`by_system`: the server, a customer or a provider did it.',
      '`created`, `deleted`: the record was made or deleted by it.',
      '`not_an_edit`: it changed no field that an edit can set.',
      '`irreversible`: it cannot be called back.',
      '`ledger`: it is booked, and is answered by another booking.',
      '`follows`: the value follows from others, or is not set by an edit.',
      '`not_kept`: how it was is not kept.',
      '`forgotten`: it was about a person who was forgotten.',
      '`gone`: the record, or its part, is no longer there.',
    ].join(' '),
  });
export type UndoClosed = z.infer<typeof UndoClosed>;

const Closed = UndoClosed.nullable().meta({ description: 'Why it is not taken back; null: it can be' });
const Reason = z.string().nullable().meta({ description: 'The same as a sentence, with what can be done instead' });

export const UndoField = z
  .object({
    field: z.string(),
    before: Json.meta({ description: 'The value before the edit, which it would get again' }),
    after: Json.meta({ description: 'The value that the edit gave it' }),
    now: Json.meta({ description: 'null also where `closed` is set' }),
    state: z.enum(['ready', 'conflict', 'same', 'closed']).meta({
      description: [
        '`ready`: it is as the edit left it.',
        '`conflict`: it was changed since; it is left alone unless `fields` names it.',
        '`same`: it is as before the edit.',
        '`closed`: it is not taken back.',
      ].join(' '),
    }),
    closed: Closed,
    reason: Reason,
  })
  .meta({ id: 'UndoField' });
export type UndoField = z.infer<typeof UndoField>;

export const EntryUndo = z
  .object({
    entry_id: Id,
    at: Timestamp,
    action: z.string(),
    resource: z.object({ type: z.string(), id: Id.nullable() }),
    run: z
      .object({ id: Id, task_id: Id.nullable() })
      .nullable()
      .meta({ description: 'The run that did it, which is taken back as a whole by `ai_tasks.undo_run`' }),
    closed: Closed,
    reason: Reason,
    fields: z.array(UndoField),
    lacking: z.array(z.string()).meta({ description: 'The permissions that the edit needs and the caller lacks' }),
    undo_of_entry_id: Id.nullable().meta({ description: 'The entry that this one took back' }),
    taken_back_by: z.array(Id).meta({ description: 'The entries that took this one back, oldest first' }),
    digest: z.string().meta({ description: 'Of all that is shown; sent with the undo, only that is done' }),
  })
  .meta({ id: 'EntryUndo' });
export type EntryUndo = z.infer<typeof EntryUndo>;

export const undoEntriesEndpoints = endpointsOf(
  {
    id: 'audit_log.get_undo',
    method: 'GET',
    path: '/audit-log/{id}/undo',
    summary: 'Show what taking back an edit would do: each field before the edit, after it, and now',
    permission: null,
    taskPermission: null,
    record: 'audit_entry',
    response: EntryUndo,
    refusals: ['forbidden'],
  },
  {
    id: 'audit_log.undo',
    method: 'POST',
    path: '/audit-log/{id}/undo',
    summary: 'Take back an edit: its fields get their values from before by an edit of the caller, which can be taken back in turn',
    permission: null,
    taskPermission: null,
    record: 'audit_entry',
    body: z.object({
      fields: z
        .array(text({ min: 1 }))
        .min(1)
        .max(1000)
        .optional()
        .meta({ description: 'Only these fields, conflicts among them; by default all that are `ready`' }),
      digest: text().optional().meta({ description: 'The `digest` of what was shown; if it is another one now, nothing is done' }),
      warn_acknowledged: z.boolean().optional().meta({ description: 'As in `orders.edit`, for an order that was sent' }),
    }),
    response: EntryUndo,
    refusals: ['forbidden', 'not_applicable', 'plan_outdated', 'duplicate'],
    // The entries are those of the edits that it carries out.
    audited: false,
  },
);
