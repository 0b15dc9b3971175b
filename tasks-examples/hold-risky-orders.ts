/**
 * Holds risky orders: an order of the last `days` days that is not sent yet gets the internal status `status_name` (created where it is
 * missing) where one of these holds: its total is `amount` or more and it is its customer's first; it is billed to another country than it
 * is sent to; its address on the internet has sent `orders_max` orders or more of these days. It asks no other service. An order that has
 * an internal status is left to the people who gave it. Give it a schedule such as every ten minutes.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './hold-risky-orders.permissions.ts';

declare const admin: Script['admin'];

type Risky = { id: number; public_id: string; reasons: string[] };
type Work = { looked_at: number; statusId: number; risky: Risky[]; left: number };
type Order = Awaited<ReturnType<typeof admin.orders.get>>;

export default async function main() {
  const { looked_at, statusId, risky, left } = await once('risky orders', findRisky);
  let done = Number(last_checkpoint?.done ?? 0);
  let held = Number(last_checkpoint?.held ?? 0);
  while (done < risky.length) {
    const outcomes = await Promise.all(risky.slice(done, done + 10).map((order) => hold(order, statusId)));
    done += outcomes.length;
    held += outcomes.filter(Boolean).length;
    await checkpoint({ done, held });
  }
  log(`${looked_at} orders looked at, ${held} held`);
  return { looked_at, risky: risky.length + left, held, left };
}

async function hold({ id, public_id, reasons }: Risky, statusId: number): Promise<boolean> {
  try {
    await admin.orders.update_internal_status(id, { internal_status_id: statusId });
    result('held', public_id, { order_id: id, reasons });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', public_id, { order_id: id, code: error.code });
    return false;
  }
}

async function findRisky(): Promise<Work> {
  const orders = await readOrders();
  const times = new Map<string, number>();
  for (const { ip_address: ip } of orders) if (ip !== '') times.set(ip, (times.get(ip) ?? 0) + 1);
  const risky: Risky[] = [];
  for (const order of orders) {
    const reasons = await reasonsOf(order, times.get(order.ip_address) ?? 0);
    if (reasons.length > 0) risky.push({ id: order.id, public_id: order.public_id, reasons });
  }
  const max = Number(parameters.max);
  const statusId = risky.length === 0 ? 0 : await findStatus(String(parameters.status_name));
  return { looked_at: orders.length, statusId, risky: risky.slice(0, max), left: Math.max(0, risky.length - max) };
}

async function reasonsOf(order: Order, timesOfAddress: number): Promise<string[]> {
  const { total, currency, customer_id, billing_address, shipping_country } = order;
  const reasons: string[] = [];
  if (currency === shop.currency && total >= shop.cents(String(parameters.amount))) {
    const bought = customer_id === null ? 1 : (await admin.customers.get(customer_id)).order_count;
    if (bought <= 1) reasons.push('large first order');
  }
  const billed = billing_address?.country ?? '';
  if (billed !== '' && shipping_country !== '' && billed !== shipping_country) reasons.push('billed to another country');
  if (timesOfAddress >= Number(parameters.orders_max)) reasons.push('many orders from one address on the internet');
  return reasons;
}

async function readOrders(): Promise<Order[]> {
  const created_to = String(parameters.as_of ?? shop.today());
  const created_from = Temporal.PlainDate.from(created_to)
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const ids: number[] = [];
  for (const status of ['pending', 'processing'] as const) {
    const asked = { status, internal_status_id: 'none', created_from, created_to, sort: 'created_at', per_page: 100 } as const;
    for await (const { id } of admin.orders.each(asked)) ids.push(id);
  }
  const orders: Order[] = [];
  for (let from = 0; from < ids.length; from += 10) {
    orders.push(...(await Promise.all(ids.slice(from, from + 10).map((id) => admin.orders.get(id)))));
    progress(orders.length, ids.length, 'orders looked at');
  }
  return orders;
}

async function findStatus(name: string): Promise<number> {
  const { data } = await admin.order_statuses.list({ search: name, per_page: 100 });
  const known = data.find((status) => status.name.toUpperCase() === name.toUpperCase());
  return known?.id ?? (await admin.order_statuses.create({ name, color: '#b0231b' })).id;
}
