import { sql } from 'kysely';
import { z } from 'zod';
import type { OrderEdit } from '../../../contract/order-edits.ts';
import { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import { VoucherKind } from '../../../contract/vouchers.ts';
import type { At, Db } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import { editedColumns } from './summary.ts';

/** The columns of an order that an edit needs, without the lines. */
export async function selectForEdit(db: Db, id: number) {
  const row = await db
    .selectFrom('orders')
    .select(editedColumns)
    .select(['status', 'customer_id', 'prices_include_tax', 'waived_shipping', 'shipping_tax_rate', 'pickup_location_id'])
    .select(['voucher_terms', 'voucher_discount', 'manual_discount', 'subtotal', 'tax_amount', 'payment_status', 'paid_amount'])
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      ...row,
      status: OrderStatus.parse(row.status),
      payment_status: PaymentStatus.parse(row.payment_status),
      prices_include_tax: row.prices_include_tax === 1,
      voucher_terms: row.voucher_terms === null ? null : Terms.parse(JSON.parse(row.voucher_terms)),
    }
  );
}

const Terms = z.object({ kind: VoucherKind, percent_bps: z.int().nullable(), amount_cents: z.int().nullable() });

export async function insertEdit(db: Db, edit: NewRow<'order_edits'>): Promise<OrderEdit> {
  return toEdit(await db.insertInto('order_edits').values(edit).returningAll().executeTakeFirstOrThrow());
}

/** Newest first. */
export async function selectEdits(db: Db, orderId: number): Promise<OrderEdit[]> {
  const rows = await db.selectFrom('order_edits').selectAll().where('order_id', '=', orderId).orderBy('id', 'desc').execute();
  return rows.map(toEdit);
}

export async function clearNotes({ db, dialect }: At, orderIds: readonly number[]): Promise<void> {
  await sql`UPDATE order_edits SET ${blanked('order_edits')}
    WHERE order_id IN ${idRows(dialect, orderIds)} AND payment_adjustment_note <> ''`.execute(db);
}

function toEdit(row: Row<'order_edits'>): OrderEdit {
  return { ...row, customer_notified: row.customer_notified === 1, stock_override_used: row.stock_override_used === 1 };
}
