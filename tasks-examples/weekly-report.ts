/**
 * Mails the figures of the last full week, Monday to Sunday, to admins of the shop. Give it a schedule such as `0 7 * * MON`. A week is
 * reported once, however often the task runs: its state remembers the last one.
 */
import { log, parameters, shop, state } from 'backroom';
import type { Script } from './weekly-report.permissions.ts';

declare const admin: Script['admin'];
declare const mail: Script['mail'];

type Days = { created_from: string; created_to: string };

export default async function main() {
  const week = lastWeek(String(parameters.as_of ?? shop.today()));
  const reported = await state.get<string>('reported');
  if (reported !== null && reported >= week.created_from) {
    log(`the week from ${week.created_from} was reported before`);
    return { week: week.created_from, mailed: 0 };
  }
  const to = String(parameters.to)
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  const { mails } = await mail({ to, subject: `The week from ${week.created_from} to ${week.created_to}`, text: await reportOf(week) });
  await state.set('reported', week.created_from);
  return { week: week.created_from, mailed: mails.length };
}

async function reportOf(week: Days): Promise<string> {
  const revenue = new Map<string, number>();
  let orders = 0;
  for await (const { status, payment_status, currency, total } of admin.orders.each(week)) {
    if (status === 'cancelled') continue;
    orders += 1;
    if (payment_status === 'paid') revenue.set(currency, (revenue.get(currency) ?? 0) + total);
  }
  const { total: customers } = await admin.customers.list({ ...week, per_page: 1 });
  const { total: waiting } = await admin.orders.list({ status: 'processing', per_page: 1 });
  const paid = [...revenue].sort().map(([currency, cents]) => shop.money(cents, currency));
  return [
    `Orders: ${orders}`,
    `Paid: ${paid.join(' + ') || 'nothing'}`,
    `New customers: ${customers}`,
    `Orders in processing now: ${waiting}`,
  ].join('\n');
}

/** The last week from Monday to Sunday that was over before this day. */
function lastWeek(day: string): Days {
  const date = Temporal.PlainDate.from(day);
  const sunday = date.subtract({ days: date.dayOfWeek });
  return { created_from: sunday.subtract({ days: 6 }).toString(), created_to: sunday.toString() };
}
