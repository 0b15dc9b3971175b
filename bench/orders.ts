import type SqliteDatabase from 'better-sqlite3';
import { Pool } from 'undici';
import { z } from 'zod';
import { type Case, get, measureCases, withShop } from './asking.ts';
import { startChild } from './child.ts';
import { type Known, ordersCases } from './orders-cases.ts';
import { type Filling, ordersShop } from './orders-shop.ts';
import { type Row, row } from './report.ts';

/** Lists, searches, calendar and detail over HTTP in a shop of `orders` orders, each compared with plain SQL on the same file. */
export async function measureOrders(orders: number): Promise<Row[]> {
  const { folder, filling } = await ordersShop(orders);
  return withShop(folder, async (shop) => {
    const cases = ordersCases({ orders, ...someOrder(shop.database) });
    return [...fillingRows(orders, filling), ...(await measureCases(shop, cases)), await longestHealthz(shop.url, cases)];
  });
}

function fillingRows(orders: number, { seconds, maxRssMib, items }: Filling): Row[] {
  return [
    row({ name: `sample shop of ${orders} orders with ${items} items`, figure: seconds, unit: 's', figureBound: { most: 120 } }),
    row({ name: 'its memory at most', figure: maxRssMib, unit: 'MiB', figureBound: { most: 300 } }),
  ];
}

/** An order in the middle of the table, its buyer's email address to search for, and two further ids. */
export function someOrder(database: SqliteDatabase.Database): Known {
  const found = z.object({ id: z.int(), customer_email: z.string(), customer_phone: z.string() }).parse(
    database
      .prepare(
        `SELECT id, customer_email, customer_phone FROM orders
          WHERE id >= (SELECT max(id) / 2 FROM orders) AND customer_email <> '' AND customer_phone <> '' AND is_test = 0 ORDER BY id LIMIT 1`,
      )
      .get(),
  );
  const read = (text: string) => z.object({ id: z.int() }).parse(database.prepare(text).get()).id;
  return {
    orderId: found.id,
    rare: found.customer_email,
    phone: found.customer_phone,
    buyer: read('SELECT customer_id AS id FROM orders WHERE customer_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1'),
    internal: read('SELECT min(id) AS id FROM order_statuses'),
  };
}

/** Measures GET /healthz while all requests of the cases are made again, several at a time. */
async function longestHealthz(url: string, cases: readonly Case[]): Promise<Row> {
  const poller = startChild('poll-health.ts', [url]);
  await poller.next();
  const others = new Pool(url, { connections: 3 });
  for (let i = 0; i < 3; i++) await Promise.all(cases.map(({ path }) => get(others, path)));
  await others.close();
  poller.finish();
  const waits = z.array(z.number()).parse(await poller.next());
  return row({
    name: `GET /healthz meanwhile: longest of ${waits.length}`,
    figure: Math.max(...waits),
    unit: 'ms',
    figureBound: { most: 50 },
  });
}
