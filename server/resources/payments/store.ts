import { sql } from 'kysely';
import type { Payment } from '../../../contract/payments.ts';
import type { At, Db } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function selectPayments(db: Db, orderId: number): Promise<Payment[]> {
  const rows = await db.selectFrom('payments').selectAll().where('order_id', '=', orderId).orderBy('sort_order').orderBy('id').execute();
  return rows.map(toPayment);
}

export async function insertPayment(db: Db, { paid, ...payment }: Omit<Payment, 'id'>): Promise<Payment> {
  const row: NewRow<'payments'> = { ...payment, paid: paid ? 1 : 0 };
  return toPayment(await db.insertInto('payments').values(row).returningAll().executeTakeFirstOrThrow());
}

type Changes = Partial<Pick<Payment, 'label' | 'amount_cents' | 'paid' | 'paid_at' | 'note' | 'sort_order'>>;

export async function updatePayment(db: Db, id: number, { paid, ...changes }: Changes, now: string): Promise<void> {
  await db
    .updateTable('payments')
    .set({ ...changes, ...(paid === undefined ? {} : { paid: paid ? 1 : 0 }), updated_at: now })
    .where('id', '=', id)
    .execute();
}

export async function deletePayment(db: Db, id: number): Promise<void> {
  await db.deleteFrom('payments').where('id', '=', id).execute();
}

/** Blanks the texts that admins have entered; returns the payments' ids. */
export async function blankTexts({ db, dialect }: At, orderIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    UPDATE payments SET ${blanked('payments')} WHERE order_id IN ${idRows(dialect, orderIds)} RETURNING id`.execute(db);
  return rows.map(({ id }) => id);
}

function toPayment(row: Row<'payments'>): Payment {
  return { ...row, paid: row.paid === 1 };
}
