import type { Statement } from '../dialect.ts';

/**
 * What lists are sorted by that the variants of a product make: its lowest price, below all others without a variant, and its counted
 * stock, above all others where none is counted. Whatever writes variants writes these, too, once it has locked the product.
 */
export const sortValues = {
  sort_price: 'coalesce((SELECT min(v.price_cents) FROM variants v WHERE v.product_id = products.id), -1)',
  sort_stock: `coalesce(
    (SELECT CAST(sum(v.stock) AS bigint) FROM variants v WHERE v.product_id = products.id AND v.track_stock = 1), 9000000000000000)`,
};

export const fillSortValues = `UPDATE products SET sort_price = ${sortValues.sort_price}, sort_stock = ${sortValues.sort_stock}`;

export const sortIndexes = [
  `CREATE INDEX products_by_price ON products (sort_price, id)`,
  `CREATE INDEX products_by_stock ON products (sort_stock, id)`,
];

/** Products with their variants and the movements of their stock. */
export const products: readonly Statement[] = [
  `CREATE TABLE products (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id TEXT NOT NULL UNIQUE,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    description TEXT NOT NULL,
    status TEXT NOT NULL,
    kind TEXT NOT NULL,
    tax_rate_id INTEGER REFERENCES tax_rates (id),
    low_stock_threshold INTEGER,
    custom_fields TEXT NOT NULL,
    is_subscription INTEGER NOT NULL,
    billing_interval TEXT,
    billing_interval_count INTEGER NOT NULL,
    cancellation_policy TEXT NOT NULL,
    max_billing_cycles INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    changed_in INTEGER NOT NULL DEFAULT 0,
    sort_price INTEGER NOT NULL DEFAULT -1,
    sort_stock INTEGER NOT NULL DEFAULT 9000000000000000
  ) STRICT`,
  `CREATE INDEX products_by_created ON products (created_at, id)`,
  `CREATE INDEX products_by_tax_rate ON products (tax_rate_id) WHERE tax_rate_id IS NOT NULL`,
  `CREATE INDEX products_by_name ON products (name_folded, id, status)`,
  `CREATE INDEX products_by_change ON products (changed_in, id)`,
  `CREATE INDEX products_by_updated ON products (updated_at, id)`,
  ...sortIndexes,
  `CREATE TABLE variants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL REFERENCES products (id),
    sku TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    compare_at_price_cents INTEGER,
    track_stock INTEGER NOT NULL,
    stock INTEGER NOT NULL,
    allow_backorder INTEGER NOT NULL,
    weight_grams INTEGER NOT NULL,
    position INTEGER NOT NULL,
    active INTEGER NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    sku_folded TEXT NOT NULL DEFAULT '',
    label_folded TEXT NOT NULL DEFAULT ''
  ) STRICT`,
  `CREATE INDEX variants_tracked ON variants (product_id, stock) WHERE track_stock = 1`,
  `CREATE INDEX variants_by_sku ON variants (sku_folded, id)`,
  // The indexes contain all that a search compares.
  `CREATE INDEX variants_by_product ON variants (product_id, position, id, active, sku_folded, label_folded)`,
  `CREATE TABLE stock_movements (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    variant_id INTEGER NOT NULL REFERENCES variants (id),
    delta INTEGER NOT NULL,
    reason TEXT NOT NULL,
    order_id INTEGER,
    actor TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX stock_movements_by_variant ON stock_movements (variant_id, id)`,
  `CREATE INDEX stock_movements_by_order ON stock_movements (order_id) WHERE order_id IS NOT NULL`,
];
