import type { CustomerNote } from '../../../contract/customers.ts';
import type { Db } from '../../db/open.ts';

export function selectNotes(db: Db, customerId: number): Promise<CustomerNote[]> {
  return db
    .selectFrom('customer_notes')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export function insertNote(db: Db, note: Omit<CustomerNote, 'id'>): Promise<CustomerNote> {
  return db.insertInto('customer_notes').values(note).returningAll().executeTakeFirstOrThrow();
}

/** Returns the deleted note; null if the customer has no such note. */
export async function deleteNote(db: Db, customerId: number, noteId: number): Promise<CustomerNote | null> {
  const note = await db
    .deleteFrom('customer_notes')
    .where('id', '=', noteId)
    .where('customer_id', '=', customerId)
    .returningAll()
    .executeTakeFirst();
  return note ?? null;
}

export async function hasNote(db: Db, customerId: number, noteId: number): Promise<boolean> {
  const row = await db
    .selectFrom('customer_notes')
    .select('id')
    .where('id', '=', noteId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteNotes(db: Db, customerId: number): Promise<void> {
  await db.deleteFrom('customer_notes').where('customer_id', '=', customerId).execute();
}
