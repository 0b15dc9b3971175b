/**
 * Mails the sales of yesterday to admins of the shop, beside those of the same day a week before. Give it a schedule such as `0 7 * * *`. A
 * day is reported once, however often the task runs: its state remembers the last one.
 */
import { checkpoint, log, parameters, shop, state } from 'backroom';
import type { Script } from './daily-sales-mail.permissions.ts';

declare const admin: Script['admin'];
declare const mail: Script['mail'];

const KEY = 'reported';
type Sales = { orders: number; cancelled: number; paid: [currency: string, cents: number][] };

export default async function main() {
  const yesterday = Temporal.PlainDate.from(String(parameters.as_of ?? shop.today())).subtract({ days: 1 });
  const day = yesterday.toString();
  const reported = await state.get<string>(KEY);
  if (reported !== null && reported >= day) {
    log(`${day} was reported before`);
    return { day, mailed: 0 };
  }
  const to = String(parameters.to)
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  const before = yesterday.subtract({ days: 7 }).toString();
  const [now, then] = [await salesOf(day), await salesOf(before)];
  const { mails } = await mail({ to, subject: `Sales of ${day}: ${paidOf(now)}`, text: textOf(day, now, before, then) });
  await state.set(KEY, day);
  await checkpoint({});
  return { day, orders: now.orders, mailed: mails.length };
}

async function salesOf(day: string): Promise<Sales> {
  const paid = new Map<string, number>();
  let [orders, cancelled] = [0, 0];
  const asked = { created_from: day, created_to: day, sort: 'created_at', per_page: 100 } as const;
  for await (const { status, payment_status, currency, total } of admin.orders.each(asked)) {
    if (status === 'cancelled') cancelled += 1;
    else orders += 1;
    if (status !== 'cancelled' && payment_status === 'paid') paid.set(currency, (paid.get(currency) ?? 0) + total);
  }
  return { orders, cancelled, paid: [...paid].sort() };
}

const paidOf = ({ paid }: Sales): string => paid.map(([currency, cents]) => shop.money(cents, currency)).join(' + ') || 'nothing';

function textOf(day: string, now: Sales, before: string, then: Sales): string {
  return [
    `Orders: ${now.orders}`,
    `Paid: ${paidOf(now)}`,
    `Cancelled: ${now.cancelled}`,
    '',
    `A week before ${day}, on ${before}:`,
    `Orders: ${then.orders}`,
    `Paid: ${paidOf(then)}`,
  ].join('\n');
}
