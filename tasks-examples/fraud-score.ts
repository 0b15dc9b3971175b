/**
 * Asks a service how risky each pending order is that is new or changed since the last run; risky ones get the internal status
 * `status_name` (created where it is missing). Orders that have an internal status are left to the people who gave it. The secret
 * `fraud_key` is the service's key, for its host. A run takes at most `max` orders, and the next one goes on where it ended. An order takes
 * up to two writes, and a dry run may make 200. Give the task the setting `retry` with some attempts: while the service is busy, the run
 * waits as long as the service asks for, and goes on with the order where it stopped.
 */
import { checkpoint, last_checkpoint, log, once, parameters, progress, RetryAfter, result, secret, shop, state } from 'backroom';
import type { Script } from './fraud-score.permissions.ts';

declare const admin: Script['admin'];
declare const http: Script['http'];

const RETRY_MS = 60_000;
/** Where the list of changes is read on: at the cursor of a page, or after all that had changed. */
type Place = { after: string; cursor?: string } | string;
type Work = { ids: number[]; place: Place };

export default async function main() {
  const { ids, place } = await once('orders', findChanged);
  let done = Number(last_checkpoint?.done ?? 0);
  let risky = Number(last_checkpoint?.risky ?? 0);
  let waits = Number(last_checkpoint?.waits ?? 0);
  for (const id of ids.slice(done)) {
    const order = await admin.orders.get(id);
    const answer = await ask(order);
    if (answer.status === 429 || answer.status === 503) {
      // After a checkpoint, the next attempt asks the service anew; else it would be given this answer again.
      waits += 1;
      await checkpoint({ done, risky, waits });
      throw new RetryAfter(Number(answer.headers['retry-after']) * 1000 || RETRY_MS, 'the fraud service is busy');
    }
    if (answer.status !== 200) throw new Error(`the fraud service answered ${answer.status}: ${answer.body.slice(0, 200)}`);
    const score = Number(JSON.parse(answer.body).score);
    const isRisky = score >= Number(parameters.risky_from);
    if (isRisky) await admin.orders.update_internal_status(id, { internal_status_id: await once('status', findStatus) });
    result(isRisky ? 'risky' : 'fine', order.public_id, { order_id: id, score });
    done += 1;
    risky += isRisky ? 1 : 0;
    progress(done, ids.length, 'orders scored');
    await checkpoint({ done, risky, waits });
  }
  if (ids.length > 0) await state.set('after', place);
  if (typeof place !== 'string') log('More orders are left for the next run');
  return { scored: ids.length, risky };
}

function ask(order: {
  public_id: string;
  customer_email: string;
  ip_address: string;
  shipping_country: string;
  total: number;
  currency: string;
}) {
  const { public_id, customer_email, ip_address, shipping_country, total, currency } = order;
  return http.request({
    method: 'POST',
    url: 'https://api.fraud.example.com/v1/scores',
    headers: { authorization: `Bearer ${secret('fraud_key')}` },
    body: {
      order: public_id,
      email: customer_email,
      ip: ip_address,
      country: shipping_country,
      total: shop.decimal(total, currency),
      currency,
    },
    // To be asked twice does no harm, so a lost answer is asked for again.
    repeat: true,
    sample: { status: 200, body: { score: 0 } },
  });
}

async function findChanged(): Promise<Work> {
  let place = (await state.get<Place>('after')) ?? 'start';
  const max = Math.max(1, Number(parameters.max));
  const ids: number[] = [];
  do {
    const from = typeof place === 'string' ? { after: place } : place;
    const per_page = Math.min(100, max - ids.length);
    const page = await admin.orders.list({ ...from, status: 'pending', internal_status_id: 'none', per_page });
    ids.push(...page.data.map(({ id }) => id));
    place = page.next_cursor === null ? (page.changes_cursor ?? from.after) : { after: from.after, cursor: page.next_cursor };
  } while (typeof place !== 'string' && ids.length < max);
  return { ids, place };
}

async function findStatus(): Promise<number> {
  const name = String(parameters.status_name);
  const { data } = await admin.order_statuses.list({ search: name, per_page: 100 });
  const known = data.find((status) => status.name.toUpperCase() === name.toUpperCase());
  return known?.id ?? (await admin.order_statuses.create({ name, color: '#d9480f' })).id;
}
