import { type RawBuilder, sql } from 'kysely';
import { unsentStatuses } from '../../../contract/orders.ts';
import { dayIn } from '../../values/dates.ts';
import type { Dialect } from '../dialect.ts';

/** What orders need of somebody. Figures, lists and calendars share these conditions, so that they always find the same orders. */

/** A paid order that is not sent after this time needs attention (spec DA2). */
const WAITED_MS = 24 * 3_600_000;

/** `today` is a day in the shop's time zone. An order that was paid before `paidBefore` has waited too long. */
export type AttentionTimes = { today: string; paidBefore: string };

export function attentionTimes(now: string, timezone: string): AttentionTimes {
  return { today: dayIn(now, timezone), paidBefore: new Date(Date.parse(now) - WAITED_MS).toISOString() };
}

type Times = { [Name in keyof AttentionTimes]: RawBuilder<unknown> };

/** Not sent yet, and not cancelled. The indexes `orders_to_send`, `orders_unsent` and `orders_late` have the same words. */
export const needsSending = sql<boolean>`status IN (${sql.join(unsentStatuses.map((status) => sql.lit(status)))})`;

const waitsSincePaid = ({ paidBefore }: Times) =>
  sql<boolean>`payment_status = 'paid' AND coalesce(first_paid_at, created_at) < ${paidBefore}`;
const isOverdue = ({ today }: Times) => sql<boolean>`delivery_date < ${today}`;

/** Whether an order that needs sending also needs attention. */
export function needsAttention(times: Times): RawBuilder<boolean> {
  return sql<boolean>`((${waitsSincePaid(times)}) OR ${isOverdue(times)})`;
}

/** The number of real orders that need attention, read from the entries of two indexes that are these orders and few others. */
export function attentionCount(dialect: Dialect, times: Times): RawBuilder<number> {
  const real = sql`is_test = 0 AND ${needsSending}`;
  return sql<number>`(
    (SELECT count(*) FROM orders ${dialect.indexedBy('orders_unsent')} WHERE ${real} AND ${waitsSincePaid(times)}) +
    (SELECT count(*) FROM orders ${dialect.indexedBy('orders_late')}
      WHERE ${real} AND ${isOverdue(times)} AND NOT (${waitsSincePaid(times)})))`;
}
