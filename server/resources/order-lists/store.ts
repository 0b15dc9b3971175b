import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type OrderRow, OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import type { Ctx } from '../../context.ts';
import type { Position, Reading } from '../../db/keyset.ts';
import type { Db } from '../../db/open.ts';
import { statement } from '../../db/statement.ts';
import { type OrderFilter, type Path, type Search, type StateCount, spanOf } from './rules.ts';

type At = Pick<Ctx, 'db' | 'dialect'>;

/** How many orders are in each state. */
export function selectStateCounts(db: Db): Promise<StateCount[]> {
  return stateCounts(db, {});
}

const stateCounts = statement<object, StateCount, never>(
  () => sql`
    SELECT is_test, status, payment_status, dated, CAST(sum(n) AS bigint) AS n FROM order_counts
    WHERE day = '' GROUP BY is_test, status, payment_status, dated`,
);

/** Orders in the filter's states and dates: whole days from the counts, the rest of a first or last day by index. */
export async function countInDates(at: At, filter: OrderFilter): Promise<number> {
  const span = spanOf(filter.createdFrom, filter.createdBefore);
  const days = [sql`day >= ${span.fromDay}`, ...(span.beforeDay === null ? [] : [sql`day < ${span.beforeDay}`])];
  const { rows } = await sql<{ n: number }>`
    SELECT CAST(coalesce(sum(n), 0) AS bigint) AS n FROM order_counts WHERE ${and([...days, ...states(filter)])}`.execute(at.db);
  let sum = rows[0]?.n ?? 0;
  for (const { from, before } of span.ends) {
    const end = { ...filter, createdFrom: from, createdBefore: before, totalMin: null, totalMax: null, search: '' };
    sum += await countOrders(at, end, { index: 'orders_by_created', search: 'each' });
  }
  return sum;
}

export async function countOrders(at: At, filter: OrderFilter, path: Path): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT CAST(count(*) AS bigint) AS n FROM orders ${at.dialect.indexedBy(path.index)}
    WHERE ${and([...states(filter), ...others(at, filter, path.search)])}`.execute(at.db);
  return rows[0]?.n ?? 0;
}

export async function countByDeliveryDate(at: At, filter: OrderFilter, from: string, to: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ delivery_date: string; n: number }>`
    SELECT delivery_date, CAST(count(*) AS bigint) AS n FROM orders ${at.dialect.indexedBy('orders_by_delivery_date')}
    WHERE ${and([...states(filter), sql`delivery_date >= ${from}`, sql`delivery_date <= ${to}`, ...others(at, filter, 'each')])}
    GROUP BY delivery_date`.execute(at.db);
  return new Map(rows.map(({ delivery_date, n }) => [delivery_date, n]));
}

/** Positions in the list's order, or from its end. A list of orders and of test orders is two, merged. */
export async function selectOrderKeys(
  at: At,
  filter: OrderFilter,
  { column, after, ...reading }: Reading,
  { path, offset, limit, fromEnd }: { path: Path; offset: number; limit: number; fromEnd: boolean },
): Promise<Position[]> {
  const descending = reading.descending !== fromEnd;
  const value = sql.ref(column.name);
  const direction = sql.raw(descending ? 'DESC' : 'ASC');
  const begin = after ? [sql`(${value}, id) ${sql.raw(descending ? '<' : '>')} (${after.value}, ${after.id})`] : [];
  const parts = filter.tests.map((test) => {
    const conditions = [...states({ ...filter, tests: [test] }), ...others(at, filter, path.search), ...begin];
    return sql`SELECT ${value} AS value, id FROM orders ${at.dialect.indexedBy(path.index)} WHERE ${and(conditions)}`;
  });
  const { rows } = await sql<Position>`${sql.join(parts, sql` UNION ALL `)}
    ORDER BY value ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}`.execute(at.db);
  return fromEnd ? rows.toReversed() : rows;
}

/** In no order. */
export async function selectOrderRows(db: Db, ids: readonly number[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<OrderRow, 'is_test'> & { is_test: number }>`
    SELECT id, status, payment_status, customer_name, customer_email, total, created_at, public_id, is_test, delivery_date,
      internal_status_id, customer_id, shipping_country, currency
    FROM orders WHERE id IN (${sql.join(ids)})`.execute(db);
  return rows.map((row) => ({ ...row, ...Statuses.parse(row), is_test: row.is_test === 1 }));
}

const Statuses = z.object({ status: OrderStatus, payment_status: PaymentStatus });

/** What orders and their counts both have. */
function states({ tests, status, paymentStatus, liveOnly }: OrderFilter): RawBuilder<unknown>[] {
  const [test, ...more] = tests;
  return [
    more.length > 0 ? sql`is_test IN (${sql.join(tests)})` : sql`is_test = ${test}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(paymentStatus === undefined ? [] : [sql`payment_status = ${paymentStatus}`]),
    ...(liveOnly ? [sql`status <> 'cancelled'`, sql`payment_status <> 'refunded'`] : []),
  ];
}

function others({ dialect }: At, filter: OrderFilter, search: Search): RawBuilder<unknown>[] {
  const { undated, createdFrom, createdBefore, totalMin, totalMax } = filter;
  return [
    ...(undated ? [sql`delivery_date IS NULL`] : []),
    ...(createdFrom === null ? [] : [sql`created_at >= ${createdFrom}`]),
    ...(createdBefore === null ? [] : [sql`created_at < ${createdBefore}`]),
    ...(totalMin === null ? [] : [sql`total >= ${totalMin}`]),
    ...(totalMax === null ? [] : [sql`total <= ${totalMax}`]),
    ...(filter.search === '' ? [] : [searched(dialect, filter.search, search)]),
  ];
}

function searched(dialect: Ctx['dialect'], text: string, search: Search): RawBuilder<unknown> {
  if (dialect.orderBuyers && search !== 'each') return dialect.orderBuyers.have(text, search === 'few');
  const [name, email] = [dialect.contains(sql.ref('customer_name_folded'), text), dialect.contains(sql.ref('customer_email_folded'), text)];
  return sql`(${name} OR ${email})`;
}

function and(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `);
}
