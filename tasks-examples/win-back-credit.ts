/**
 * Grants win-back credit: customers who have bought, but not in the `days` days before `as_of`, get `credits` store credit, at
 * most `max` customers per run, those with the latest purchase first. A customer gets it only once after a purchase. Each customer who
 * had it costs a call at every run, so the task may make more calls than usual.
 */
import { checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './win-back-credit.permissions.ts';

declare const admin: Script['admin'];

const NOTE = 'We miss you: win-back credit';
type Absent = { id: number; name: string; last: string };

export default async function main() {
  const absent = await once('absent customers', findAbsent);
  const max = Number(parameters.max);
  let done = Number(last_checkpoint?.done ?? 0);
  let granted = Number(last_checkpoint?.granted ?? 0);
  if (done === 0) log(`${absent.length} customers have not come back in ${String(parameters.days)} days`);
  while (done < absent.length && granted < max) {
    const outcomes = await Promise.all(absent.slice(done, done + Math.min(10, max - granted)).map(grant));
    done += outcomes.length;
    granted += outcomes.filter(Boolean).length;
    progress(done, absent.length, 'customers looked at');
    await checkpoint({ done, granted });
  }
  return { absent: absent.length, granted, had_it: done - granted, left: absent.length - done };
}

async function grant({ id, name, last }: Absent): Promise<boolean> {
  const { transactions } = await admin.customers.list_credit_transactions(id, { limit: 200 });
  if (transactions.some(({ note, created_at }) => note === NOTE && created_at > last)) return false;
  const expires_in_days = Number(parameters.expires_in_days);
  const { credits } = await admin.customers.adjust_credits(id, { delta: Number(parameters.credits), expires_in_days, note: NOTE });
  result('granted', name, { customer_id: id, last_order: shop.day(last), balance: credits });
  return true;
}

async function findAbsent(): Promise<Absent[]> {
  const today = String(parameters.as_of ?? shop.today());
  const since = Temporal.PlainDate.from(today)
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const lastOrders = new Map<number, string>();
  let read = 0;
  let cursor: string | undefined;
  do {
    const page = await admin.orders.list({ created_to: today, sort: 'created_at', per_page: 100, cursor });
    for (const order of page.data) {
      if (order.status !== 'cancelled' && order.customer_id !== null) lastOrders.set(order.customer_id, order.created_at);
    }
    read += page.data.length;
    progress(read, page.total, 'orders read');
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  const absent: Absent[] = [];
  for await (const { id, name } of admin.customers.each({ sort: 'created_at', per_page: 100 })) {
    const last = lastOrders.get(id);
    if (last !== undefined && shop.day(last) < since) absent.push({ id, name, last });
  }
  return absent.sort((a, b) => (a.last < b.last ? 1 : -1));
}
