import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { PAYMENT_PROVIDER } from './order-rows.ts';
import type { Report } from './report.ts';

export type Check = { what: string; expected: number; found: number };

/** Compares what the database holds with what the file says; each pair must be equal. */
export async function verifyImport(db: Db, report: Report): Promise<Check[]> {
  const classes = Object.values(report.classes);
  const { order_line, charge_line, shipping } = report.classes;
  const ofOrders = order_line.amount + charge_line.amount + shipping.amount;
  const orders = await sql<{ count: number; cancelled: number; total: number; subtotal: number; wrong: number }>`
    SELECT count(*) AS count,
      CAST(coalesce(sum(CASE WHEN status = 'cancelled' AND payment_status = 'refunded' THEN 1 ELSE 0 END), 0) AS bigint) AS cancelled,
      CAST(coalesce(sum(total), 0) AS bigint) AS total,
      CAST(coalesce(sum(subtotal), 0) AS bigint) AS subtotal,
      CAST(coalesce(sum(CASE WHEN total <> subtotal - discount_amount + shipping_cost + tax_amount THEN 1 ELSE 0 END), 0) AS bigint) AS wrong
    FROM orders WHERE payment_provider = ${PAYMENT_PROVIDER}`.execute(db);
  const items = await sql<{ count: number; total: number }>`
    SELECT count(*) AS count, CAST(coalesce(sum(subtotal), 0) AS bigint) AS total
    FROM order_items WHERE order_id IN (SELECT id FROM orders WHERE payment_provider = ${PAYMENT_PROVIDER})`.execute(db);
  const stock = await sql<{ wrong: number; negative: number }>`
    SELECT
      CAST(coalesce(sum(CASE WHEN v.stock <> coalesce(m.total, 0) THEN 1 ELSE 0 END), 0) AS bigint) AS wrong,
      CAST(coalesce(sum(CASE WHEN v.stock < 0 THEN 1 ELSE 0 END), 0) AS bigint) AS negative
    FROM variants v LEFT JOIN (SELECT variant_id, CAST(sum(delta) AS bigint) AS total FROM stock_movements GROUP BY variant_id) m
      ON m.variant_id = v.id`.execute(db);
  const [o, i, s] = [orders.rows[0], items.rows[0], stock.rows[0]];
  return [
    { what: 'rows in exactly one class', expected: report.rows, found: classes.reduce((sum, { rows }) => sum + rows, 0) },
    {
      what: 'thousandths of a pound over all classes',
      expected: report.amount,
      found: classes.reduce((sum, { amount }) => sum + amount, 0),
    },
    { what: 'orders', expected: report.orders, found: o?.count ?? 0 },
    { what: 'cancelled and refunded orders', expected: report.cancelledOrders, found: o?.cancelled ?? 0 },
    { what: 'thousandths of a pound in orders, before rounding', expected: ofOrders, found: (o?.total ?? 0) * 10 - report.rounding },
    { what: 'lines of orders', expected: report.orderLines, found: i?.count ?? 0 },
    { what: 'pennies of lines as of their orders', expected: o?.subtotal ?? 0, found: i?.total ?? 0 },
    { what: 'orders whose total is not what its parts make', expected: 0, found: o?.wrong ?? 0 },
    { what: 'variants whose stock is not the sum of its movements', expected: 0, found: s?.wrong ?? 0 },
    { what: 'variants with negative stock', expected: 0, found: s?.negative ?? 0 },
  ];
}
