import { sql } from 'kysely';
import type { CustomerNote } from '../../../contract/customers.ts';
import type { Db } from '../../db/open.ts';
import { insertInto, statement } from '../../db/queries/statement.ts';

export function selectNotes(db: Db, customerId: number): Promise<CustomerNote[]> {
  return db
    .selectFrom('customer_notes')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

const insertRow = insertInto('customer_notes', sql<CustomerNote>`*`);

export async function insertNote(db: Db, note: Omit<CustomerNote, 'id'>): Promise<CustomerNote> {
  const [row] = await insertRow(db, note);
  if (!row) throw new Error('an insert into customer_notes gave no row');
  return row;
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
  return (await selectNote(db, { customerId, noteId })).length > 0;
}

const selectNote = statement<{ customerId: number; noteId: number }>(
  (value) => sql`SELECT id FROM customer_notes WHERE id = ${value('noteId')} AND customer_id = ${value('customerId')}`,
);

export async function deleteNotes(db: Db, customerId: number): Promise<void> {
  await db.deleteFrom('customer_notes').where('customer_id', '=', customerId).execute();
}
