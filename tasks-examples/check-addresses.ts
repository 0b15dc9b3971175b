/**
 * Checks addresses: an order that is not sent yet, is sent by a shipping method and has no internal status gets `status_name` (created where
 * it is missing) where its address lacks a street, a number of the house, a city or a postal code, or where the postal code is none of its
 * country. It looks at the orders of the last `days` days. Countries that are not in `PATTERNS` may have any postal code, or none.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './check-addresses.permissions.ts';

declare const admin: Script['admin'];

const PATTERNS: Record<string, RegExp> = {
  AT: /^\d{4}$/,
  BE: /^\d{4}$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
  CH: /^\d{4}$/,
  CZ: /^\d{3} ?\d{2}$/,
  DE: /^\d{5}$/,
  DK: /^\d{4}$/,
  ES: /^\d{5}$/,
  FR: /^\d{5}$/,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
  HU: /^\d{4}$/,
  IT: /^\d{5}$/,
  NL: /^\d{4} ?[A-Z]{2}$/i,
  PL: /^\d{2}-\d{3}$/,
  SE: /^\d{3} ?\d{2}$/,
  US: /^\d{5}(?:-\d{4})?$/,
};
type Order = Awaited<ReturnType<typeof admin.orders.get>>;
type Doubtful = { id: number; public_id: string; faults: string[] };
type Work = { checked: number; statusId: number; doubtful: Doubtful[]; left: number };

export default async function main() {
  const { checked, statusId, doubtful, left } = await once('doubtful addresses', findDoubtful);
  let done = Number(last_checkpoint?.done ?? 0);
  let marked = Number(last_checkpoint?.marked ?? 0);
  while (done < doubtful.length) {
    const outcomes = await Promise.all(doubtful.slice(done, done + 10).map((order) => mark(order, statusId)));
    done += outcomes.length;
    marked += outcomes.filter(Boolean).length;
    await checkpoint({ done, marked });
  }
  log(`${checked} addresses checked, ${marked} orders marked`);
  return { checked, doubtful: doubtful.length + left, marked, left };
}

async function mark({ id, public_id, faults }: Doubtful, statusId: number): Promise<boolean> {
  try {
    await admin.orders.update_internal_status(id, { internal_status_id: statusId });
    result('marked', public_id, { order_id: id, faults });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', public_id, { order_id: id, code: error.code });
    return false;
  }
}

async function findDoubtful(): Promise<Work> {
  const ids = await readIds();
  const doubtful: Doubtful[] = [];
  let checked = 0;
  for (let from = 0; from < ids.length; from += 10) {
    const orders = await Promise.all(ids.slice(from, from + 10).map((id) => admin.orders.get(id)));
    const sent = orders.filter(({ shipping_method, pickup_location_id }) => shipping_method !== '' && pickup_location_id === null);
    checked += sent.length;
    for (const order of sent) {
      const faults = faultsOf(order);
      if (faults.length > 0) doubtful.push({ id: order.id, public_id: order.public_id, faults });
    }
    progress(Math.min(from + 10, ids.length), ids.length, 'orders looked at');
  }
  const max = Number(parameters.max);
  const statusId = doubtful.length === 0 ? 0 : await findStatus(String(parameters.status_name));
  return { checked, statusId, doubtful: doubtful.slice(0, max), left: Math.max(0, doubtful.length - max) };
}

function faultsOf(order: Order): string[] {
  const street = `${order.shipping_line1} ${order.shipping_line2}`.trim();
  const code = order.shipping_postal_code.trim();
  const pattern = PATTERNS[order.shipping_country];
  return [
    street === '' ? 'no street' : '',
    street !== '' && !/\d/.test(street) ? 'no number of the house' : '',
    order.shipping_city.trim() === '' ? 'no city' : '',
    pattern && !pattern.test(code) ? `postal code of no ${order.shipping_country} form` : '',
  ].filter(Boolean);
}

async function readIds(): Promise<number[]> {
  const created_to = String(parameters.as_of ?? shop.today());
  const created_from = Temporal.PlainDate.from(created_to)
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const ids: number[] = [];
  for (const status of ['pending', 'processing'] as const) {
    const asked = { status, internal_status_id: 'none', created_from, created_to, sort: 'created_at', per_page: 100 } as const;
    for await (const { id } of admin.orders.each(asked)) ids.push(id);
  }
  return ids;
}

async function findStatus(name: string): Promise<number> {
  const { data } = await admin.order_statuses.list({ search: name, per_page: 100 });
  const known = data.find((status) => status.name.toUpperCase() === name.toUpperCase());
  return known?.id ?? (await admin.order_statuses.create({ name, color: '#7d4a00' })).id;
}
