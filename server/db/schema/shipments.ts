import type { Statement } from '../dialect.ts';

/** Shipments with their purchases, and labels to be refunded. */
export const shipments: readonly Statement[] = [
  `CREATE TABLE shipments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    provider TEXT NOT NULL,
    provider_key TEXT UNIQUE,
    provider_shipment_id TEXT,
    courier_id TEXT,
    courier_name TEXT,
    cost_cents INTEGER,
    tracking_number TEXT,
    label_url TEXT,
    parcel TEXT,
    options TEXT NOT NULL,
    tracking_events TEXT NOT NULL,
    wanted_courier_id TEXT,
    purchase_scope TEXT,
    purchase_started_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX shipments_by_order ON shipments (order_id, id)`,
  `CREATE INDEX shipments_purchasing ON shipments (id) WHERE status = 'purchasing'`,
  `CREATE TABLE label_refunds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    shipment_id INTEGER NOT NULL,
    order_id INTEGER NOT NULL,
    provider TEXT NOT NULL,
    provider_key TEXT NOT NULL,
    provider_shipment_id TEXT,
    courier_name TEXT,
    tracking_number TEXT,
    perhaps_until TEXT,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    last_error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX label_refunds_due ON label_refunds (next_at) WHERE status = 'pending'`,
];
