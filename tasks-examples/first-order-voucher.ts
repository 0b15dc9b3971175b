/**
 * Thanks for a first order: a customer whose only order was made in the `days` days up to `as_of` and is paid gets a voucher of `percent`
 * percent for the next one by mail. The voucher is for one use, ends after `valid_days` days, and its code names the customer's number, so
 * nobody gets a second one. The mail is of the kind `marketing`, so who has opted out gets neither. It needs the setting `public_url`.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './first-order-voucher.permissions.ts';

declare const admin: Script['admin'];
declare const mail: Script['mail'];

const MAILS_MAX = 100;
const DAY_MS = 86_400_000;
type Buyer = { id: number; name: string; email: string };

export default async function main() {
  const buyers = await once('buyers', findBuyers);
  const max = Math.min(Number(parameters.max), MAILS_MAX);
  let done = Number(last_checkpoint?.done ?? 0);
  let mailed = Number(last_checkpoint?.mailed ?? 0);
  while (done < buyers.length && mailed < max) {
    const outcomes = await Promise.all(buyers.slice(done, done + Math.min(10, max - mailed)).map(thank));
    done += outcomes.length;
    mailed += outcomes.filter(Boolean).length;
    progress(done, buyers.length, 'customers');
    await checkpoint({ done, mailed });
  }
  const left = buyers.length - done;
  if (left > 0) log(`${left} more customers are left for the next run`);
  return { buyers: buyers.length, mailed, skipped: done - mailed, left };
}

async function thank({ id, name, email }: Buyer): Promise<boolean> {
  const { order_count, marketing_opt_out, email: address } = await admin.customers.get(id);
  if (order_count > 1 || marketing_opt_out || email.toLowerCase() !== address.toLowerCase()) return false;
  const prefix = `FIRST-${id}-`;
  const { data } = await admin.vouchers.list({ search: prefix, per_page: 100 });
  if (data.some((voucher) => voucher.code.startsWith(prefix))) return false;
  const code = `${prefix}${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
  try {
    await admin.vouchers.create({
      code,
      kind: 'percent',
      percent_bps: Math.round(Number(parameters.percent) * 100),
      usage_limit: 1,
      valid_to: new Date(Date.now() + Number(parameters.valid_days) * DAY_MS).toISOString(),
    });
    await mail({ to: email, subject: 'Thank you for your first order', text: textFor(name, code), kind: 'marketing' });
    result('mailed', name, { customer_id: id, code });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError && error.code === 'mail_recipient_not_allowed')) throw error;
    result('failed', name, { customer_id: id, code: error.code });
    return false;
  }
}

function textFor(name: string, code: string): string {
  return String(parameters.text)
    .replaceAll('{name}', () => name)
    .replaceAll('{code}', () => code)
    .replaceAll('{percent}', () => String(parameters.percent));
}

/** Who has paid an order of these days, once each. Whether it is their first one is asked before the mail. */
async function findBuyers(): Promise<Buyer[]> {
  const created_to = String(parameters.as_of ?? shop.today());
  const created_from = Temporal.PlainDate.from(created_to)
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const buyers = new Map<number, Buyer>();
  const asked = { payment_status: 'paid', created_from, created_to, sort: 'created_at', per_page: 100 } as const;
  for await (const { customer_id: id, customer_name: name, customer_email: email, status } of admin.orders.each(asked))
    if (id !== null && email !== '' && status !== 'cancelled') buyers.set(id, { id, name, email });
  return [...buyers.values()];
}
