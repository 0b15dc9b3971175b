/**
 * Reminds customers of an order that waits for its payment since `days` days, but not since more than `not_after_days`. In this time a
 * customer gets one reminder, whatever the number of orders: the state remembers the day of each. The mail is of the kind `marketing`,
 * so who has opted out gets none, and each mail has the recipient's own link to opt out. It needs the setting `public_url`.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, state } from 'backroom';
import type { Admin, Mail } from './abandoned-cart-mail.permissions.ts';

declare const admin: Admin;
declare const mail: Mail;

const DAY_MS = 86_400_000;
const MAILS_MAX = 100;
type Waiting = { customer_id: number; name: string; email: string; order: string };
type Work = { waiting: Waiting[]; reminded: Record<string, string>; left: number };

const today = String(parameters.as_of ?? new Date().toISOString().slice(0, 10));
const dayBefore = (days: number): string => new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10);
const oldest = dayBefore(Number(parameters.not_after_days));

export default async function main() {
  const { waiting, reminded, left } = await once('waiting', findWaiting);
  let done = Number(last_checkpoint?.done ?? 0);
  let mailed = Number(last_checkpoint?.mailed ?? 0);
  for (const { customer_id } of waiting.slice(0, done)) reminded[customer_id] = today;
  for (const one of waiting.slice(done)) {
    if (await remind(one)) mailed += 1;
    reminded[one.customer_id] = today;
    await state.set('reminded', reminded);
    done += 1;
    progress(done, waiting.length, 'customers');
    await checkpoint({ done, mailed });
  }
  if (left > 0) log(`${left} more customers are left for the next run`);
  return { waiting: waiting.length + left, mailed, left_out: waiting.length - mailed, left };
}

async function remind({ customer_id, name, email, order }: Waiting): Promise<boolean> {
  const text = String(parameters.text)
    .replaceAll('{name}', () => name)
    .replaceAll('{order}', () => order);
  try {
    const { left_out } = await mail({ to: email, subject: 'Your order waits for you', text, kind: 'marketing' });
    result(left_out.length === 0 ? 'mailed' : 'opted out', name, { customer_id, order });
    return left_out.length === 0;
  } catch (error) {
    // The order was made with an address that is not the customer's.
    if (!(error instanceof AdminApiError && error.code === 'mail_recipient_not_allowed')) throw error;
    result('not a customer’s address', name, { customer_id, order });
    return false;
  }
}

/** The customers to remind, each with their oldest order that waits. */
async function findWaiting(): Promise<Work> {
  const known = Object.entries((await state.get<Record<string, string>>('reminded')) ?? {});
  const reminded = Object.fromEntries(known.filter(([, day]) => day >= oldest));
  const found = new Map<number, Waiting>();
  const asked = {
    status: 'pending',
    payment_status: 'pending',
    created_from: oldest,
    created_to: dayBefore(Number(parameters.days)),
  } as const;
  for await (const { customer_id, customer_name, customer_email, public_id } of admin.orders.each({ ...asked, sort: 'created_at' })) {
    if (customer_id === null || customer_id in reminded || found.has(customer_id)) continue;
    found.set(customer_id, { customer_id, name: customer_name, email: customer_email, order: public_id });
  }
  const max = Math.min(Number(parameters.max), MAILS_MAX);
  return { waiting: [...found.values()].slice(0, max), reminded, left: Math.max(0, found.size - max) };
}
