import { sql } from 'kysely';
import type { CustomerNote } from '../../../contract/customers.ts';
import type { Db } from '../../db/open.ts';
import { insertInto, rowStatement, updateVersioned } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

type Place = { customerId: number; id: number };

export async function selectNotes(db: Db, customerId: number): Promise<CustomerNote[]> {
  const rows = await db
    .selectFrom('customer_notes')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toWire);
}

const selectRow = rowStatement<Place, Row<'customer_notes'>>(
  (value) => sql`SELECT * FROM customer_notes WHERE id = ${value('id')} AND customer_id = ${value('customerId')}`,
);
const insertRow = insertInto('customer_notes', sql<Row<'customer_notes'>>`*`);

export async function selectVersion(db: Db, place: Place): Promise<number | null> {
  return (await selectRow(db, place))?.row_version ?? null;
}

/** null if the customer has no such note. */
export async function selectNote(db: Db, place: Place): Promise<CustomerNote | null> {
  const row = await selectRow(db, place);
  return row ? toWire(row) : null;
}

export async function insertNote(db: Db, note: Omit<CustomerNote, 'id'>): Promise<CustomerNote> {
  const [row] = await insertRow(db, note);
  if (!row) throw new Error('an insert into customer_notes gave no row');
  return toWire(row);
}

export const updateNote = updateVersioned('customer_notes');

export async function deleteNote(db: Db, id: number): Promise<void> {
  await db.deleteFrom('customer_notes').where('id', '=', id).execute();
}

export async function deleteNotes(db: Db, customerId: number): Promise<void> {
  await db.deleteFrom('customer_notes').where('customer_id', '=', customerId).execute();
}

function toWire({ row_version: _, ...note }: Row<'customer_notes'>): CustomerNote {
  return note;
}
