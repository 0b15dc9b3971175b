import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';

/** Counts and sums of a payment provider's orders; `wrong`: orders whose total is not the sum of its parts. */
export async function sumOrders(db: Db, paymentProvider: string) {
  const { rows } = await sql<{ count: number; cancelled: number; total: number; subtotal: number; wrong: number }>`
    SELECT count(*) AS count,
      CAST(coalesce(sum(CASE WHEN status = 'cancelled' AND payment_status = 'refunded' THEN 1 ELSE 0 END), 0) AS bigint) AS cancelled,
      CAST(coalesce(sum(total), 0) AS bigint) AS total,
      CAST(coalesce(sum(subtotal), 0) AS bigint) AS subtotal,
      CAST(coalesce(sum(CASE WHEN total <> subtotal - discount_amount + shipping_cost + tax_amount THEN 1 ELSE 0 END), 0) AS bigint) AS wrong
    FROM orders WHERE payment_provider = ${paymentProvider}`.execute(db);
  return rows[0];
}

/** Count and sum of the order lines of a payment provider's orders. */
export async function sumItems(db: Db, paymentProvider: string) {
  const { rows } = await sql<{ count: number; total: number }>`
    SELECT count(*) AS count, CAST(coalesce(sum(subtotal), 0) AS bigint) AS total
    FROM order_items WHERE order_id IN (SELECT id FROM orders WHERE payment_provider = ${paymentProvider})`.execute(db);
  return rows[0];
}

/** Counts variants of the whole shop; `wrong`: those whose stock is not the sum of their movements. */
export async function countOddStocks(db: Db) {
  const { rows } = await sql<{ wrong: number; negative: number }>`
    SELECT
      CAST(coalesce(sum(CASE WHEN v.stock <> coalesce(m.total, 0) THEN 1 ELSE 0 END), 0) AS bigint) AS wrong,
      CAST(coalesce(sum(CASE WHEN v.stock < 0 THEN 1 ELSE 0 END), 0) AS bigint) AS negative
    FROM variants v LEFT JOIN (SELECT variant_id, CAST(sum(delta) AS bigint) AS total FROM stock_movements GROUP BY variant_id) m
      ON m.variant_id = v.id`.execute(db);
  return rows[0];
}
