import { type RawBuilder, sql } from 'kysely';
import type { OrderRow } from '../../../contract/orders.ts';
import type { At, Db } from '../../db/open.ts';
import { idRows } from '../../db/queries/about.ts';
import { type Changes, changedIn, type Walk } from '../../db/queries/change-cursors.ts';
import type { Position, Reading } from '../../db/queries/keyset.ts';
import { hasBuyer } from '../../db/queries/order-buyers.ts';
import { type AttentionTimes, attentionCount, needsAttention, needsSending } from '../../db/queries/order-needs.ts';
import { contactsHold, idsByNumbers, idsByPublicId, ofOrders } from '../../db/queries/order-words.ts';
import { byKey, statement } from '../../db/queries/statement.ts';
import { asText, type Sought } from '../../values/words.ts';
import type { Ctx } from '../../verbs/context.ts';
import {
  anything,
  isUnfiltered,
  type OrderFilter,
  type OrderNumber,
  type QueryPlan,
  type Search,
  type StateCount,
  soughtBy,
  spanOf,
} from './rules.ts';

/**
 * The number of orders in each state within the filter's dates: from the kept counts, and by counting orders for the partial
 * first and last day.
 */
export async function selectStateCounts({ db, dialect }: At, { tests, createdFrom, createdBefore }: OrderFilter): Promise<StateCount[]> {
  if (createdFrom === null && createdBefore === null) return allStateCounts(db, {});
  const span = spanOf(createdFrom, createdBefore);
  const parts = [
    ...span.counted.map(
      ({ from, before }) => sql`
        SELECT is_test, status, payment_status, dated, n FROM order_counts WHERE day >= ${from} AND day < ${before}`,
    ),
    ...span.ends.map(
      ({ from, before }) => sql`
        SELECT is_test, status, payment_status, CASE WHEN delivery_date IS NULL THEN 0 ELSE 1 END AS dated, 1 AS n
        FROM orders ${dialect.indexedBy('orders_by_created')}
        WHERE is_test IN (${sql.join(tests)}) AND created_at >= ${from} AND created_at < ${before}`,
    ),
  ];
  if (parts.length === 0) return [];
  const { rows } = await sql<StateCount>`
    SELECT is_test, status, payment_status, dated, CAST(sum(n) AS bigint) AS n FROM (${sql.join(parts, sql` UNION ALL `)}) AS counts
    GROUP BY is_test, status, payment_status, dated`.execute(db);
  return rows;
}

const allStateCounts = statement<object, StateCount, never>(
  () => sql`
    SELECT is_test, status, payment_status, dated, CAST(sum(n) AS bigint) AS n FROM order_counts
    WHERE day = '' GROUP BY is_test, status, payment_status, dated`,
);

/** Counts the orders of a range of keys in `order_part_counts`: in any state (`entries`) and in the filter's states (`fitting`). */
export async function countPart(
  db: Db,
  filter: OrderFilter,
  { from, to }: { from: string; to: string },
): Promise<{ entries: number; fitting: number }> {
  const { rows } = await sql<{ entries: number; fitting: number }>`
    SELECT CAST(coalesce(sum(n), 0) AS bigint) AS entries,
      CAST(coalesce(sum(CASE WHEN ${and(states(filter))} THEN n ELSE 0 END), 0) AS bigint) AS fitting
    FROM order_part_counts WHERE part >= ${from} AND part <= ${to} AND ${and(states({ ...anything, tests: filter.tests }))}`.execute(db);
  return rows[0] ?? { entries: 0, fitting: 0 };
}

export async function countOrders(at: At, filter: OrderFilter, plan: QueryPlan): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT CAST(count(*) AS bigint) AS n FROM orders ${at.dialect.indexedBy(plan.index)}
    WHERE ${and([...states(filter), ...others(at, filter, plan.search)])}`.execute(at.db);
  return rows[0]?.n ?? 0;
}

export async function countByDeliveryDate(
  at: At,
  filter: OrderFilter,
  plan: QueryPlan,
  from: string,
  to: string,
): Promise<Map<string, number>> {
  const dates = sql`delivery_date >= ${from} AND delivery_date <= ${to}`;
  const { rows } = await sql<{ delivery_date: string; n: number }>`
    SELECT delivery_date, CAST(count(*) AS bigint) AS n FROM orders ${at.dialect.indexedBy(plan.index)}
    WHERE ${and([...states(filter), dates, ...others(at, filter, plan.search)])}
    GROUP BY delivery_date`.execute(at.db);
  return new Map(rows.map(({ delivery_date, n }) => [delivery_date, n]));
}

export type Window = {
  plan: QueryPlan;
  offset: number;
  limit: number;
  /** The offset counts from the list's end. */
  fromEnd: boolean;
  /** Reads at most `most` entries along the index for the conditions in `of`, and applies the full filter to those. */
  walk?: { of: OrderFilter; most: number } | undefined;
};

/** Positions in the list's order. A list with both real and test orders merges two reads, since the indexes begin with `is_test`. */
export async function selectOrderKeys(
  at: At,
  filter: OrderFilter,
  { column, after, ...reading }: Reading,
  { plan, offset, limit, fromEnd, walk }: Window,
): Promise<Position[]> {
  const descending = reading.descending !== fromEnd;
  const [test] = filter.tests;
  if (isUnfiltered(filter) && filter.tests.length === 1 && test !== undefined && plan.index !== null && !after && !walk) {
    const rows = await allKeys(`${plan.index} ${column.name} ${descending ? 'DESC' : 'ASC'}`)(at.db, { test, limit, offset });
    return fromEnd ? rows.toReversed() : rows;
  }
  const value = sql.ref(column.name);
  const direction = sql.raw(descending ? 'DESC' : 'ASC');
  const past = after ? [sql`(${value}, id) ${sql.raw(descending ? '<' : '>')} (${after.value}, ${after.id})`] : [];
  const order = sql`ORDER BY value ${direction}, id ${direction}`;
  const select = (of: OrderFilter, columns: RawBuilder<unknown>, most: number) => {
    const parts = of.tests.map((test) => {
      const conditions = [...states({ ...of, tests: [test] }), ...others(at, of, plan.search), ...past];
      const found = sql`SELECT ${columns} FROM orders ${at.dialect.indexedBy(plan.index)} WHERE ${and(conditions)}`;
      const part = plan.search === 'each' ? found : at.dialect.gathered(found);
      return of.tests.length > 1 ? at.dialect.orderedPart(part, order, most) : part;
    });
    return sql.join(parts, sql` UNION ALL `);
  };
  const key = sql`${value} AS value, id`;
  const found = walk
    ? sql`
      SELECT value, id FROM (${select(walk.of, sql`${key}, ${askedColumns(filter)}`, walk.most)} ${order} LIMIT ${walk.most}) AS walked
      WHERE ${and([...states(filter), ...others(at, filter, plan.search)])}`
    : select(filter, key, offset + limit);
  const { rows } = await sql<Position>`${found} ${order} LIMIT ${limit} OFFSET ${offset}`.execute(at.db);
  return fromEnd ? rows.toReversed() : rows;
}

/** The statement for a page of all orders, by its index, column and direction. */
const allKeys = byKey((by: string) => {
  const [index = '', column = '', direction = ''] = by.split(' ');
  const value = sql.ref(column);
  const to = sql.raw(direction);
  return statement<{ test: 0 | 1; limit: number; offset: number }, Position>(
    (given, dialect) => sql`
      SELECT ${value} AS value, id FROM orders ${dialect.indexedBy(index)} WHERE is_test = ${given('test')}
      ORDER BY value ${to}, id ${to} LIMIT ${given('limit')} OFFSET ${given('offset')}`,
  );
});

/** The columns that a filter compares, except `id`. Only a search includes those of the buyer, because few indexes contain them. */
function askedColumns(filter: OrderFilter): RawBuilder<unknown> {
  const inIndexes = sql`is_test, status, payment_status, created_at, total, delivery_date, internal_status_id, paid_amount`;
  const { sought, updatedSince, needs } = filter;
  const firstPaid = needs?.of === 'attention' ? sql`, first_paid_at` : sql``;
  const texts = soughtBy(filter).length === 0 ? sql`` : sql`, customer_name_folded, customer_email_folded`;
  const phone = sought.length === 0 ? sql`` : sql`, phone_digits`;
  return sql`${inIndexes}${firstPaid}${texts}${phone}${updatedSince === null ? sql`` : sql`, updated_at`}`;
}

/** The orders that match, in the order of change. */
export function orderChanges(at: At, filter: OrderFilter, countAll: () => Promise<number>): Changes<OrderRow> {
  const within = (walk: Walk) => sql`
    FROM orders ${at.dialect.indexedBy('orders_by_change')}
    WHERE ${and([...changedIn(at, walk), ...states(filter), ...others(at, filter, 'each')])}`;
  return {
    async keys(walk, limit) {
      const { rows } = await sql<Position>`
        SELECT changed_in AS value, id ${within(walk)} ORDER BY changed_in, id LIMIT ${limit}`.execute(at.db);
      return rows;
    },
    async count(walk) {
      const { rows } = await sql<{ n: number }>`SELECT CAST(count(*) AS bigint) AS n ${within(walk)}`.execute(at.db);
      return rows[0]?.n ?? 0;
    },
    countAll,
    rows: (ids) => selectOrderRows(at.db, ids),
  };
}

/** How many orders changed since a time, at most `most`. */
export async function countUpdated({ db, dialect }: At, { tests, updatedSince }: OrderFilter, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT CAST(count(*) AS bigint) AS n FROM (
      SELECT 1 FROM orders ${dialect.indexedBy('orders_by_updated')}
      WHERE is_test IN (${sql.join(tests)}) AND updated_at >= ${updatedSince} LIMIT ${most}) AS updated`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The order of the rows is not defined. */
export async function selectOrderRows(db: Db, ids: readonly number[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf(ids.length)(db, ids);
  return rows.map((row) => ({ ...row, is_test: row.is_test === 1 }));
}

/** The statement for so many ids; a page has at most some hundred. */
const rowsOf = byKey((count: number) => {
  const places = Array.from({ length: count }, (_, place) => place);
  return statement<readonly number[], Omit<OrderRow, 'is_test'> & { is_test: number }, number>(
    (value) => sql`
      SELECT id, status, payment_status, customer_name, customer_email, total, created_at, updated_at, public_id, is_test, delivery_date,
        internal_status_id, customer_id, shipping_country, currency
      FROM orders WHERE id IN (${sql.join(places.map(value))})`,
  );
});

/** Conditions on columns that orders and their kept counts both have. */
function states({ tests, status, paymentStatus, liveOnly, needs }: OrderFilter): RawBuilder<unknown>[] {
  const [test, ...more] = tests;
  return [
    more.length > 0 ? sql`is_test IN (${sql.join(tests)})` : sql`is_test = ${test}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(paymentStatus === undefined ? [] : [sql`payment_status = ${paymentStatus}`]),
    ...(needs === null ? [] : [needsSending]),
    ...(liveOnly ? [sql`status <> 'cancelled'`, sql`payment_status <> 'refunded'`] : []),
  ];
}

function others({ dialect }: At, filter: OrderFilter, search: Search): RawBuilder<unknown>[] {
  const { undated, createdFrom, createdBefore, updatedSince, totalMin, totalMax, customerId, internalStatus, deliveryFrom, deliveryTo } =
    filter;
  return [
    ...(filter.number === null ? [] : [sql`id IN (${numbered(filter.number)})`]),
    ...(filter.among === null ? [] : [sql`id IN ${idRows(dialect, filter.among.ids)}`]),
    ...(filter.needs?.of === 'attention' ? [needsAttention(boundTimes(filter.needs))] : []),
    ...(filter.paymentProgress === null ? [] : [sql`${progress} = ${filter.paymentProgress}`]),
    ...(customerId === null ? [] : [sql`customer_id = ${customerId}`]),
    ...(internalStatus === null
      ? []
      : [internalStatus === 'none' ? sql`internal_status_id IS NULL` : sql`internal_status_id = ${internalStatus}`]),
    ...(deliveryFrom === null ? [] : [sql`delivery_date >= ${deliveryFrom}`]),
    ...(deliveryTo === null ? [] : [sql`delivery_date <= ${deliveryTo}`]),
    ...(undated ? [sql`delivery_date IS NULL`] : []),
    ...(createdFrom === null ? [] : [sql`created_at >= ${createdFrom}`]),
    ...(createdBefore === null ? [] : [sql`created_at < ${createdBefore}`]),
    ...(updatedSince === null ? [] : [sql`updated_at >= ${updatedSince}`]),
    ...(totalMin === null ? [] : [sql`total >= ${totalMin}`]),
    ...(totalMax === null ? [] : [sql`total <= ${totalMax}`]),
    ...(soughtBy(filter).length === 0 ? [] : [searched(dialect, filter, search)]),
  ];
}

const boundTimes = ({ today, paidBefore }: AttentionTimes) => ({ today: sql`${today}`, paidBefore: sql`${paidBefore}` });

/** The number of real orders that need attention: the dashboard's own. */
export async function countAttention({ db, dialect }: At, times: AttentionTimes): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT CAST(${attentionCount(dialect, boundTimes(times))} AS bigint) AS n`.execute(db);
  return rows[0]?.n ?? 0;
}

/** How much of an order is paid, in the same words as its index; `payment` of the orders' rules says the same. */
const paid = sql`coalesce(paid_amount, CASE WHEN payment_status = 'paid' THEN total ELSE 0 END)`;
const progress = sql`CASE WHEN ${paid} > total THEN 'overpaid' WHEN ${paid} = total THEN 'paid'
  WHEN ${paid} > 0 THEN 'partial' ELSE 'unpaid' END`;

/** The ids of the orders with a number. */
function numbered({ prefix, id }: OrderNumber): RawBuilder<unknown> {
  const parts = [
    ...(prefix === null ? [] : [idsByPublicId(prefix)]),
    ...(id === null ? [] : [sql`SELECT id FROM orders WHERE id = ${id}`]),
  ];
  return sql.join(parts, sql` UNION ALL `);
}

/** Only `each` finds the orders of `besides`, too. */
function searched(dialect: Ctx['dialect'], filter: OrderFilter, search: Search): RawBuilder<unknown> {
  if (search !== 'each') return hasBuyer(dialect, soughtBy(filter), search);
  if (filter.besides.length === 0) return contactsHold(dialect, ofOrders, soughtBy(filter));
  const words = sql`(${contactsHold(dialect, ofOrders, filter.sought)} OR id IN ${idRows(dialect, filter.besides)})`;
  return filter.search === '' ? words : and([contactsHold(dialect, ofOrders, [asText(filter.search)]), words]);
}

/** The ids of the orders that have all that is sought only because a word is their number. */
export async function selectNumbered({ db, dialect }: At, sought: readonly Sought[]): Promise<number[]> {
  const numbered = idsByNumbers(dialect, sought);
  if (numbered === null) return [];
  const { rows } = await sql<{ id: number }>`${numbered}`.execute(db);
  return rows.map(({ id }) => id);
}

function and(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `);
}
