import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** Taking back an edit of a person, from the timeline of an order or a customer. */
const english = {
  title: (what: string) => `Take back “${what}”?`,
  detail: 'What is ticked gets its value from before again, by an edit of yours.',
  label: 'What the edit changed',
  columns: { field: 'Field', before: 'Before', after: 'By the edit', now: 'Now' },
  choose: (field: string) => `Take back ${field}`,
  states: { ready: 'As the edit left it', conflict: 'Changed since', same: 'As before already', closed: 'Cannot be taken back' },
  act: (count: number) => `Take back ${counted(count, 'value', 'values')}`,
  acknowledge: 'The order was sent already: change it all the same',
  lacking: (permissions: string) => `You also need: ${permissions}.`,
  outdated: 'Something has changed since you looked at it. Nothing was written; this is how it is now.',
  takenBack: 'It was taken back before.',
  undoOf: 'This edit took back an earlier one.',
  run: (id: number) => `Show run ${id}`,
  /** Why an edit, or a field of it, is not taken back, and what can be done instead. */
  closed: {
    by_run: 'A run did it. Take that run back.',
    by_system: 'The shop, a customer or a payment provider did it.',
    created: 'It made the record. Delete the record instead.',
    deleted: 'It deleted the record. Make it again.',
    not_an_edit: 'It changed nothing that an edit can set.',
    irreversible: 'It has left the house and cannot be called back.',
    ledger: 'It is booked, and bookings stay. Book the opposite instead.',
    follows: 'It follows from other values.',
    not_kept: 'How it was is not kept.',
    forgotten: 'It was about a person who was forgotten.',
    gone: 'The record is no longer there.',
  },
} as const;

export type UndoEntryText = Words<typeof english>;
export const undoEntryText = translated('undoEntry', english);
