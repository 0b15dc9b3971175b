/**
 * Tells customers that their subscription ends: of an active subscription that ends with its present period, within the `days` days after
 * `as_of`, the customer gets one mail. The state remembers the subscriptions by the day of their end, in one value with room for 5,000, and
 * forgets them after it; while it is full nobody is told. Give it a schedule of once a day.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop, state } from 'backroom';
import type { Script } from './subscription-ending-mail.permissions.ts';

declare const admin: Script['admin'];
declare const mail: Script['mail'];

const MAILS_MAX = 100;
const KEY = 'told';
const IDS_MAX = 5000;
type Ending = { id: number; name: string; email: string; product: string; end: string };
/** The numbers of the subscriptions, by the day on which they end. */
type Told = Record<string, number[]>;
type Work = { ending: Ending[]; told: Told; left: number };

export default async function main() {
  const { ending, told, left } = await once('ending subscriptions', findEnding);
  let done = Number(last_checkpoint?.done ?? 0);
  let mailed = Number(last_checkpoint?.mailed ?? 0);
  while (done < ending.length) {
    const batch = ending.slice(done, done + 10);
    // Remembered first: of what the state cannot take nobody must be told, by this run and by each later one.
    await state.set(KEY, withTold(told, ending.slice(0, done + batch.length)));
    for (const one of batch) {
      try {
        if (await tell(one)) mailed += 1;
      } catch (error) {
        await state.set(KEY, withTold(told, ending.slice(0, done)));
        await checkpoint({ done, mailed });
        throw error;
      }
      done += 1;
      progress(done, ending.length, 'subscriptions');
    }
    await checkpoint({ done, mailed });
  }
  if (left > 0) log(`${left} more subscriptions are left for the next run`);
  return { ending: ending.length + left, mailed, left_out: ending.length - mailed, left };
}

function withTold(told: Told, more: readonly Ending[]): Told {
  const days: Told = { ...told };
  for (const { id, end } of more) days[end] = [...(days[end] ?? []), id];
  return days;
}

async function tell({ id, name, email, product, end }: Ending): Promise<boolean> {
  const text = String(parameters.text)
    .replaceAll('{name}', () => name)
    .replaceAll('{product}', () => product)
    .replaceAll('{end}', () => end);
  try {
    await mail({ to: email, subject: 'Your subscription ends soon', text });
    result('mailed', name, { subscription_id: id, end });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError && error.code === 'mail_recipient_not_allowed')) throw error;
    result('not a customer’s address', name, { subscription_id: id });
    return false;
  }
}

async function findEnding(): Promise<Work> {
  const today = String(parameters.as_of ?? shop.today());
  const last = Temporal.PlainDate.from(today)
    .add({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const told: Told = {};
  for (const [end, ids] of Object.entries((await state.get<Told>(KEY)) ?? {})) if (end >= today) told[end] = ids;
  const known = new Set(Object.values(told).flat());
  const found: Ending[] = [];
  for await (const one of admin.subscriptions.each({ status: 'active', sort: 'created_at', per_page: 100 })) {
    const end = shop.day(one.current_period_end);
    if (!one.cancel_at_period_end || end < today || end > last || known.has(one.id) || one.customer_email === '') continue;
    found.push({ id: one.id, name: one.customer_name, email: one.customer_email, product: one.product_name, end });
  }
  const room = Math.max(0, IDS_MAX - known.size);
  if (room < found.length) log(`The state has room for ${room} subscriptions more: with fewer days it has enough.`);
  const max = Math.min(Number(parameters.max), MAILS_MAX, room);
  return { ending: found.slice(0, max), told, left: Math.max(0, found.length - max) };
}
