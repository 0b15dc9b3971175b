import { postgres as sums } from './0017-dashboard.ts';

/**
 * Makes everything about a customer findable, so that it can be forgotten: log entries and mails name the record that they are about and
 * its customer, inquiries have their sender's address as a column. Data that needs no personal details no longer has any.
 */

const ofCustomer = ['customer_note', 'customer_file', 'access_grant'];
const types = ['customer', 'order', 'inquiry', 'payment', 'customer_address', ...ofCustomer];
const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

const linked = ['audit_log', 'log_entries', 'run_effects'];
/** Entries about notes, files and grants, also deleted ones, get their customer from the log. */
const linkByLog = (table: string) => `UPDATE ${table} SET customer_id = (
    SELECT max(l.customer_id) FROM log_entries AS l
    WHERE l.resource_type = ${table}.resource_type AND l.resource_id = ${table}.resource_id AND l.customer_id IS NOT NULL
  ) WHERE resource_type IN (${quoted(ofCustomer)})`;
const linkByAddress = (table: string) => `UPDATE ${table} SET customer_id = (
    SELECT a.customer_id FROM addresses AS a WHERE a.id = ${table}.resource_id
  ) WHERE resource_type = 'customer_address'`;

export const statements: readonly (string | { sqlite: string[]; postgres: string[] })[] = [
  `ALTER TABLE customers ADD COLUMN anonymised_at TEXT`,
  `ALTER TABLE inquiries ADD COLUMN email_folded TEXT NOT NULL DEFAULT ''`,
  `UPDATE inquiries SET email_folded = upper(trim(email))`,
  `CREATE INDEX inquiries_by_email ON inquiries (email_folded)`,
  `ALTER TABLE log_entries ADD COLUMN resource_type TEXT`,
  `ALTER TABLE log_entries ADD COLUMN resource_id INTEGER`,
  `ALTER TABLE mails ADD COLUMN resource_type TEXT`,
  `ALTER TABLE mails ADD COLUMN resource_id INTEGER`,
  ...linked.map((table) => `ALTER TABLE ${table} ADD COLUMN customer_id INTEGER`),
  {
    sqlite: [
      ...types.map(
        (type) => `UPDATE log_entries SET resource_type = '${type}', resource_id = json_extract(detail, '$.${type}_id')
          WHERE resource_type IS NULL AND action LIKE 'admin.%' AND json_type(detail, '$.${type}_id') = 'integer'`,
      ),
      `UPDATE log_entries SET customer_id = CAST(substr(summary, 10) AS INTEGER)
        WHERE resource_type IN (${quoted(ofCustomer)}) AND summary LIKE 'Customer %'`,
      `UPDATE domain_events SET data = json_remove(data, '$.subject') WHERE type = 'inquiry.received'`,
    ],
    postgres: [
      ...types.map(
        (type) => `UPDATE log_entries SET resource_type = '${type}', resource_id = CAST(detail::json ->> '${type}_id' AS bigint)
          WHERE resource_type IS NULL AND action LIKE 'admin.%' AND json_typeof(detail::json -> '${type}_id') = 'number'`,
      ),
      `UPDATE log_entries SET customer_id = CAST(substring(summary FROM '^Customer ([0-9]+):') AS bigint)
        WHERE resource_type IN (${quoted(ofCustomer)})`,
      `UPDATE domain_events SET data = (data::jsonb - 'subject')::text WHERE type = 'inquiry.received'`,
      // Only for PostgreSQL: SQLite already has orders_by_buyer.
      `CREATE INDEX orders_by_email ON orders (customer_email_folded)`,
      // Replaces the functions by their present form, in which a statement that changes thousands of orders takes linear and not quadratic
      // time.
      ...sums.tables
        .filter((statement) => statement.startsWith('CREATE FUNCTION sum_changed_'))
        .map((statement) => statement.replace('CREATE', 'CREATE OR REPLACE')),
    ],
  },
  `CREATE INDEX log_entries_by_resource ON log_entries (resource_type, resource_id) WHERE resource_id IS NOT NULL`,
  ...['audit_log', 'run_effects'].map(linkByLog),
  ...linked.map(linkByAddress),
  `UPDATE mails SET resource_type = 'customer', resource_id = (
    SELECT c.id FROM customers AS c WHERE c.email_folded = upper(trim(mails.to_address)) AND c.email_folded <> ''
  )`,
  // Messages of mail servers often contain the recipient's address.
  `UPDATE notifications SET message = 'Mails could not be sent.', metadata = NULL WHERE type = 'smtp_error'`,
  `CREATE INDEX mails_by_resource ON mails (resource_type, resource_id) WHERE resource_id IS NOT NULL`,
  `CREATE INDEX run_effects_by_resource ON run_effects (resource_type, resource_id) WHERE resource_id IS NOT NULL`,
  ...linked.map((table) => `CREATE INDEX ${table}_by_customer ON ${table} (customer_id) WHERE customer_id IS NOT NULL`),
  // A bucket is deleted with its customer, and the foreign key then looks for its ledger entries.
  `CREATE INDEX credit_transactions_by_bucket ON credit_transactions (credit_id)`,
];
