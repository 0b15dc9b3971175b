import type { Statement } from '../dialect.ts';
import { progressOf } from './order-parts.ts';

/** Orders with their lines, edits, payments and vouchers. */
export const orders: readonly Statement[] = [
  `CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id TEXT NOT NULL UNIQUE,
    customer_id INTEGER REFERENCES customers (id),
    status TEXT NOT NULL,
    payment_status TEXT NOT NULL,
    customer_name TEXT NOT NULL,
    customer_name_folded TEXT NOT NULL,
    customer_email TEXT NOT NULL,
    customer_email_folded TEXT NOT NULL,
    customer_phone TEXT NOT NULL,
    shipping_line1 TEXT NOT NULL,
    shipping_line2 TEXT NOT NULL,
    shipping_city TEXT NOT NULL,
    shipping_state TEXT NOT NULL,
    shipping_postal_code TEXT NOT NULL,
    shipping_country TEXT NOT NULL,
    billing_address TEXT,
    notes TEXT NOT NULL,
    internal_notes TEXT,
    currency TEXT NOT NULL,
    prices_include_tax INTEGER NOT NULL,
    subtotal INTEGER NOT NULL,
    discount_amount INTEGER NOT NULL,
    discount_reason TEXT,
    voucher_code TEXT,
    tax_amount INTEGER NOT NULL,
    shipping_method TEXT NOT NULL,
    shipping_cost INTEGER NOT NULL,
    total INTEGER NOT NULL,
    payment_provider TEXT NOT NULL,
    pickup_location_id INTEGER,
    pickup_location_name TEXT,
    tracking_number TEXT NOT NULL,
    ip_address TEXT NOT NULL,
    invoice_url TEXT,
    delivery_date TEXT,
    is_test INTEGER NOT NULL,
    internal_status_id INTEGER REFERENCES order_statuses (id),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    voucher_terms TEXT,
    voucher_discount INTEGER NOT NULL DEFAULT 0,
    manual_discount INTEGER,
    waived_shipping INTEGER NOT NULL DEFAULT 0,
    shipping_tax_rate INTEGER NOT NULL DEFAULT 0,
    first_paid_at TEXT,
    base_payment_status TEXT,
    paid_amount INTEGER,
    changed_in INTEGER NOT NULL DEFAULT 0,
    phone_digits TEXT
  ) STRICT`,
  `CREATE INDEX orders_by_pickup_location ON orders (pickup_location_id) WHERE pickup_location_id IS NOT NULL`,
  // Orders that are paid but not sent, which are few. Each index contains all columns that its query reads.
  `CREATE INDEX orders_unsent ON orders (coalesce(first_paid_at, created_at), status, is_test, payment_status)
    WHERE is_test = 0 AND status IN ('pending', 'processing') AND payment_status = 'paid'`,
  `CREATE INDEX orders_late ON orders (delivery_date, payment_status, first_paid_at, created_at, status, is_test)
    WHERE is_test = 0 AND status IN ('pending', 'processing') AND delivery_date IS NOT NULL`,
  `CREATE INDEX orders_by_created ON orders
    (is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_status ON orders
    (is_test, status, created_at, id, payment_status, total, delivery_date, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_payment_status ON orders
    (is_test, payment_status, created_at, id, status, total, delivery_date, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_total ON orders
    (is_test, total, id, status, payment_status, created_at, delivery_date, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_customer_name ON orders (is_test, customer_name_folded, id, status, payment_status, total, created_at,
    customer_email_folded, delivery_date, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_status_name ON orders
    (is_test, status, id, payment_status, total, created_at, delivery_date, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_delivery_date ON orders
    (is_test, delivery_date, total, status, payment_status, created_at, id, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_customer ON orders
    (customer_id, is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_internal_status ON orders
    (internal_status_id, is_test, created_at, id, status, payment_status, total, delivery_date, paid_amount)`,
  `CREATE INDEX orders_by_payment_progress ON orders
    (is_test, (${progressOf('')}), created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount)`,
  `CREATE INDEX orders_by_change ON orders (changed_in, id)`,
  `CREATE INDEX orders_by_updated ON orders
    (is_test, updated_at, id, status, payment_status, created_at, total, delivery_date, internal_status_id, paid_amount)`,
  `CREATE TABLE order_items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    product_id INTEGER NOT NULL REFERENCES products (id),
    variant_id INTEGER NOT NULL REFERENCES variants (id),
    product_name TEXT NOT NULL,
    product_sku TEXT NOT NULL,
    variant_label TEXT NOT NULL,
    unit_price INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    subtotal INTEGER NOT NULL,
    discount_amount INTEGER NOT NULL,
    tax_rate INTEGER NOT NULL,
    tax_amount INTEGER NOT NULL,
    custom_fields TEXT NOT NULL,
    position INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX order_items_by_order ON order_items (order_id, position, id)`,
  // Used to find out whether a product or variant was ever ordered; the foreign keys check the same on a deletion.
  `CREATE INDEX order_items_by_product ON order_items (product_id)`,
  `CREATE INDEX order_items_by_variant ON order_items (variant_id)`,
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
  `CREATE TABLE order_comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    author_id INTEGER NOT NULL,
    author TEXT NOT NULL,
    run_id INTEGER,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    edited_at TEXT,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX order_comments_by_order ON order_comments (order_id, created_at, id)`,
  `CREATE TABLE payments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    paid INTEGER NOT NULL,
    paid_at TEXT,
    note TEXT,
    sort_order INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX payments_by_order ON payments (order_id, sort_order, id)`,
  `CREATE INDEX payments_by_creation ON payments (order_id, id)`,
  `CREATE TABLE vouchers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL,
    code_folded TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    percent_bps INTEGER,
    amount_cents INTEGER,
    min_subtotal_cents INTEGER NOT NULL,
    usage_limit INTEGER,
    per_customer_limit INTEGER,
    used_count INTEGER NOT NULL DEFAULT 0 CHECK (used_count >= 0),
    valid_from TEXT,
    valid_to TEXT,
    active INTEGER NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE TABLE voucher_uses (
    voucher_id INTEGER NOT NULL REFERENCES vouchers (id),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    customer_id INTEGER REFERENCES customers (id),
    at TEXT NOT NULL,
    PRIMARY KEY (voucher_id, order_id)
  ) STRICT`,
  `CREATE INDEX voucher_uses_by_order ON voucher_uses (order_id)`,
  `CREATE INDEX voucher_uses_by_customer ON voucher_uses (customer_id, voucher_id) WHERE customer_id IS NOT NULL`,
];

/** The orders that are not sent, which are few. This stands behind the upkeeps, where a migration has put it in older stores. */
export const ordersToSend: readonly Statement[] = [
  `CREATE INDEX orders_to_send ON orders
    (is_test, created_at, id, status, payment_status, first_paid_at, total, delivery_date, internal_status_id, paid_amount)
    WHERE status IN ('pending', 'processing')`,
];
