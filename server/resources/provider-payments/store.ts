import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { statement } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';

export function selectPayments(db: Db, orderId: number): Promise<Row<'provider_payments'>[]> {
  return db.selectFrom('provider_payments').selectAll().where('order_id', '=', orderId).orderBy('id').execute();
}

/** The payment with one of these external ids; earlier ids in the list have precedence. */
export async function selectPaymentBy(db: Db, provider: string, externalIds: readonly string[]): Promise<Row<'provider_payments'> | null> {
  const rows = await db
    .selectFrom('provider_payments')
    .selectAll()
    .where('provider', '=', provider)
    .where('external_id', 'in', externalIds)
    .execute();
  return externalIds.flatMap((id) => rows.filter((row) => row.external_id === id))[0] ?? null;
}

type InitialInvoice = { external_invoice_id: string; order_id: number | null };

/** The first invoice of a subscription, found by the payment that pays it. */
export async function selectInitialInvoice(db: Db, paymentId: string): Promise<InitialInvoice | null> {
  const [row] = await initialByPayment(db, { paymentId });
  return row ?? null;
}

const initialByPayment = statement<{ paymentId: string }, InitialInvoice>(
  (value) => sql`
    SELECT i.external_invoice_id, s.initial_order_id AS order_id
    FROM subscription_invoices i JOIN subscriptions s ON s.id = i.subscription_id
    WHERE i.external_payment_intent = ${value('paymentId')} AND i.external_payment_intent <> '' AND i.is_initial = 1`,
);

/** Finds an order by its id, else by its public id. */
export async function selectOrderId({ db }: Pick<Ctx, 'db'>, reference: string): Promise<number | null> {
  const id = /^\d{1,15}$/.test(reference) ? Number(reference) : 0;
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'public_id'])
    .where((eb) => eb.or([eb('id', '=', id), eb('public_id', '=', reference)]))
    .execute();
  return rows.find((row) => row.id === id)?.id ?? rows[0]?.id ?? null;
}

export async function insertPayment(db: Db, row: NewRow<'provider_payments'>): Promise<void> {
  await db.insertInto('provider_payments').values(row).execute();
}

export async function updatePayment(db: Db, id: number, changes: Partial<NewRow<'provider_payments'>>): Promise<void> {
  await db.updateTable('provider_payments').set(changes).where('id', '=', id).execute();
}
