import type { Statement } from '../dialect.ts';

/** Access groups of files and pages, and the entitlements that give customers access: from orders, subscriptions or grants. */
export const access: readonly Statement[] = [
  `CREATE TABLE access_groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    description TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX access_groups_by_name ON access_groups (name_folded, id)`,
  `CREATE TABLE access_group_files (
    group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    file_id INTEGER NOT NULL REFERENCES files (id),
    sort_order INTEGER NOT NULL,
    PRIMARY KEY (group_id, file_id)
  ) STRICT`,
  `CREATE INDEX access_group_files_by_order ON access_group_files (group_id, sort_order, file_id)`,
  `CREATE INDEX access_group_files_by_file ON access_group_files (file_id)`,
  `CREATE TABLE access_group_pages (
    group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    sort_order INTEGER NOT NULL,
    PRIMARY KEY (group_id, page_id)
  ) STRICT`,
  `CREATE INDEX access_group_pages_by_order ON access_group_pages (group_id, sort_order, page_id)`,
  `CREATE INDEX access_group_pages_by_page ON access_group_pages (page_id)`,
  `CREATE TABLE product_access_groups (
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    duration_days INTEGER,
    PRIMARY KEY (product_id, group_id)
  ) STRICT`,
  `CREATE INDEX product_access_groups_by_group ON product_access_groups (group_id)`,
  `CREATE TABLE access_grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    expires_at TEXT,
    granted_by INTEGER NOT NULL REFERENCES admins (id),
    note TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX access_grants_by_group ON access_grants (group_id)`,
  `CREATE INDEX access_grants_by_customer ON access_grants (customer_id)`,
  // An order's entitlements have one row for each product and group, with the product's groups at the time of the order.
  `CREATE TABLE entitlements (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    order_id INTEGER REFERENCES orders (id),
    product_id INTEGER,
    subscription_id INTEGER REFERENCES subscriptions (id),
    grant_id INTEGER REFERENCES access_grants (id) ON DELETE CASCADE,
    starts_at TEXT NOT NULL,
    expires_at TEXT,
    withheld TEXT
  ) STRICT`,
  `CREATE INDEX entitlements_by_group ON entitlements (group_id, customer_id)`,
  `CREATE INDEX entitlements_by_customer ON entitlements (customer_id, group_id)`,
  `CREATE UNIQUE INDEX entitlements_by_order ON entitlements (order_id, product_id, group_id) WHERE order_id IS NOT NULL`,
  `CREATE UNIQUE INDEX entitlements_by_subscription ON entitlements (subscription_id, group_id) WHERE subscription_id IS NOT NULL`,
  `CREATE UNIQUE INDEX entitlements_by_grant ON entitlements (grant_id) WHERE grant_id IS NOT NULL`,
  `CREATE INDEX entitlements_of_customer ON entitlements (customer_id, id)`,
  // One row for each customer and group, so that members can be counted from one index.
  `CREATE TABLE access_group_members (
    group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    until TEXT NOT NULL,
    PRIMARY KEY (group_id, customer_id)
  ) STRICT`,
  `CREATE INDEX access_group_members_by_end ON access_group_members (group_id, until)`,
  `CREATE INDEX access_group_members_by_customer ON access_group_members (customer_id)`,
];
