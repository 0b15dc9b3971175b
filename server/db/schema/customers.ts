import type { Statement } from '../dialect.ts';
import { trigramIndexes } from './trigrams.ts';

/** Customers, with all that belongs to one. */
export const customers: readonly Statement[] = [
  `CREATE TABLE customers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    phone TEXT,
    registered INTEGER NOT NULL,
    is_b2b INTEGER NOT NULL,
    discount_group_id INTEGER,
    register_ip TEXT NOT NULL,
    last_login_ip TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    anonymised_at TEXT,
    marketing_opt_out INTEGER NOT NULL DEFAULT 0,
    changed_in INTEGER NOT NULL DEFAULT 0,
    email_key TEXT,
    phone_digits TEXT
  ) STRICT`,
  `CREATE INDEX customers_by_email_sort ON customers (email_folded, id)`,
  `CREATE INDEX customers_by_name ON customers (name_folded, id)`,
  `CREATE INDEX customers_by_created ON customers (created_at, id)`,
  `CREATE INDEX customers_by_discount_group ON customers (discount_group_id) WHERE discount_group_id IS NOT NULL`,
  {
    sqlite: [`CREATE INDEX customers_by_text ON customers (name_folded, email_folded, registered, created_at)`],
    postgres: [],
  },
  `CREATE INDEX customers_by_change ON customers (changed_in, id)`,
  `CREATE INDEX customers_by_updated ON customers (updated_at, id)`,
  // Of an email in ASCII the folded email is the key; only the few others have one of their own.
  `CREATE UNIQUE INDEX customers_by_email ON customers (coalesce(email_key, nullif(email_folded, '')))`,
  {
    sqlite: [`CREATE INDEX customers_by_phone ON customers (phone_digits) WHERE phone_digits IS NOT NULL`],
    postgres: trigramIndexes({
      customers_by_text: 'customers USING gin (name_folded gin_trgm_ops, email_folded gin_trgm_ops)',
      customers_by_phone: 'customers USING gin (phone_digits gin_trgm_ops) WHERE phone_digits IS NOT NULL',
    }),
  },
  `CREATE TABLE addresses (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    address_type TEXT NOT NULL,
    label TEXT NOT NULL,
    line1 TEXT NOT NULL,
    line2 TEXT,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    country TEXT NOT NULL,
    is_default INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX addresses_by_customer ON addresses (customer_id, id)`,
  `CREATE TABLE customer_notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    author TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    author_id INTEGER,
    run_id INTEGER,
    edited_at TEXT,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX customer_notes_by_customer ON customer_notes (customer_id, created_at, id)`,
  `CREATE TABLE customer_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    storage_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    note TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX customer_files_by_customer ON customer_files (customer_id, created_at, id)`,
  `CREATE TABLE credit_buckets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    remaining_credits INTEGER NOT NULL CHECK (remaining_credits >= 0),
    expires_at TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX credit_buckets_by_customer ON credit_buckets (customer_id, expires_at, id)`,
  // By this index the loop finds expired credit that is not yet in the ledger.
  `CREATE INDEX credit_buckets_expiring ON credit_buckets (expires_at, customer_id)
    WHERE remaining_credits > 0 AND expires_at IS NOT NULL`,
  `CREATE TABLE credit_transactions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    delta_credits INTEGER NOT NULL,
    credit_id INTEGER NOT NULL REFERENCES credit_buckets (id),
    reference TEXT,
    note TEXT,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX credit_transactions_by_customer ON credit_transactions (customer_id, id)`,
  // A bucket is deleted with its customer, and the foreign key then looks for its ledger entries.
  `CREATE INDEX credit_transactions_by_bucket ON credit_transactions (credit_id)`,
  `CREATE TABLE inquiries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER REFERENCES customers (id),
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    answer TEXT,
    answered_at TEXT,
    search_folded TEXT NOT NULL,
    created_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    email_folded TEXT NOT NULL DEFAULT '',
    updated_at TEXT NOT NULL DEFAULT '',
    changed_in INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE INDEX inquiries_by_creation ON inquiries (created_at, id)`,
  `CREATE INDEX inquiries_unanswered ON inquiries (created_at, id) WHERE answered_at IS NULL`,
  `CREATE INDEX inquiries_by_email ON inquiries (email_folded)`,
  `CREATE INDEX inquiries_by_change ON inquiries (changed_in, id)`,
  `CREATE INDEX inquiries_by_updated ON inquiries (updated_at, id)`,
  `CREATE INDEX inquiries_by_customer ON inquiries (customer_id, created_at, id)`,
  `CREATE TABLE unsubscribe_links (
    token_hash TEXT PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX unsubscribe_links_by_customer ON unsubscribe_links (customer_id)`,
  `CREATE INDEX unsubscribe_links_by_age ON unsubscribe_links (created_at)`,
];
