/**
 * Tags late orders: an order that is not sent yet gets the internal status `status_name` (created where it is missing) once its
 * delivery date has passed or, where it has none, `days` days after it was made. Orders whose payment failed or was refunded
 * are left out; another internal status is replaced only with `replace`.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './tag-late-orders.permissions.ts';

declare const admin: Script['admin'];

const DAY_MS = 86_400_000;
type Work = { statusId: number; orders: { id: number; public_id: string }[]; left: number };

export default async function main() {
  const { statusId, orders, left } = await once('late orders', findLate);
  let done = Number(last_checkpoint?.done ?? 0);
  let tagged = Number(last_checkpoint?.tagged ?? 0);
  while (done < orders.length) {
    const outcomes = await Promise.all(orders.slice(done, done + 10).map((order) => tag(order, statusId)));
    done += outcomes.length;
    tagged += outcomes.filter(Boolean).length;
    progress(done, orders.length, 'orders tagged');
    await checkpoint({ done, tagged });
  }
  if (left > 0) log(`${left} more late orders are left for the next run`);
  return { late: orders.length + left, tagged, failed: orders.length - tagged, left };
}

async function tag(order: Work['orders'][number], statusId: number): Promise<boolean> {
  try {
    await admin.orders.update_internal_status(order.id, { internal_status_id: statusId });
    result('tagged', order.public_id, { order_id: order.id });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', order.public_id, { order_id: order.id, code: error.code });
    return false;
  }
}

async function findLate(): Promise<Work> {
  const today = String(parameters.as_of ?? shop.today());
  const latest = latestTime(Number(parameters.days));
  const statusId = await findStatus(String(parameters.status_name));
  const late: Work['orders'] = [];
  for (const status of ['pending', 'processing'] as const) {
    for await (const order of admin.orders.each({ status, created_to: today, sort: 'created_at', per_page: 100 })) {
      const isLate = order.delivery_date === null ? Date.parse(order.created_at) <= latest : order.delivery_date < today;
      const isOwed = order.payment_status !== 'failed' && order.payment_status !== 'refunded';
      const isFree = order.internal_status_id === null || (parameters.replace === true && order.internal_status_id !== statusId);
      if (isLate && isOwed && isFree) late.push({ id: order.id, public_id: order.public_id });
    }
  }
  return { statusId, orders: late.slice(0, Number(parameters.max)), left: Math.max(0, late.length - Number(parameters.max)) };
}

async function findStatus(name: string): Promise<number> {
  const { data } = await admin.order_statuses.list({ search: name, per_page: 100 });
  const known = data.find((status) => status.name.toUpperCase() === name.toUpperCase());
  if (known) return known.id;
  return (await admin.order_statuses.create({ name, color: '#d9480f' })).id;
}

/** Until when an order must have been made: 24 hours ago for each day; with a reference day, until the end of the day so many before it. */
function latestTime(days: number): number {
  if (!parameters.as_of) return Date.now() - days * DAY_MS;
  const day = Temporal.PlainDate.from(String(parameters.as_of)).subtract({ days: Math.ceil(days) - 1 });
  return day.toZonedDateTime(shop.timezone).epochMilliseconds - 1;
}
