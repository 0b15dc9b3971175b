import type { Handlers } from '../../http/handlers.ts';
import * as notes from './domain.ts';

export const customerNotesRoutes: Handlers = {
  'customers.list_notes': (ctx, { params }) => notes.listNotes(ctx, params.id),
  'customers.create_note': (ctx, { params, body }) => notes.createNote(ctx, params.id, body.body),
  'customers.delete_note': (ctx, { params }) => notes.deleteNote(ctx, params.id, params.note_id),
};
