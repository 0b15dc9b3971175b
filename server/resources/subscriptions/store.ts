import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { BillingInterval, CancellationPolicy, SubscriptionStatus } from '../../../contract/subscriptions.ts';
import type { At, Db } from '../../db/open.ts';
import { updateTexts } from '../../db/plain-texts.ts';
import { idRows } from '../../db/queries/about.ts';
import { type Changes, changesOf } from '../../db/queries/change-cursors.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import { insertInto, statement, updateVersioned } from '../../db/queries/statement.ts';
import { isInSearchText } from '../../db/queries/words.ts';
import type { Database, NewRow, Row } from '../../db/tables.ts';
import { subscriptionText } from '../../values/texts.ts';
import type { Word } from '../../values/words.ts';

export type SubscriptionFilter = {
  words: readonly Word[];
  status: SubscriptionStatus | undefined;
  customerId: number | undefined;
  productId: number | undefined;
  orderId: number | undefined;
  updatedSince: string | undefined;
};
export type Subscription = NonNullable<Awaited<ReturnType<typeof lockSubscription>>>;
export type SubscriptionLine = Awaited<ReturnType<typeof selectSubscriptionLines>>[number];
export type SubscriptionChanges = Partial<Omit<Subscription, 'id' | 'row_version'>>;

/** `rows` completes what `selectSubscriptionRows` returns. */
export function subscriptions<T>(at: At, filter: SubscriptionFilter, rows: List<T>['rows']): List<T> {
  return listOf(matching(at, filter, sql.ref), rows);
}

/** The same in the order of change. Filters that many subscriptions may match must not take their own index, which has another order. */
export function subscriptionChanges<T>(at: At, filter: SubscriptionFilter, rows: List<T>['rows']): Changes<T> {
  const matches = matching(at, filter, (name) => at.dialect.withoutIndex(sql.ref(name)));
  return changesOf(at, matches, rows);
}

const ROW = [
  'id',
  'public_id',
  'status',
  'product_id',
  'variant_id',
  'product_name',
  'variant_label',
  'customer_id',
  'customer_name',
  'customer_email',
  'provider',
  'external_subscription_id',
  'billing_interval',
  'billing_interval_count',
  'cancellation_policy',
  'max_billing_cycles',
  'unit_amount_cents',
  'currency',
  'quantity',
  'current_period_start',
  'current_period_end',
  'cancel_at_period_end',
  'canceled_at',
  'created_at',
  'updated_at',
] as const;

/** The order of the rows is not defined. */
export async function selectSubscriptionRows(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('subscriptions').select(ROW).where('id', 'in', ids).execute();
  return rows.map(read);
}

export async function selectSubscription(db: Db, id: number) {
  const row = await db
    .selectFrom('subscriptions')
    .select(ROW)
    .select(['ended_at', 'initial_order_id', 'external_customer_id', 'order_item_id'])
    .select((eb) =>
      eb.selectFrom('orders').select('orders.public_id').whereRef('orders.id', '=', 'initial_order_id').as('initial_order_public_id'),
    )
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? read(row) : null;
}

/** Finds and locks a subscription. Every write to a part of the subscription begins with this lock. */
export async function lockSubscription({ db, dialect }: At, id: number) {
  const row = await db.selectFrom('subscriptions').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return row ? read(row) : null;
}

export async function lockSubscriptionByExternalId({ db, dialect }: At, externalId: string) {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('external_subscription_id', '=', externalId)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  return row ? read(row) : null;
}

export async function insertSubscription(db: Db, row: NewRow<'subscriptions'>): Promise<number> {
  const [inserted] = await insert(db, row);
  if (!inserted) throw new Error('a subscription was not written');
  return inserted.id;
}

const insert = insertInto('subscriptions', sql<{ id: number }>`id`);
const update = updateVersioned('subscriptions');

export async function updateSubscription(db: Db, id: number, changes: SubscriptionChanges, now: string): Promise<void> {
  const { cancel_at_period_end: ending, ...others } = changes;
  await update(db, id, { ...others, ...(ending === undefined ? {} : { cancel_at_period_end: ending ? 1 : 0 }), updated_at: now });
}

/** Stores which event was applied last; no response shows it, so the row version stays. */
export async function updateTold(db: Db, id: number, event: { id: string; toldAt: string }): Promise<void> {
  await db.updateTable('subscriptions').set({ last_event_id: event.id, told_at: event.toldAt }).where('id', '=', id).execute();
}

/** The buyer as the order names them. */
export function selectBuyer(db: Db, orderId: number) {
  return db
    .selectFrom('orders')
    .select(['customer_id', 'customer_name', 'customer_email'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}

/** The lines of an order with subscription products, by position, each with the subscription that it already has. */
export async function selectSubscriptionLines(db: Db, orderId: number) {
  const rows = await db
    .selectFrom('order_items as i')
    .innerJoin('products as p', 'p.id', 'i.product_id')
    .leftJoin('subscriptions as s', 's.order_item_id', 'i.id')
    .select(['i.id', 'i.product_id', 'i.variant_id', 'i.product_name', 'i.variant_label', 'i.unit_price', 'i.quantity'])
    .select(['p.billing_interval', 'p.billing_interval_count', 'p.cancellation_policy', 'p.max_billing_cycles'])
    .select('s.id as subscription_id')
    .where('i.order_id', '=', orderId)
    .where('p.is_subscription', '=', 1)
    .orderBy('i.position')
    .orderBy('i.id')
    .execute();
  return rows.map((row) => ({ ...row, ...Billing.parse(row) }));
}

export async function selectInvoices(db: Db, subscriptionId: number): Promise<Row<'subscription_invoices'>[]> {
  return invoicesOf(db, { subscriptionId });
}

/** A draft that the provider deleted stays as a row with the status `deleted` and is not shown. */
const invoicesOf = statement<{ subscriptionId: number }, Row<'subscription_invoices'>>(
  (value) => sql`
    SELECT * FROM subscription_invoices
    WHERE subscription_id = ${value('subscriptionId')} AND status <> 'deleted'
    ORDER BY created_at DESC, id DESC`,
);

export async function selectInvoiceByExternalId(db: Db, externalId: string): Promise<Row<'subscription_invoices'> | null> {
  const row = await db.selectFrom('subscription_invoices').selectAll().where('external_invoice_id', '=', externalId).executeTakeFirst();
  return row ?? null;
}

export async function insertInvoice(db: Db, row: NewRow<'subscription_invoices'>): Promise<void> {
  await db.insertInto('subscription_invoices').values(row).execute();
}

export async function updateInvoice(db: Db, id: number, changes: Partial<NewRow<'subscription_invoices'>>): Promise<void> {
  await db.updateTable('subscription_invoices').set(changes).where('id', '=', id).execute();
}

/**
 * Blanks the buyer in the customer's subscriptions and in those that began with these orders, and removes the links to the
 * provider's invoice pages.
 */
export async function blankBuyer({ db, dialect }: At, customerId: number, orderIds: readonly number[], now: string): Promise<void> {
  const theirs = sql`(
    SELECT id FROM subscriptions WHERE customer_id = ${customerId}
    UNION ALL SELECT id FROM subscriptions WHERE initial_order_id IN ${idRows(dialect, orderIds)})`;
  await sql`UPDATE subscription_invoices SET ${blanked('subscription_invoices')} WHERE subscription_id IN ${theirs}`.execute(db);
  const { rows } = await sql<{ id: number; product_name: string; public_id: string }>`
    UPDATE subscriptions SET ${blanked('subscriptions')}, updated_at = ${now}, row_version = row_version + 1
    WHERE id IN ${theirs} RETURNING id, product_name, public_id`.execute(db);
  const texts = rows.map(({ id, product_name, public_id }) => [id, subscriptionText(['', '', product_name, public_id])]);
  await updateTexts({ db, dialect }, 'subscriptions', ['search_folded'], texts);
}

export async function hasSubscriptions(db: Db, customerId: number): Promise<boolean> {
  return (await db.selectFrom('subscriptions').select('id').where('customer_id', '=', customerId).limit(1).execute()).length > 0;
}

const Billing = z.object({
  billing_interval: BillingInterval.nullable().transform((interval) => interval ?? 'month'),
  cancellation_policy: CancellationPolicy,
});
const Stored = z.object({
  status: SubscriptionStatus,
  billing_interval: BillingInterval,
  cancellation_policy: CancellationPolicy,
  cancel_at_period_end: z.number().transform((flag) => flag === 1),
});

type Loose = Pick<Row<'subscriptions'>, keyof z.input<typeof Stored>>;

/** Converts a row's texts and integers to the values of the API. */
function read<T extends Loose>(row: T): Omit<T, keyof Loose> & z.output<typeof Stored> {
  return { ...row, ...Stored.parse(row) };
}

/** `by` makes the reference to a column by whose index the planner may look. */
function matching(
  { db, dialect }: At,
  { words, status, customerId, productId, orderId, updatedSince }: SubscriptionFilter,
  by: (name: string) => RawBuilder<unknown>,
): SelectQueryBuilder<Database, 'subscriptions', object> {
  let query = db.selectFrom('subscriptions');
  if (status !== undefined) query = query.where(sql<boolean>`${by('status')} = ${status}`);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (productId !== undefined) query = query.where(sql<boolean>`${by('product_id')} = ${productId}`);
  if (orderId !== undefined) query = query.where('initial_order_id', '=', orderId);
  if (updatedSince !== undefined) query = query.where(sql<boolean>`${by('updated_at')} >= ${updatedSince}`);
  for (const word of words) query = query.where(isInSearchText(dialect, word));
  return query;
}
