import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type OrderDetail, OrderItem, type OrderRow, OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import { BillingAddress } from '../../../contract/people.ts';
import type { Ctx } from '../../context.ts';
import { type Position, type Reading, selectKeys } from '../../db/keyset.ts';
import type { Db } from '../../db/open.ts';
import { statement } from '../../db/statement.ts';
import type { Database, Row } from '../../db/tables.ts';
import type { StockWish } from '../products/rules.ts';

type At = Pick<Ctx, 'db' | 'dialect'>;

export type OrderFilter = {
  tests: 'without' | 'with' | 'only';
  searchFolded: string;
  status: OrderStatus | undefined;
  paymentStatus: PaymentStatus | undefined;
  totalMin: number | null;
  totalMax: number | null;
  createdFrom: string | null;
  createdBefore: string | null;
};

/** What the small PATCHes change. */
export type OrderState = Pick<
  OrderDetail,
  'status' | 'payment_status' | 'tracking_number' | 'delivery_date' | 'is_test' | 'internal_status_id'
>;

export function selectOrderKeys(at: At, filter: OrderFilter, reading: Reading): Promise<Position[]> {
  return selectKeys(matching(at, filter), reading);
}

export async function countOrders(at: At, filter: OrderFilter): Promise<number> {
  const { count } = await matching(at, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** In no order. */
export async function selectOrderRows(db: Db, ids: readonly number[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('orders')
    .select([
      'id',
      'status',
      'payment_status',
      'customer_name',
      'customer_email',
      'total',
      'created_at',
      'public_id',
      'is_test',
      'delivery_date',
      'internal_status_id',
      'customer_id',
      'shipping_country',
      'currency',
    ])
    .where('id', 'in', ids)
    .execute();
  return rows.map((row) => ({ ...row, ...Statuses.parse(row), is_test: row.is_test === 1 }));
}

/** An order as stored, without its items and what is computed. */
export async function selectOrder(db: Db, id: number) {
  const [row] = await orderById(db, { id });
  return row ? toOrder(row) : null;
}

const orderById = statement<{ id: number }, Row<'orders'>>((value) => sql`SELECT * FROM orders WHERE id = ${value('id')}`);

export async function selectItems(db: Db, orderId: number): Promise<OrderItem[]> {
  const rows = await itemsByOrder(db, { orderId });
  return rows.map(({ order_id: _, position: __, discount_amount: ___, ...row }) => ({
    ...row,
    custom_fields: OrderItem.shape.custom_fields.parse(JSON.parse(row.custom_fields)),
  }));
}

const itemsByOrder = statement<{ orderId: number }, Row<'order_items'>>(
  (value) => sql`SELECT * FROM order_items WHERE order_id = ${value('orderId')} ORDER BY position, id`,
);

export function selectWishes(db: Db, orderId: number): Promise<StockWish[]> {
  return db
    .selectFrom('order_items')
    .select(['product_id', 'variant_id', 'product_name', 'quantity'])
    .where('order_id', '=', orderId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** The order, locked: the first thing that a write below it asks for. */
export async function lockOrder({ db, dialect }: At, id: number): Promise<(OrderState & { total: number; currency: string }) | null> {
  const row = await db
    .selectFrom('orders')
    .select(['status', 'payment_status', 'tracking_number', 'delivery_date', 'is_test', 'internal_status_id', 'total', 'currency'])
    .where('id', '=', id)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  return row ? { ...row, ...Statuses.parse(row), is_test: row.is_test === 1 } : null;
}

export async function updateOrder(db: Db, id: number, { is_test, ...changes }: Partial<OrderState>, now: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({
      ...changes,
      ...(is_test === undefined ? {} : { is_test: is_test ? 1 : 0 }),
      updated_at: now,
      row_version: sql<number>`row_version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

/** Whether any earlier change noted the payment status `paid`. */
export async function wasEverPaid(db: Db, orderId: number): Promise<boolean> {
  const rows = await db
    .selectFrom('audit_log')
    .select('changes')
    .where('resource_type', '=', 'order')
    .where('resource_id', '=', orderId)
    .execute();
  return rows.some(({ changes }) => PaymentChange.parse(JSON.parse(changes)).payment_status?.includes('paid'));
}

export async function selectOrderVersion(db: Db, id: number): Promise<number | null> {
  const [row] = await versionById(db, { id });
  return row?.row_version ?? null;
}

const versionById = statement<{ id: number }, { row_version: number }>(
  (value) => sql`SELECT row_version FROM orders WHERE id = ${value('id')}`,
);

const Statuses = z.object({ status: OrderStatus, payment_status: PaymentStatus });
const PaymentChange = z.object({ payment_status: z.array(z.unknown()).optional() });

function matching({ db, dialect }: At, filter: OrderFilter): SelectQueryBuilder<Database, 'orders', object> {
  let query = db.selectFrom('orders');
  if (filter.tests !== 'with') query = query.where('is_test', '=', filter.tests === 'only' ? 1 : 0);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.paymentStatus !== undefined) query = query.where('payment_status', '=', filter.paymentStatus);
  if (filter.totalMin !== null) query = query.where('total', '>=', filter.totalMin);
  if (filter.totalMax !== null) query = query.where('total', '<=', filter.totalMax);
  if (filter.createdFrom !== null) query = query.where('created_at', '>=', filter.createdFrom);
  if (filter.createdBefore !== null) query = query.where('created_at', '<', filter.createdBefore);
  if (filter.searchFolded === '') return query;
  return query.where((eb) =>
    eb.or([
      dialect.contains(eb.ref('customer_name_folded'), filter.searchFolded),
      dialect.contains(eb.ref('customer_email_folded'), filter.searchFolded),
    ]),
  );
}

function toOrder({ customer_name_folded: _, customer_email_folded: __, row_version: ___, ...row }: Row<'orders'>) {
  return {
    ...row,
    ...Statuses.parse(row),
    billing_address: row.billing_address === null ? null : BillingAddress.parse(JSON.parse(row.billing_address)),
    prices_include_tax: row.prices_include_tax === 1,
    is_test: row.is_test === 1,
  };
}
