import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { emailKey } from '../../../contract/emails.ts';
import { type OrderDetail, OrderItem, OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import { BillingAddress } from '../../../contract/people.ts';
import { fold } from '../../../contract/values.ts';
import type { At, Db } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import { statement } from '../../db/queries/statement.ts';
import type { NewRow } from '../../db/tables.ts';
import { foldEmail } from '../../values/stored-emails.ts';
import { soughtForms } from '../../values/texts.ts';
import type { StockWish } from '../products/rules.ts';

/** The fields that the PATCH endpoints for single fields change. */
export type OrderState = Pick<
  OrderDetail,
  'status' | 'payment_status' | 'tracking_number' | 'delivery_date' | 'is_test' | 'internal_status_id'
>;

/** What the order's row knows of its payments. */
export type OrderMoney = {
  /** null: it follows from the payment status. */
  paid_amount: number | null;
  first_paid_at: string | null;
  /** The status before the first payment record. */
  base_payment_status: PaymentStatus | null;
};

/** The columns that a write to a part of an order may need. */
export type LockedOrder = OrderState &
  OrderMoney & {
    id: number;
    public_id: string;
    total: number;
    currency: string;
    payment_provider: string;
    created_at: string;
    customer_id: number | null;
    /** The voucher that the order uses, or used when it was cancelled. */
    voucher_id: number | null;
  };

/**
 * The columns that an order shows, in the order in which it shows them. They are named because leaving the others out of the row afterwards
 * takes longer than reading it.
 */
const ORDER_SHOWN = [
  ...(['id', 'public_id', 'customer_id', 'status', 'payment_status', 'customer_name', 'customer_email', 'customer_phone'] as const),
  ...(['shipping_line1', 'shipping_line2', 'shipping_city', 'shipping_state', 'shipping_postal_code', 'shipping_country'] as const),
  ...(['billing_address', 'notes', 'internal_notes', 'currency', 'prices_include_tax', 'subtotal', 'discount_amount'] as const),
  ...(['discount_reason', 'voucher_code', 'tax_amount', 'shipping_method', 'shipping_cost', 'total', 'payment_provider'] as const),
  ...(['pickup_location_id', 'pickup_location_name', 'tracking_number', 'ip_address', 'invoice_url', 'delivery_date'] as const),
  ...(['is_test', 'internal_status_id', 'created_at', 'updated_at'] as const),
] satisfies (keyof OrderDetail)[];

type Coded = { billing_address: string | null; prices_include_tax: number; is_test: number };
/** `paid_total_cents`: null while it follows from the payment status. */
type StoredOrder = Omit<Pick<OrderDetail, (typeof ORDER_SHOWN)[number]>, keyof Coded> & Coded & { paid_total_cents: number | null };

const orderById = statement<{ id: number }, StoredOrder>(
  (value) => sql`SELECT ${columns(ORDER_SHOWN)}, paid_amount AS paid_total_cents FROM orders WHERE id = ${value('id')}`,
);

/** An order as stored, without its items and computed fields. */
export async function selectOrder(db: Db, id: number) {
  const [row] = await orderById(db, { id });
  if (!row) return null;
  return {
    ...row,
    billing_address: row.billing_address === null ? null : BillingAddress.parse(JSON.parse(row.billing_address)),
    prices_include_tax: row.prices_include_tax === 1,
    is_test: row.is_test === 1,
  };
}

const ITEM_SHOWN = [
  ...(['id', 'product_id', 'variant_id', 'product_name', 'product_sku', 'variant_label', 'unit_price', 'quantity', 'subtotal'] as const),
  ...(['tax_rate', 'tax_amount', 'custom_fields'] as const),
] satisfies (keyof OrderItem)[];

type StoredItem = Omit<OrderItem, 'custom_fields'> & { custom_fields: string };

const itemsByOrder = statement<{ orderId: number }, StoredItem>(
  (value) => sql`SELECT ${columns(ITEM_SHOWN)} FROM order_items WHERE order_id = ${value('orderId')} ORDER BY position, id`,
);

export async function selectItems(db: Db, orderId: number): Promise<OrderItem[]> {
  const rows = await itemsByOrder(db, { orderId });
  return rows.map((row) => ({ ...row, custom_fields: OrderItem.shape.custom_fields.parse(JSON.parse(row.custom_fields)) }));
}

function columns(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

export function selectWishes(db: Db, orderId: number): Promise<StockWish[]> {
  return db
    .selectFrom('order_items')
    .select(['product_id', 'variant_id', 'product_name', 'quantity'])
    .where('order_id', '=', orderId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function insertOrder(db: Db, order: NewRow<'orders'>): Promise<number> {
  const { id } = await db.insertInto('orders').values(order).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Finds and locks an order. Every write to a part of the order begins with this lock. */
export async function lockOrder(at: At, id: number): Promise<LockedOrder | null> {
  const [order] = await lockOrders(at, [id]);
  return order ?? null;
}

/** Locks orders in the order of their ids, so that two writes never deadlock. */
export async function lockOrders({ db, dialect }: At, ids: readonly number[]): Promise<LockedOrder[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'public_id', 'status', 'payment_status', 'tracking_number', 'delivery_date', 'is_test', 'internal_status_id'])
    .select(['total', 'currency', 'payment_provider', 'created_at', 'paid_amount', 'first_paid_at', 'base_payment_status'])
    .select(['customer_id', 'voucher_terms'])
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
  return rows.map(({ voucher_terms, ...row }) => ({
    ...row,
    ...Statuses.parse(row),
    ...Base.parse(row),
    is_test: row.is_test === 1,
    voucher_id: voucher_terms === null ? null : UsedVoucher.parse(JSON.parse(voucher_terms)).id,
  }));
}

/** The sum of the order's paid payment records, in minor units. */
export async function sumPaidRecords(db: Db, orderId: number): Promise<number> {
  const { sum } = await db
    .selectFrom('payments')
    .select(sql<number>`CAST(coalesce(sum(amount_cents), 0) AS bigint)`.as('sum'))
    .where('order_id', '=', orderId)
    .where('paid', '=', 1)
    .executeTakeFirstOrThrow();
  return sum;
}

/** The variants of the lines of several orders. */
export async function selectVariantIds(db: Db, orderIds: readonly number[]): Promise<number[]> {
  if (orderIds.length === 0) return [];
  const rows = await db.selectFrom('order_items').select('variant_id').distinct().where('order_id', 'in', orderIds).execute();
  return rows.map(({ variant_id }) => variant_id);
}

export function updateOrder(db: Db, id: number, { is_test, ...changes }: Partial<OrderState & OrderMoney>, now: string): Promise<void> {
  return updateColumns(db, id, { ...changes, ...(is_test === undefined ? {} : { is_test: is_test ? 1 : 0 }) }, now);
}

export async function updateColumns(db: Db, id: number, columns: Partial<NewRow<'orders'>>, now: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ ...columns, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('id', '=', id)
    .execute();
}

/** The ids of orders that name the customer or the customer's email. */
export async function selectIdsOfBuyer(db: Db, { customerId, email }: { customerId: number; email: string }): Promise<number[]> {
  const { rows } = await sql<{ id: number; customer_email: string | null }>`
    SELECT id, NULL AS customer_email FROM orders WHERE customer_id = ${customerId}
    ${email.trim() === '' ? sql`` : sql`UNION ALL SELECT id, customer_email FROM orders WHERE ${alike(email)}`}`.execute(db);
  const theirs = rows.filter(({ customer_email }) => customer_email === null || emailKey(customer_email) === emailKey(email));
  return [...new Set(theirs.map(({ id }) => id))];
}

/** Emails with the same local part: equal ones may differ in how the domain is written. `A` is the character after `@`. */
function alike(email: string): RawBuilder<boolean> {
  const trimmed = email.trim();
  if (!trimmed.includes('@')) return sql`customer_email_folded IN (${foldEmail(trimmed)}, ${fold(trimmed)})`;
  const ranges = soughtForms(trimmed.slice(0, trimmed.lastIndexOf('@'))).map(
    (local) => sql`(customer_email_folded >= ${`${local}@`} AND customer_email_folded < ${`${local}A`})`,
  );
  return sql`(${sql.join(ranges, sql` OR `)})`;
}

/** Blanks the buyers' personal data. */
export async function blankBuyers({ db, dialect }: At, ids: readonly number[], now: string): Promise<void> {
  await sql`
    UPDATE orders SET ${blanked('orders')}, updated_at = ${now}, row_version = row_version + 1
    WHERE id IN ${idRows(dialect, ids)}`.execute(db);
}

export async function hasOrders(db: Db, customerId: number): Promise<boolean> {
  return (await db.selectFrom('orders').select('id').where('customer_id', '=', customerId).limit(1).execute()).length > 0;
}

const Statuses = z.object({ status: OrderStatus, payment_status: PaymentStatus });
const UsedVoucher = z.object({ id: z.int().nullable().default(null) });
const Base = z.object({ base_payment_status: PaymentStatus.nullable() });
