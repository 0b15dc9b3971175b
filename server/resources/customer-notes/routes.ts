import { type Routes, read, write } from '../../verbs/route.ts';
import * as notes from './domain.ts';

export const customerNotesRoutes = {
  'customers.list_notes': read((ctx, { params }) => notes.listNotes(ctx, params.id)),
  'customers.create_note': write((ctx, { params, body }) => notes.createNote(ctx, params.id, body.body)),
  'customers.get_note': read((ctx, { params }) => notes.getNote(ctx, params.id, params.note_id)),
  'customers.update_note': write((ctx, { params, body }) => notes.updateNote(ctx, params.id, params.note_id, body.body)),
  'customers.delete_note': write((ctx, { params }) => notes.deleteNote(ctx, params.id, params.note_id)),
} satisfies Partial<Routes>;
