/**
 * Cancels unpaid orders: an order whose payment is pending or failed is cancelled `days` days after it was made, the oldest
 * first, at most `max` per run; its goods go back into the stock. Each order is read again right before it is cancelled.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './cancel-unpaid-orders.permissions.ts';

declare const admin: Script['admin'];

const DAY_MS = 86_400_000;
type Work = { ids: number[]; left: number };
type Tally = { cancelled: number; cents: number };

export default async function main() {
  const { ids, left } = await once('unpaid orders', findUnpaid);
  let done = Number(last_checkpoint?.done ?? 0);
  const tally: Tally = { cancelled: Number(last_checkpoint?.cancelled ?? 0), cents: Number(last_checkpoint?.cents ?? 0) };
  while (done < ids.length) {
    const batch = ids.slice(done, done + 5);
    await Promise.all(batch.map((id) => cancel(id, tally)));
    done += batch.length;
    progress(done, ids.length, 'unpaid orders');
    await checkpoint({ done, ...tally });
  }
  if (left > 0) log(`${left} more unpaid orders are left for the next run`);
  return {
    unpaid: ids.length + left,
    cancelled: tally.cancelled,
    cancelled_cents: tally.cents,
    skipped: ids.length - tally.cancelled,
    left,
  };
}

async function cancel(id: number, tally: Tally): Promise<void> {
  try {
    const order = await admin.orders.get(id);
    if (order.status !== 'pending' || !isUnpaid(order)) return result('skipped', order.public_id, { order_id: id, status: order.status });
    await admin.orders.update_status(id, { status: 'cancelled' });
    tally.cancelled += 1;
    tally.cents += order.total;
    result('cancelled', order.public_id, {
      order_id: id,
      total: shop.money(order.total, order.currency),
      ordered: shop.day(order.created_at),
    });
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', String(id), { order_id: id, code: error.code });
  }
}

async function findUnpaid(): Promise<Work> {
  const latest = latestTime(Number(parameters.days));
  const ids: number[] = [];
  for await (const order of admin.orders.each({ status: 'pending', created_to: shop.day(latest), sort: 'created_at', per_page: 100 })) {
    if (isUnpaid(order) && Date.parse(order.created_at) <= latest) ids.push(order.id);
  }
  return { ids: ids.slice(0, Number(parameters.max)), left: Math.max(0, ids.length - Number(parameters.max)) };
}

const isUnpaid = (order: { payment_status: string }): boolean => ['pending', 'failed'].includes(order.payment_status);

/** Until when an order must have been made: 24 hours ago for each day; with a reference day, until the end of the day so many before it. */
function latestTime(days: number): number {
  if (!parameters.as_of) return Date.now() - days * DAY_MS;
  const day = Temporal.PlainDate.from(String(parameters.as_of)).subtract({ days: Math.ceil(days) - 1 });
  return day.toZonedDateTime(shop.timezone).epochMilliseconds - 1;
}
