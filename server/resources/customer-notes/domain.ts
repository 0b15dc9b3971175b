import type { CustomerNote } from '../../../contract/customers.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notFound } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { authorOf, isAuthor, refuseOther, tellMentioned } from '../comments/writing.ts';
import { lockCustomer } from '../customers/domain.ts';
import * as store from './store.ts';

export const recordVersions = {
  customer_note: (db, { id, note_id }) => store.selectVersion(db, { customerId: Number(id), id: Number(note_id) }),
} satisfies RecordVersions;

export function listNotes(ctx: Ctx, customerId: number): Promise<CustomerNote[]> {
  return store.selectNotes(ctx.db, customerId);
}

export async function createNote(ctx: Ctx, customerId: number, body: string): Promise<CustomerNote> {
  await lockCustomer(ctx, customerId);
  const note = await store.insertNote(ctx.db, { customer_id: customerId, ...authorOf(ctx), body, created_at: ctx.now, edited_at: null });
  await tellMentioned(ctx, { after: body }, placeOf(note));
  ctx.audit({
    resource: { type: 'customer_note', id: note.id },
    customerId,
    changes: { body: [null, body] },
    summary: `Customer ${customerId}: note ${note.id} added`,
  });
  return note;
}

export async function getNote(ctx: Ctx, customerId: number, id: number): Promise<CustomerNote> {
  return known(id, await store.selectNote(ctx.db, { customerId, id }));
}

export async function updateNote(ctx: Ctx, customerId: number, id: number, body: string): Promise<CustomerNote> {
  await lockCustomer(ctx, customerId);
  const before = known(id, await store.selectNote(ctx.db, { customerId, id }));
  if (!isAuthor(ctx, before)) refuseOther();
  const isChanged = before.body !== body;
  if (isChanged) {
    await tellMentioned(ctx, { before: before.body, after: body }, placeOf(before));
    await store.updateNote(ctx.db, id, { body, edited_at: ctx.now });
  }
  ctx.audit({
    resource: { type: 'customer_note', id },
    customerId,
    changes: isChanged ? { body: [before.body, body] } : {},
    summary: `Customer ${customerId}: note ${id} ${isChanged ? 'changed' : 'unchanged'}`,
  });
  return isChanged ? { ...before, body, edited_at: ctx.now } : before;
}

export async function deleteNote(ctx: Ctx, customerId: number, noteId: number): Promise<undefined> {
  await lockCustomer(ctx, customerId);
  const note = known(noteId, await store.selectNote(ctx.db, { customerId, id: noteId }));
  await store.deleteNote(ctx.db, noteId);
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

function placeOf({ id, customer_id }: CustomerNote) {
  return { where: `customer ${customer_id}`, link: `/customers/${customer_id}`, metadata: { customer_id, note_id: id } };
}

function known(id: number, note: CustomerNote | null): CustomerNote {
  if (note === null) throw notFound('note', id);
  return note;
}
