/**
 * Asks customers for a review: an order that is delivered and paid, and was made `days` days ago or longer, but not longer than
 * `not_after_days`, gets its customer one mail, whatever the number of orders. The state remembers whom the task has asked on each of these
 * days, by number, in one value with room for 5,000 customers; while it is full nobody is asked. The mail is of the kind `marketing`, so who
 * has opted out gets none. It needs the setting `public_url`.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop, state } from 'backroom';
import type { Script } from './review-request-mail.permissions.ts';

declare const admin: Script['admin'];
declare const mail: Script['mail'];

const MAILS_MAX = 100;
const KEY = 'asked';
const IDS_MAX = 5000;
type Buyer = { id: number; name: string; email: string; order: string };
/** The numbers of the customers, by the day on which they were asked. */
type Asked = Record<string, number[]>;
type Work = { buyers: Buyer[]; asked: Asked; left: number };

const today = Temporal.PlainDate.from(String(parameters.as_of ?? shop.today()));
const daysAgo = (days: unknown): string => today.subtract({ days: Math.ceil(Number(days)) }).toString();

export default async function main() {
  const { buyers, asked, left } = await once('buyers', findBuyers);
  let done = Number(last_checkpoint?.done ?? 0);
  let mailed = Number(last_checkpoint?.mailed ?? 0);
  const day = today.toString();
  const before = asked[day] ?? [];
  while (done < buyers.length) {
    const batch = buyers.slice(done, done + 10);
    const remembered = (count: number) => [...before, ...buyers.slice(0, count).map(({ id }) => id)];
    // Remembered first: whom the state cannot take must not be mailed, by this run and by each later one.
    await state.set(KEY, { ...asked, [day]: remembered(done + batch.length) });
    for (const buyer of batch) {
      try {
        if (await ask(buyer)) mailed += 1;
      } catch (error) {
        await state.set(KEY, { ...asked, [day]: remembered(done) });
        await checkpoint({ done, mailed });
        throw error;
      }
      done += 1;
      progress(done, buyers.length, 'customers');
    }
    await checkpoint({ done, mailed });
  }
  if (left > 0) log(`${left} more customers are left for the next run`);
  return { to_ask: buyers.length + left, mailed, left_out: buyers.length - mailed, left };
}

async function ask({ id, name, email, order }: Buyer): Promise<boolean> {
  const text = String(parameters.text)
    .replaceAll('{name}', () => name)
    .replaceAll('{order}', () => order);
  try {
    const { left_out } = await mail({ to: email, subject: 'How do you like it?', text, kind: 'marketing' });
    result(left_out.length === 0 ? 'mailed' : 'opted out', name, { customer_id: id, order });
    return left_out.length === 0;
  } catch (error) {
    // The order was made with an address that is not the customer's.
    if (!(error instanceof AdminApiError && error.code === 'mail_recipient_not_allowed')) throw error;
    result('not a customer’s address', name, { customer_id: id, order });
    return false;
  }
}

async function findBuyers(): Promise<Work> {
  const created_from = daysAgo(parameters.not_after_days);
  const asked: Asked = {};
  for (const [day, ids] of Object.entries((await state.get<Asked>(KEY)) ?? {})) if (day >= created_from) asked[day] = ids;
  const known = new Set(Object.values(asked).flat());
  const found = new Map<number, Buyer>();
  const query = { status: 'delivered', payment_status: 'paid', created_from, created_to: daysAgo(parameters.days) } as const;
  for await (const order of admin.orders.each({ ...query, sort: 'created_at', per_page: 100 })) {
    const { customer_id: id, customer_name: name, customer_email: email, public_id } = order;
    if (id !== null && email !== '' && !known.has(id) && !found.has(id)) found.set(id, { id, name, email, order: public_id });
  }
  const room = Math.max(0, IDS_MAX - known.size);
  if (room < found.size) log(`The state has room for ${room} customers more: with fewer not_after_days it forgets earlier.`);
  const max = Math.min(Number(parameters.max), MAILS_MAX, room);
  return { buyers: [...found.values()].slice(0, max), asked, left: Math.max(0, found.size - max) };
}
