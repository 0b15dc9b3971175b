import type { Db } from '../../db/open.ts';
import { PAYMENT_PROVIDER } from './order-rows.ts';
import type { Report } from './report.ts';
import { countOddStocks, sumItems, sumOrders } from './verify-store.ts';

export type Check = { what: string; expected: number; found: number };

/** Compares the database with the report; in each check, `expected` and `found` must be equal. */
export async function verifyImport(db: Db, report: Report): Promise<Check[]> {
  const classes = Object.values(report.classes);
  const { order_line, charge_line, shipping } = report.classes;
  const ofOrders = order_line.amount + charge_line.amount + shipping.amount;
  const orders = await sumOrders(db, PAYMENT_PROVIDER);
  const items = await sumItems(db, PAYMENT_PROVIDER);
  const stock = await countOddStocks(db);
  return [
    { what: 'rows in exactly one class', expected: report.rows, found: classes.reduce((sum, { rows }) => sum + rows, 0) },
    {
      what: 'thousandths of a pound over all classes',
      expected: report.amount,
      found: classes.reduce((sum, { amount }) => sum + amount, 0),
    },
    { what: 'orders', expected: report.orders, found: orders?.count ?? 0 },
    { what: 'cancelled and refunded orders', expected: report.cancelledOrders, found: orders?.cancelled ?? 0 },
    { what: 'thousandths of a pound in orders, before rounding', expected: ofOrders, found: (orders?.total ?? 0) * 10 - report.rounding },
    { what: 'lines of orders', expected: report.orderLines, found: items?.count ?? 0 },
    { what: 'pennies of lines as of their orders', expected: orders?.subtotal ?? 0, found: items?.total ?? 0 },
    { what: 'orders whose total is not what its parts make', expected: 0, found: orders?.wrong ?? 0 },
    { what: 'variants whose stock is not the sum of its movements', expected: 0, found: stock?.wrong ?? 0 },
    { what: 'variants with negative stock', expected: 0, found: stock?.negative ?? 0 },
  ];
}
