import { type Case, measureCases, type Plain, withShop } from './asking.ts';
import { CLOCK, ordersShop } from './orders-shop.ts';
import type { Row } from './report.ts';

/** The requests of the dashboard in the shop of `orders` orders, each compared with plain queries for the same figures. */
export async function measureDashboard(orders: number): Promise<Row[]> {
  const { folder } = await ordersShop(orders);
  return withShop(folder, (shop) => measureCases(shop, cases));
}

const DAY_MS = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.parse(CLOCK) - days * DAY_MS).toISOString();
const plain = (sql: string, ...parameters: (string | number)[]): Plain => ({ sql, parameters });

const sold = `is_test = 0 AND status <> 'cancelled' AND payment_status = 'paid'`;

const cases: Case[] = [
  {
    name: 'GET /dashboard',
    path: '/dashboard',
    plain: [
      plain('SELECT status, count(*) FROM orders WHERE is_test = 0 GROUP BY status'),
      plain(`SELECT sum(total) FROM orders WHERE ${sold}`),
      plain('SELECT count(*) FROM customers'),
    ],
    most: 5,
  },
  {
    name: 'GET /dashboard/trends, 90 days',
    path: '/dashboard/trends?days=90',
    plain: [
      plain(
        `SELECT substr(created_at, 1, 10) AS day, count(*), sum(CASE WHEN payment_status = 'paid' THEN total ELSE 0 END)
        FROM orders WHERE is_test = 0 AND status <> 'cancelled' AND created_at >= ? GROUP BY day`,
        dayBefore(90),
      ),
    ],
    most: 10,
  },
  {
    name: 'GET /dashboard/trends, 90 days and 90 before',
    path: '/dashboard/trends?days=90&compare=true',
    plain: [
      plain(
        `SELECT substr(created_at, 1, 10) AS day, count(*), sum(CASE WHEN payment_status = 'paid' THEN total ELSE 0 END)
        FROM orders WHERE is_test = 0 AND status <> 'cancelled' AND created_at >= ? GROUP BY day`,
        dayBefore(180),
      ),
      plain('SELECT count(*) FROM customers WHERE created_at >= ?', dayBefore(180)),
    ],
    most: 20,
  },
  {
    name: 'GET /dashboard/insights',
    path: '/dashboard/insights',
    plain: [
      plain(
        `SELECT customer_id, sum(total) AS spent, count(*) FROM orders WHERE ${sold} AND customer_id IS NOT NULL
        GROUP BY customer_id ORDER BY spent DESC LIMIT 10`,
      ),
    ],
    most: 50,
  },
  {
    name: 'GET /dashboard/subscriptions',
    path: '/dashboard/subscriptions',
    plain: [plain('SELECT status, count(*) FROM subscriptions GROUP BY status')],
    most: 10,
  },
];
