import type { Statement } from '../dialect.ts';

/** PostgreSQL: the transaction that stored an event, by which a look for events finds out which it cannot have seen. SQLite has one writer. */
const numberedEvents: Statement = {
  sqlite: [],
  postgres: ['ALTER TABLE domain_events ALTER COLUMN stored_in SET DEFAULT CAST(CAST(pg_current_xact_id() AS text) AS bigint)'],
};
const eventsByType = 'CREATE INDEX domain_events_by_type ON domain_events (type, at, id)';
/** What lets a run wait for events. */
export const awaitedEvents: readonly Statement[] = [numberedEvents, eventsByType];

/** What happened: the audit log, the log for people, and the events of the shop. */
export const logs: readonly Statement[] = [
  `CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id INTEGER,
    token_id INTEGER,
    run_id INTEGER,
    action TEXT NOT NULL,
    resource_type TEXT NOT NULL,
    resource_id INTEGER,
    changes TEXT NOT NULL,
    request_id TEXT NOT NULL,
    ip TEXT NOT NULL,
    customer_id INTEGER,
    order_id INTEGER,
    undo_of_entry_id INTEGER
  ) STRICT`,
  `CREATE INDEX audit_log_by_resource ON audit_log (resource_type, resource_id, id)`,
  `CREATE INDEX audit_log_by_actor ON audit_log (actor_id, id)`,
  `CREATE INDEX audit_log_by_action ON audit_log (action, id)`,
  `CREATE INDEX audit_log_by_time ON audit_log (at, id)`,
  `CREATE INDEX audit_log_by_customer ON audit_log (customer_id, id) WHERE customer_id IS NOT NULL`,
  `CREATE INDEX audit_log_by_order ON audit_log (order_id, id) WHERE order_id IS NOT NULL`,
  `CREATE INDEX audit_log_by_undo ON audit_log (undo_of_entry_id, id) WHERE undo_of_entry_id IS NOT NULL`,
  `CREATE TABLE log_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    action TEXT NOT NULL,
    status TEXT NOT NULL,
    summary TEXT NOT NULL,
    detail TEXT,
    created_at TEXT NOT NULL,
    resource_type TEXT,
    resource_id INTEGER,
    customer_id INTEGER,
    admin_id INTEGER,
    admin_name TEXT,
    run_id INTEGER
  ) STRICT`,
  `CREATE INDEX log_entries_by_source ON log_entries (source, created_at, id)`,
  `CREATE INDEX log_entries_by_time ON log_entries (created_at, id)`,
  `CREATE INDEX log_entries_by_resource ON log_entries (resource_type, resource_id) WHERE resource_id IS NOT NULL`,
  `CREATE INDEX log_entries_by_customer ON log_entries (customer_id) WHERE customer_id IS NOT NULL`,
  `CREATE TABLE domain_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    at TEXT NOT NULL,
    lineage_id TEXT,
    stored_in INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  // Old events are deleted by their time; the foreign key then looks for triggers that still wait for the event.
  `CREATE INDEX domain_events_by_time ON domain_events (at, id)`,
  ...awaitedEvents,
];
