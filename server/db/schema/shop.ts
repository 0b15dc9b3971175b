import type { Statement } from '../dialect.ts';

/** Records that orders and products refer to. */
export const shop: readonly Statement[] = [
  `CREATE TABLE tax_rates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    rate_bps INTEGER NOT NULL,
    country TEXT,
    is_default INTEGER NOT NULL,
    name_folded TEXT NOT NULL DEFAULT '',
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  // At most one rate is the default; the verbs ensure that there is one as soon as a rate exists.
  `CREATE UNIQUE INDEX tax_rates_default ON tax_rates (is_default) WHERE is_default = 1`,
  `CREATE INDEX tax_rates_by_name ON tax_rates (name_folded, id)`,
  `CREATE TABLE order_statuses (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL UNIQUE,
    color TEXT NOT NULL,
    sort_order INTEGER NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX order_statuses_by_order ON order_statuses (sort_order, id)`,
  `CREATE TABLE discount_groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    percent_bps INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX discount_groups_by_name ON discount_groups (name_folded, id)`,
  `CREATE TABLE pickup_locations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    line1 TEXT NOT NULL,
    line2 TEXT NOT NULL,
    city TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    country TEXT NOT NULL,
    opening_hours TEXT NOT NULL,
    active INTEGER NOT NULL,
    sort_order INTEGER NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX pickup_locations_by_order ON pickup_locations (sort_order, id)`,
  `CREATE TABLE shipping_methods (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    free_over_cents INTEGER,
    tax_rate_id INTEGER REFERENCES tax_rates (id),
    countries TEXT NOT NULL,
    delivery_estimate TEXT NOT NULL,
    active INTEGER NOT NULL,
    sort_order INTEGER NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX shipping_methods_by_order ON shipping_methods (sort_order, id)`,
  `CREATE INDEX shipping_methods_by_tax_rate ON shipping_methods (tax_rate_id) WHERE tax_rate_id IS NOT NULL`,
];
