import type { Statement } from '../dialect.ts';

/**
 * What the store keeps about itself and its requests: settings, keys of requests that were carried out, leases, and the progress of
 * long work.
 */
export const store: readonly Statement[] = [
  `CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE idempotency (
    scope TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX idempotency_by_age ON idempotency (created_at)`,
  `CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    lease_until INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX leases_by_holder ON leases (holder)`,
  `CREATE TABLE imports (
    source TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT`,
];
