/**
 * Sums the revenue of a year by country: paid orders that were not cancelled, by the country of delivery. The task only reads.
 */
import { log, parameters, progress, result, shop } from 'backroom';
import type { Script } from './revenue-by-country.permissions.ts';

declare const admin: Script['admin'];

type Sum = { country: string; currency: string; orders: number; revenue_cents: number };

export default async function main() {
  const year = Number(parameters.year ?? shop.today().slice(0, 4));
  const sums = new Map<string, Sum>();
  const days = { created_from: `${year}-01-01`, created_to: `${year}-12-31` };
  let read = 0;
  let cursor: string | undefined;
  do {
    const page = await admin.orders.list({ ...days, payment_status: 'paid', sort: 'created_at', per_page: 100, cursor });
    for (const { status, total, shipping_country: country, currency } of page.data) {
      if (status === 'cancelled') continue;
      const sum = sums.get(country + currency) ?? { country, currency, orders: 0, revenue_cents: 0 };
      sums.set(country + currency, { ...sum, orders: sum.orders + 1, revenue_cents: sum.revenue_cents + total });
    }
    read += page.data.length;
    progress(read, page.total, 'orders read');
    cursor = page.next_cursor ?? undefined;
  } while (cursor);

  const countries = [...sums.values()].sort((a, b) => b.revenue_cents - a.revenue_cents || (a.country < b.country ? -1 : 1));
  for (const { country, orders, revenue_cents, currency } of countries)
    result('revenue', country || 'unknown', { orders, revenue: shop.money(revenue_cents, currency) });
  const orders = countries.reduce((sum, country) => sum + country.orders, 0);
  const revenue_cents = countries.reduce((sum, country) => sum + country.revenue_cents, 0);
  log(`${year}: ${orders} paid orders to ${countries.length} countries, ${shop.money(revenue_cents)}`);
  return { year, orders, revenue_cents, countries };
}
