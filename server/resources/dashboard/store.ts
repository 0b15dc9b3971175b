import { type RawBuilder, sql } from 'kysely';
import type { Insights } from '../../../contract/dashboard.ts';
import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import type { SubscriptionStatus } from '../../../contract/subscriptions.ts';
import type { Db } from '../../db/open.ts';
import { type AttentionTimes, attentionCount } from '../../db/queries/order-needs.ts';
import { statement } from '../../db/queries/statement.ts';
import { isKept, isLow, isOut } from '../../db/queries/tracked-stock.ts';
import type { Charged } from './rules.ts';

/** No figure here counts test orders; `schema/order-sums.ts` says which sums the database keeps. */

type StateCount = { status: OrderStatus; payment_status: PaymentStatus; n: number };

export function selectStateCounts(db: Db): Promise<StateCount[]> {
  return stateCounts(db, {});
}

const stateCounts = statement<object, StateCount, never>(
  () => sql`
    SELECT status, payment_status, CAST(sum(n) AS bigint) AS n FROM order_counts
    WHERE day = '' AND is_test = 0 GROUP BY status, payment_status`,
);

export type Figures = {
  total_revenue: number;
  total_products: number;
  unanswered_inquiries: number;
  total_customers: number;
  new_customers: number;
  needing_attention: number;
  out_of_stock: number;
  low_stock: number;
};

/** `threshold`: how little stock is low, where a product says nothing else. */
export type Times = AttentionTimes & { monthStart: string; nextMonthStart: string; threshold: number };

export async function selectFigures(db: Db, times: Times): Promise<Figures> {
  const [row] = await figures(db, times);
  if (!row) throw new Error('a query without FROM gave no row');
  return row;
}

const trackedStock = sql`(
  SELECT product_id, CAST(sum(stock) AS bigint) AS stock FROM variants WHERE track_stock = 1 GROUP BY product_id) AS s
  JOIN products AS p ON p.id = s.product_id AND ${isKept(sql.ref('p.status'))}`;
const low = (threshold: RawBuilder<unknown>) => isLow({ stock: sql.ref('s.stock'), own: sql.ref('p.low_stock_threshold'), threshold });

const figures = statement<Times, Figures>(
  (value, dialect) => sql`
    SELECT
      (SELECT CAST(coalesce(sum(revenue), 0) AS bigint) FROM order_quarters WHERE quarter = '') AS total_revenue,
      (SELECT count(*) FROM products WHERE status <> 'archived') AS total_products,
      (SELECT count(*) FROM inquiries WHERE answered_at IS NULL) AS unanswered_inquiries,
      (SELECT count(*) FROM customers) AS total_customers,
      (SELECT count(*) FROM customers
        WHERE created_at >= ${value('monthStart')} AND created_at < ${value('nextMonthStart')}) AS new_customers,
      ${attentionCount(dialect, { today: value('today'), paidBefore: value('paidBefore') })} AS needing_attention,
      (SELECT count(*) FROM ${trackedStock} WHERE ${isOut(sql.ref('s.stock'))}) AS out_of_stock,
      (SELECT count(*) FROM ${trackedStock} WHERE ${low(value('threshold'))}) AS low_stock`,
);

type LowStock = { id: number; name: string; stock: number };

/** Products with little stock, least first. `threshold` counts for products without a threshold of their own. */
export const selectLowStock = statement<{ threshold: number; limit: number }, LowStock>(
  (value) => sql`
    SELECT p.id, p.name, s.stock FROM ${trackedStock}
    WHERE ${low(value('threshold'))}
    ORDER BY s.stock, p.id LIMIT ${value('limit')}`,
);

type RecentOrder = { id: number; status: OrderStatus; customer_name: string; total: number; created_at: string };

export const selectRecentOrders = statement<{ limit: number }, RecentOrder>(
  (value) => sql`
    SELECT id, status, customer_name, total, created_at FROM orders
    WHERE is_test = 0 ORDER BY created_at DESC, id DESC LIMIT ${value('limit')}`,
);

/** A day: from `start` (inclusive) to `before` (exclusive). */
export type DaySpan = { start: string; before: string };

export type DayFigures = { revenue: number; orders: number };

/** For each day in the given order: the number of orders that are not cancelled, and the total of those that are paid. */
export function selectDays(db: Db, days: readonly DaySpan[]): Promise<DayFigures[]> {
  return figuresOfDays(db, { days: JSON.stringify(days.map(({ start, before }) => quarter(start) + quarter(before))) });
}

/** The key of the quarter of an hour that begins at an instant, such as `2026-03-01T12:15`. */
function quarter(instant: string): string {
  return instant.slice(0, 16);
}

const figuresOfDays = statement<{ days: string }, DayFigures>((value, dialect) => {
  const sumOf = (column: string) => sql`(
    SELECT CAST(coalesce(sum(${sql.ref(column)}), 0) AS bigint) FROM order_quarters
    WHERE quarter >= substr(line, 1, 16) AND quarter < substr(line, 17))`;
  return sql`SELECT ${sumOf('revenue')} AS revenue, ${sumOf('orders')} AS orders FROM ${dialect.linesOf(value('days'))} ORDER BY position`;
});

/** The number of customers who came in a span of time. */
export async function countNewCustomers(db: Db, span: DaySpan): Promise<number> {
  const [row] = await newCustomers(db, span);
  return row?.n ?? 0;
}

const newCustomers = statement<DaySpan, { n: number }>(
  (value) => sql`SELECT count(*) AS n FROM customers WHERE created_at >= ${value('start')} AND created_at < ${value('before')}`,
);

export const selectTopProducts = statement<{ limit: number }, Insights['top_products'][number]>(
  (value) => sql`
    SELECT s.product_id, p.name, s.revenue, s.quantity FROM (
      SELECT product_id, revenue, quantity FROM product_sums
      WHERE quantity > 0 ORDER BY revenue DESC, product_id LIMIT ${value('limit')}) AS s
    JOIN products AS p ON p.id = s.product_id ORDER BY s.revenue DESC, s.product_id`,
);

export const selectTopCustomers = statement<{ limit: number }, Insights['top_customers'][number]>(
  (value) => sql`
    SELECT s.customer_id, c.name, c.email, s.spent AS total_spent, s.orders AS order_count FROM (
      SELECT customer_id, spent, orders FROM customer_sums
      WHERE sales > 0 ORDER BY spent DESC, customer_id LIMIT ${value('limit')}) AS s
    JOIN customers AS c ON c.id = s.customer_id ORDER BY s.spent DESC, s.customer_id`,
);

/** The number of customers with a sale, and of those with more than one. */
export async function countBuyers(db: Db): Promise<{ buyers: number; repeated: number }> {
  const [row] = await buyers(db, {});
  return row ?? { buyers: 0, repeated: 0 };
}

const buyers = statement<object, { buyers: number; repeated: number }, never>(
  () => sql`SELECT count(*) AS buyers, count(CASE WHEN sales >= 2 THEN 1 END) AS repeated FROM customer_sums WHERE sales > 0`,
);

/** Subscriptions that are charged now, grouped by interval and amount. */
export function selectCharged(db: Db): Promise<Charged[]> {
  return charged(db, {});
}

const charged = statement<object, Charged, never>(
  (_, dialect) => sql`
    SELECT billing_interval, billing_interval_count, unit_amount_cents * quantity AS amount, count(*) AS n
    FROM subscriptions ${dialect.indexedBy('subscriptions_charged')}
    WHERE status IN ('active', 'past_due') GROUP BY billing_interval, billing_interval_count, unit_amount_cents, quantity`,
);

export const selectCanceled = statement<{ limit: number }, Insights['recently_canceled'][number]>(
  (value, dialect) => sql`
    SELECT id, public_id, product_name, canceled_at FROM subscriptions ${dialect.indexedBy('subscriptions_canceled')}
    WHERE status = 'canceled' AND canceled_at IS NOT NULL ORDER BY canceled_at DESC, id DESC LIMIT ${value('limit')}`,
);

export function countSubscriptions(db: Db): Promise<{ status: SubscriptionStatus; n: number }[]> {
  return subscriptionCounts(db, {});
}

const subscriptionCounts = statement<object, { status: SubscriptionStatus; n: number }, never>(
  () => sql`SELECT status, count(*) AS n FROM subscriptions GROUP BY status`,
);

/** 1 where there is one: a product, a passkey of the caller, a second person who is active or invited, a task that people see. */
export type Beginnings = { product: 0 | 1; passkey: 0 | 1; person: 0 | 1; task: 0 | 1 };

export async function selectBeginnings(db: Db, asked: { now: string; adminId: number }): Promise<Beginnings> {
  const [row] = await beginnings(db, asked);
  if (!row) throw new Error('a query without FROM gave no row');
  return row;
}

const there = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`CAST(EXISTS (${rows}) AS integer)`;

const beginnings = statement<{ now: string; adminId: number }, Beginnings>(
  (value) => sql`
    SELECT
      ${there(sql`SELECT 1 FROM products`)} AS product,
      ${there(sql`SELECT 1 FROM passkeys WHERE admin_id = ${value('adminId')} AND deleted_at IS NULL`)} AS passkey,
      ${there(sql`SELECT 1 FROM admin_invitations WHERE expires_at > ${value('now')}
        UNION ALL SELECT 1 FROM admins WHERE active = 1 AND id > (SELECT min(id) FROM admins WHERE active = 1)`)} AS person,
      ${there(sql`SELECT 1 FROM tasks WHERE drafts_of IS NULL AND one_off = 0 AND deleted_at IS NULL`)} AS task`,
);
