/** What an order's totals are computed from, so that an edit can compute them again; received payments; the edits of orders. */
export const statements: readonly string[] = [
  `ALTER TABLE orders ADD COLUMN voucher_terms TEXT`,
  `ALTER TABLE orders ADD COLUMN voucher_discount INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE orders ADD COLUMN manual_discount INTEGER`,
  `ALTER TABLE orders ADD COLUMN waived_shipping INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE orders ADD COLUMN shipping_tax_rate INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE orders ADD COLUMN first_paid_at TEXT`,
  `ALTER TABLE orders ADD COLUMN base_payment_status TEXT`,
  `ALTER TABLE orders ADD COLUMN paid_amount INTEGER`,
  // For existing orders: derives the kind of the discount and the tax rate of the shipping cost from their totals.
  `UPDATE orders SET voucher_discount = discount_amount WHERE voucher_code IS NOT NULL`,
  `UPDATE orders SET first_paid_at = created_at WHERE payment_status IN ('paid', 'refunded')`,
  `UPDATE orders SET shipping_tax_rate = (
    SELECT CASE WHEN t.tax <= 0 OR (prices_include_tax = 1 AND t.tax >= orders.shipping_cost) THEN 0
      WHEN prices_include_tax = 1
      THEN (20000 * t.tax + orders.shipping_cost - t.tax) / (2 * (orders.shipping_cost - t.tax))
      ELSE (20000 * t.tax + orders.shipping_cost) / (2 * orders.shipping_cost) END
    FROM (
      SELECT orders.tax_amount - coalesce((SELECT CAST(sum(i.tax_amount) AS INTEGER) FROM order_items i WHERE i.order_id = orders.id), 0) AS tax
    ) AS t
  ) WHERE shipping_cost > 0 AND tax_amount > 0`,
  `CREATE TABLE order_edits (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    edited_at TEXT NOT NULL,
    edited_by_shop_owner_id INTEGER NOT NULL REFERENCES admins (id),
    edit_source TEXT NOT NULL,
    summary TEXT NOT NULL,
    total_before_cents INTEGER NOT NULL,
    total_after_cents INTEGER NOT NULL,
    payment_delta_cents INTEGER NOT NULL,
    payment_adjustment_note TEXT NOT NULL,
    customer_notified INTEGER NOT NULL,
    stock_override_used INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX order_edits_by_order ON order_edits (order_id, id)`,
];
