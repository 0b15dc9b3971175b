/**
 * Reminds customers of an order that waits for its payment since `days` days, but not since more than `not_after_days`. In this time a
 * customer gets one reminder, whatever the number of orders: the state remembers whom the task has reminded on each day. It has room for
 * about 8,000 customers. While it is full nobody is reminded, and the log says so before. The mail is of the kind `marketing`,
 * so who has opted out gets none, and each mail has the recipient's own link to opt out. It needs the setting `public_url`.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop, state } from 'backroom';
import type { Script } from './abandoned-cart-mail.permissions.ts';

declare const admin: Script['admin'];
declare const mail: Script['mail'];

const DAY_MS = 86_400_000;
const MAILS_MAX = 100;
/** A value of the state has at most 64 KiB. */
const STATE_MAX_BYTES = 60_000;
const CUSTOMER_BYTES = 12;
type Waiting = { customer_id: number; name: string; email: string; order: string };
/** The ids of the customers, by the day on which they were reminded. */
type Reminded = Record<string, number[]>;
type Work = { waiting: Waiting[]; reminded: Reminded; left: number };

const today = String(parameters.as_of ?? shop.today());
const oldest = Temporal.PlainDate.from(today)
  .subtract({ days: Math.ceil(Number(parameters.not_after_days)) })
  .toString();

export default async function main() {
  const { waiting, reminded, left } = await once('waiting', findWaiting);
  let done = Number(last_checkpoint?.done ?? 0);
  let mailed = Number(last_checkpoint?.mailed ?? 0);
  const ids = [...(reminded[today] ?? []), ...waiting.slice(0, done).map(({ customer_id }) => customer_id)];
  for (const one of waiting.slice(done)) {
    // Remembered first: whom the state cannot take must not be mailed, by this run and by each later one.
    ids.push(one.customer_id);
    await state.set('reminded', { ...reminded, [today]: ids });
    try {
      if (await remind(one)) mailed += 1;
    } catch (error) {
      ids.pop();
      await state.set('reminded', { ...reminded, [today]: ids });
      await checkpoint({ done, mailed });
      throw error;
    }
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
  const reminded = await readReminded();
  const known = new Set(Object.values(reminded).flat());
  const latest = latestTime(Number(parameters.days));
  const found = new Map<number, Waiting>();
  const asked = { status: 'pending', payment_status: 'pending', created_from: oldest, created_to: shop.day(latest) } as const;
  for await (const order of admin.orders.each({ ...asked, sort: 'created_at' })) {
    const { customer_id, customer_name: name, customer_email: email, public_id, created_at } = order;
    if (customer_id === null || known.has(customer_id) || found.has(customer_id) || Date.parse(created_at) > latest) continue;
    found.set(customer_id, { customer_id, name, email, order: public_id });
  }
  const max = Math.min(Number(parameters.max), MAILS_MAX, roomIn(reminded, known.size));
  return { waiting: [...found.values()].slice(0, max), reminded, left: Math.max(0, found.size - max) };
}

/** Whom the task has reminded since the oldest day that counts. */
async function readReminded(): Promise<Reminded> {
  const days: Reminded = {};
  for (const [key, value] of Object.entries((await state.get<Record<string, number[] | string>>('reminded')) ?? {})) {
    // An earlier version of this task kept the day of each customer.
    const [day, ids] = typeof value === 'string' ? [value, [Number(key)]] : [key, value];
    if (day >= oldest) days[day] = [...(days[day] ?? []), ...ids];
  }
  return days;
}

/** How many customers more the state can remember; says in time that it is nearly full. */
function roomIn(reminded: Reminded, customers: number): number {
  const bytes = JSON.stringify({ ...reminded, [today]: reminded[today] ?? [] }).length;
  if (bytes > STATE_MAX_BYTES * 0.8) {
    log(
      `The state is ${Math.floor((bytes / STATE_MAX_BYTES) * 100)} % full: it remembers ${customers} customers reminded since ${oldest}.`,
    );
    log('While it is full, nobody is reminded until it forgets its oldest day. With fewer not_after_days it forgets earlier.');
  }
  return Math.max(0, Math.floor((STATE_MAX_BYTES - bytes) / CUSTOMER_BYTES));
}

/** Until when an order must have been made: 24 hours ago for each day; with a reference day, until the end of the day so many before it. */
function latestTime(days: number): number {
  if (!parameters.as_of) return Date.now() - days * DAY_MS;
  const day = Temporal.PlainDate.from(String(parameters.as_of)).subtract({ days: Math.ceil(days) - 1 });
  return day.toZonedDateTime(shop.timezone).epochMilliseconds - 1;
}
