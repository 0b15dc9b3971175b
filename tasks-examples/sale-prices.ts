/**
 * Prices for a sale, by dates: from `starts_on` on, each active variant of the active products whose name or SKU has `search` in it costs
 * `percent` less, with its old price as the price to compare with; after `ends_on` it costs its old price again. A variant is in this sale if
 * its price is exactly so much below the one to compare with, so the task needs no memory; one that has another price to compare with is left
 * alone. Keep `percent` and `search` until the sale is over. Give it a schedule of once an hour.
 */
import { AdminApiError, checkpoint, last_checkpoint, log, once, parameters, progress, result, shop } from 'backroom';
import type { Script } from './sale-prices.permissions.ts';

declare const admin: Script['admin'];

type Priced = { id: number; sku: string; price_cents: number; compare_at_price_cents: number | null };
type Work = { prices: Priced[]; left: number };

const today = String(parameters.as_of ?? shop.today());

export default async function main() {
  const { prices, left } = await once('prices', findPrices);
  let done = Number(last_checkpoint?.done ?? 0);
  let changed = Number(last_checkpoint?.changed ?? 0);
  while (done < prices.length) {
    const outcomes = await Promise.all(prices.slice(done, done + 10).map(change));
    done += outcomes.length;
    changed += outcomes.filter(Boolean).length;
    progress(done, prices.length, 'prices');
    await checkpoint({ done, changed });
  }
  if (left > 0) log(`${left} more prices are left for the next run`);
  return { sale: stage(), prices: prices.length + left, changed, left };
}

async function change({ id, sku, ...prices }: Priced): Promise<boolean> {
  try {
    await admin.products.update_variant(id, prices);
    const status = prices.compare_at_price_cents === null ? 'as before' : 'reduced';
    result(status, sku, { variant_id: id, price: shop.money(prices.price_cents) });
    return true;
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    result('failed', sku, { variant_id: id, code: error.code });
    return false;
  }
}

async function findPrices(): Promise<Work> {
  const now = stage();
  if (now === 'not begun') return { prices: [], left: 0 };
  const search = String(parameters.search ?? '').trim();
  const prices: Priced[] = [];
  for await (const { variants } of admin.products.each({ status: 'active', ...(search === '' ? {} : { search }), per_page: 100 })) {
    for (const { id, sku, active, price_cents: price, compare_at_price_cents: before } of variants) {
      if (now === 'on' && active && before === null && reduced(price) < price)
        prices.push({ id, sku, price_cents: reduced(price), compare_at_price_cents: price });
      if (now === 'over' && before !== null && price === reduced(before) && price < before)
        prices.push({ id, sku, price_cents: before, compare_at_price_cents: null });
    }
  }
  const max = Number(parameters.max);
  return { prices: prices.slice(0, max), left: Math.max(0, prices.length - max) };
}

function stage(): 'not begun' | 'on' | 'over' {
  if (today < String(parameters.starts_on ?? today)) return 'not begun';
  return today > String(parameters.ends_on ?? today) ? 'over' : 'on';
}

/** A reduction of less than nothing, or of more than all, counts as none. */
function reduced(cents: number): number {
  const percent = Number(parameters.percent);
  return percent > 0 && percent < 100 ? Math.round((cents * (100 - percent)) / 100) : cents;
}
