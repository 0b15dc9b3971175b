/**
 * Tags large orders: an order of `amount` or more gets the internal status `status_name` (created where it is missing), and one
 * notification tells the admins of all that a run has tagged. It looks at the orders of the last `days` days that are not cancelled and have
 * no internal status yet. Give it a trigger on `order.created`, or a schedule such as every ten minutes.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './tag-large-orders.permissions.ts';

declare const admin: Script['admin'];
declare const notify: Script['notify'];

const LINES_MAX = 20;
type Large = { id: number; public_id: string; total: number; currency: string };
type Work = { statusId: number; orders: Large[]; left: number };

export default async function main() {
  const { statusId, orders, left } = await once('large orders', findLarge);
  let done = Number(last_checkpoint?.done ?? 0);
  let tagged = Number(last_checkpoint?.tagged ?? 0);
  while (done < orders.length) {
    const outcomes = await Promise.all(orders.slice(done, done + 10).map((order) => tag(order, statusId)));
    done += outcomes.length;
    tagged += outcomes.filter(Boolean).length;
    progress(done, orders.length, 'orders tagged');
    await checkpoint({ done, tagged });
  }
  if (tagged > 0) await once('notification', () => tell(orders, tagged));
  if (left > 0) log(`${left} more large orders are left for the next run`);
  return { large: orders.length + left, tagged, failed: orders.length - tagged, left };
}

async function tag({ id, public_id, total, currency }: Large, statusId: number): Promise<boolean> {
  try {
    await admin.orders.update_internal_status(id, { internal_status_id: statusId });
    result('tagged', public_id, { order_id: id, total: shop.money(total, currency) });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', public_id, { order_id: id, code: error.code });
    return false;
  }
}

function tell(orders: readonly Large[], tagged: number) {
  const lines = orders.slice(0, LINES_MAX).map(({ public_id, total, currency }) => `${public_id}: ${shop.money(total, currency)}`);
  if (orders.length > LINES_MAX) lines.push(`and ${orders.length - LINES_MAX} more`);
  return notify({ title: `Large orders: ${tagged}`, body: lines.join('\n'), link: '/orders' });
}

async function findLarge(): Promise<Work> {
  const created_to = String(parameters.as_of ?? shop.today());
  const created_from = Temporal.PlainDate.from(created_to)
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const asked = { created_from, created_to, total_min: String(parameters.amount), internal_status_id: 'none', sort: 'created_at' } as const;
  const large: Large[] = [];
  for await (const { id, public_id, status, total, currency } of admin.orders.each({ ...asked, per_page: 100 }))
    if (status !== 'cancelled') large.push({ id, public_id, total, currency });
  if (large.length === 0) return { statusId: 0, orders: [], left: 0 };
  const max = Number(parameters.max);
  return { statusId: await findStatus(String(parameters.status_name)), orders: large.slice(0, max), left: Math.max(0, large.length - max) };
}

async function findStatus(name: string): Promise<number> {
  const { data } = await admin.order_statuses.list({ search: name, per_page: 100 });
  const known = data.find((status) => status.name.toUpperCase() === name.toUpperCase());
  return known?.id ?? (await admin.order_statuses.create({ name, color: '#0b5cad' })).id;
}
