/**
 * Revenue of a year by country: paid orders that were not cancelled, by the country they went to. Lists of orders
 * have no country, so each order is read, as long as there are at most `max_reads`; in a larger year one order of
 * each buyer is, and its country counts for all of this buyer's (`exact: false`). Only reads.
 */
import { admin, log, parameters, progress, result } from 'backroom';

type Buyer = { orderId: number; orders: number; cents: number };

export default async function main() {
  const year = Number(parameters.year ?? new Date().getUTCFullYear());
  const orders = await readOrders(year);
  const exact = orders.length <= Number(parameters.max_reads);
  const buyers = new Map<string, Buyer>();
  for (const { id, total, buyer } of orders) {
    const key = exact || buyer === '' ? String(id) : buyer;
    const known = buyers.get(key);
    buyers.set(key, { orderId: id, orders: (known?.orders ?? 0) + 1, cents: (known?.cents ?? 0) + total });
  }
  const countries = await sumByCountry([...buyers.values()]);
  for (const { country, ...figures } of countries) result('revenue', country || 'unknown', figures);
  const revenue = countries.reduce((sum, { revenue_cents }) => sum + revenue_cents, 0);
  log(
    `${year}: ${orders.length} paid orders to ${countries.length} countries${exact ? '' : `, told by ${buyers.size} orders of as many buyers`}`,
  );
  return { year, exact, orders: orders.length, revenue_cents: revenue, countries };
}

async function readOrders(year: number) {
  const orders: { id: number; total: number; buyer: string }[] = [];
  const days = { created_from: `${year}-01-01`, created_to: `${year}-12-31` };
  let cursor: string | undefined;
  do {
    const page = await admin.orders.list({ ...days, payment_status: 'paid', sort: 'created_at', per_page: 100, cursor });
    for (const { id, status, total, customer_email, customer_name } of page.data) {
      if (status !== 'cancelled') orders.push({ id, total, buyer: customer_email || customer_name });
    }
    progress(orders.length, page.total, 'orders listed');
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return orders;
}

async function sumByCountry(buyers: readonly Buyer[]) {
  const sums = new Map<string, { country: string; currency: string; orders: number; revenue_cents: number }>();
  let read = 0;
  const queue = buyers.values();
  const readAll = async () => {
    for (const buyer of queue) {
      const { shipping_country: country, currency } = await admin.orders.get(buyer.orderId);
      const sum = sums.get(country + currency) ?? { country, currency, orders: 0, revenue_cents: 0 };
      sum.orders += buyer.orders;
      sum.revenue_cents += buyer.cents;
      sums.set(country + currency, sum);
      progress(++read, buyers.length, 'countries read');
    }
  };
  await Promise.all(Array.from({ length: 12 }, readAll));
  return [...sums.values()].sort((a, b) => b.revenue_cents - a.revenue_cents || (a.country < b.country ? -1 : 1));
}
