import type { CustomerNote } from '../../../contract/customers.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { lockCustomer } from '../customers/domain.ts';
import * as store from './store.ts';

export const recordVersions = {
  // A note never changes.
  customer_note: async (db, { id, note_id }) => ((await store.hasNote(db, Number(id), Number(note_id))) ? 1 : null),
} satisfies RecordVersions;

export function listNotes(ctx: Ctx, customerId: number): Promise<CustomerNote[]> {
  return store.selectNotes(ctx.db, customerId);
}

export async function createNote(ctx: Ctx, customerId: number, body: string): Promise<CustomerNote> {
  await lockCustomer(ctx, customerId);
  const author = actingAdmin(ctx).name;
  const note = await store.insertNote(ctx.db, { customer_id: customerId, author, body, created_at: ctx.now });
  ctx.audit({
    resource: { type: 'customer_note', id: note.id },
    customerId,
    changes: { body: [null, body] },
    summary: `Customer ${customerId}: note ${note.id} added`,
  });
  return note;
}

export async function deleteNote(ctx: Ctx, customerId: number, noteId: number): Promise<undefined> {
  await lockCustomer(ctx, customerId);
  const note = await store.deleteNote(ctx.db, customerId, noteId);
  if (!note) throw notFound('note', noteId);
  ctx.audit({
    resource: { type: 'customer_note', id: noteId },
    customerId,
    changes: { body: [note.body, null] },
    summary: `Customer ${customerId}: note ${noteId} deleted`,
  });
}

export async function deleteNotes(ctx: Ctx, customerId: number): Promise<void> {
  await store.deleteNotes(ctx.db, customerId);
}
