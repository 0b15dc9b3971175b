/**
 * Makes customers VIPs: who has spent `amount` or more in the `days` days up to `as_of`, by paid orders that were not cancelled, gets
 * access to the group `group_slug` (created where it is missing), those who spent most first. The grant does not end by itself. Who has
 * access already is left alone, so nobody gets it twice.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './vip-customers.permissions.ts';

declare const admin: Script['admin'];

type Spender = { id: number; cents: number };
type Work = { groupId: number; fresh: Spender[]; vips: number; left: number };

export default async function main() {
  const { groupId, fresh, vips, left } = await once('spenders', findSpenders);
  let done = Number(last_checkpoint?.done ?? 0);
  let granted = Number(last_checkpoint?.granted ?? 0);
  while (done < fresh.length) {
    const outcomes = await Promise.all(fresh.slice(done, done + 10).map((one) => grant(one, groupId)));
    done += outcomes.length;
    granted += outcomes.filter(Boolean).length;
    progress(done, fresh.length, 'customers');
    await checkpoint({ done, granted });
  }
  if (left > 0) log(`${left} more customers are left for the next run`);
  return { vips, granted, left };
}

async function grant({ id, cents }: Spender, groupId: number): Promise<boolean> {
  const spent = shop.money(cents);
  try {
    await admin.access_groups.create_grant(groupId, { customer_id: id, expires_at: null, note: `Spent ${spent}` });
    result('granted', String(id), { customer_id: id, spent });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', String(id), { customer_id: id, code: error.code });
    return false;
  }
}

async function findSpenders(): Promise<Work> {
  const least = shop.cents(String(parameters.amount));
  const vips = (await readSpending()).filter(({ cents }) => cents >= least).sort((a, b) => b.cents - a.cents || a.id - b.id);
  if (vips.length === 0) return { groupId: 0, fresh: [], vips: 0, left: 0 };
  const groupId = await findGroup(String(parameters.group_slug));
  const members = new Set((await admin.access_groups.list_members(groupId)).map(({ customer_id }) => customer_id));
  const fresh = vips.filter(({ id }) => !members.has(id));
  const max = Number(parameters.max);
  return { groupId, fresh: fresh.slice(0, max), vips: vips.length, left: Math.max(0, fresh.length - max) };
}

/** What each customer has spent in the shop's currency. */
async function readSpending(): Promise<Spender[]> {
  const created_to = String(parameters.as_of ?? shop.today());
  const created_from = Temporal.PlainDate.from(created_to)
    .subtract({ days: Math.ceil(Number(parameters.days)) })
    .toString();
  const spent = new Map<number, number>();
  let read = 0;
  let cursor: string | undefined;
  do {
    const page = await admin.orders.list({ created_from, created_to, payment_status: 'paid', sort: 'created_at', per_page: 100, cursor });
    for (const { customer_id, status, currency, total } of page.data) {
      if (customer_id === null || status === 'cancelled' || currency !== shop.currency) continue;
      spent.set(customer_id, (spent.get(customer_id) ?? 0) + total);
    }
    read += page.data.length;
    progress(read, page.total, 'orders read');
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return [...spent].map(([id, cents]) => ({ id, cents }));
}

async function findGroup(slug: string): Promise<number> {
  const known = (await admin.access_groups.list()).find((group) => group.slug === slug);
  return known?.id ?? (await admin.access_groups.create({ slug, name: slug.toUpperCase() })).id;
}
