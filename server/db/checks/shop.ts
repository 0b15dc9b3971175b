import { sql } from 'kysely';
import { sortValues } from '../schema/products.ts';
import type { Check } from './check.ts';

/** The shop's books: each figure that is stored beside what it is made of. */
export const shopChecks: readonly Check[] = [
  {
    name: 'the stock of a variant is the sum of its movements',
    faults: sql`
      SELECT 'variant ' || v.id || ': stock ' || v.stock || ', movements ' || coalesce(sum(m.delta), 0) AS fault
      FROM variants v LEFT JOIN stock_movements m ON m.variant_id = v.id
      GROUP BY v.id, v.stock HAVING v.stock <> coalesce(sum(m.delta), 0)`,
  },
  {
    name: 'products are sorted by the prices and stock of their variants',
    faults: sql`
      SELECT 'product ' || id || ': price ' || sort_price || ', stock ' || sort_stock AS fault FROM products
      WHERE sort_price <> ${sql.raw(sortValues.sort_price)} OR sort_stock <> ${sql.raw(sortValues.sort_stock)}`,
  },
  {
    name: 'the sums of an order add up to its total',
    faults: sql`
      SELECT 'order ' || id || ': total ' || total || ' of subtotal ' || subtotal || ', discount ' || discount_amount || ', shipping '
        || shipping_cost || ', tax ' || tax_amount AS fault
      FROM orders
      WHERE total <> subtotal - discount_amount + shipping_cost + CASE prices_include_tax WHEN 1 THEN 0 ELSE tax_amount END`,
  },
  {
    name: 'the subtotal of an order is the sum of its lines',
    faults: sql`
      SELECT 'order ' || o.id || ': subtotal ' || o.subtotal || ', lines ' || coalesce(sum(i.subtotal), 0) AS fault
      FROM orders o LEFT JOIN order_items i ON i.order_id = o.id
      GROUP BY o.id, o.subtotal HAVING o.subtotal <> coalesce(sum(i.subtotal), 0)`,
  },
  {
    name: 'each edit of an order begins with the total with which the one before it ended',
    faults: sql`
      SELECT 'order ' || order_id || ': edit ' || id || ' begins with ' || total_before_cents || ', not with ' || ended AS fault
      FROM (SELECT id, order_id, total_before_cents,
              lag(total_after_cents) OVER (PARTITION BY order_id ORDER BY id) AS ended FROM order_edits) AS edits
      WHERE ended <> total_before_cents`,
  },
  {
    name: 'lists tell how many orders there are',
    faults: sql`
      SELECT 'orders ' || status || '/' || payment_status || CASE is_test WHEN 1 THEN ' (test)' ELSE '' END || ': counted ' || sum(kept)
        || ', there are ' || sum(found) AS fault
      FROM (
        SELECT status, payment_status, is_test, n AS kept, 0 AS found FROM order_counts WHERE day = ''
        UNION ALL SELECT status, payment_status, is_test, 0, 1 FROM orders
      ) AS counts GROUP BY status, payment_status, is_test HAVING sum(kept) <> sum(found)`,
  },
  {
    name: 'a voucher counts the orders that use it',
    faults: sql`
      SELECT 'voucher ' || v.id || ': counted ' || v.used_count || ', orders ' || count(u.order_id) AS fault
      FROM vouchers v LEFT JOIN voucher_uses u ON u.voucher_id = v.id
      GROUP BY v.id, v.used_count HAVING v.used_count <> count(u.order_id)`,
  },
  {
    name: 'the credits that are left are the sum of their ledger',
    faults: sql`
      SELECT 'customer ' || b.customer_id || ': credit ' || b.id || ' has ' || b.remaining_credits || ', its ledger '
        || coalesce(sum(t.delta_credits), 0) AS fault
      FROM credit_buckets b LEFT JOIN credit_transactions t ON t.credit_id = b.id
      GROUP BY b.id, b.customer_id, b.remaining_credits HAVING b.remaining_credits <> coalesce(sum(t.delta_credits), 0)`,
  },
  {
    name: 'the space that files take is the sum of their sizes',
    faults: sql`
      SELECT 'counted ' || u.used_bytes || ' bytes, files have '
        || (SELECT coalesce(sum(size_bytes), 0) FROM stored_objects WHERE counts = 1) AS fault
      FROM storage_use u WHERE u.used_bytes <> (SELECT coalesce(sum(size_bytes), 0) FROM stored_objects WHERE counts = 1)`,
  },
];
