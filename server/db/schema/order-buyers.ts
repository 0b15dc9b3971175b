import { trigramIndexes } from './trigrams.ts';
import type { EngineUpkeep, Upkeep } from './upkeep.ts';

/**
 * The distinct buyers of orders, in whom searches look: `353` stands in nearly all phone numbers of some shops, but in a few thousand
 * distinct ones.
 */

const byBuyer = `CREATE INDEX orders_by_buyer ON orders (customer_email_folded, customer_name_folded, is_test, created_at, id,
  status, payment_status, total, delivery_date, internal_status_id, paid_amount, phone_digits)`;

const key = 'email_folded, name_folded, phone_digits';
const phoneOf = (prefix: string) => `coalesce(${prefix}phone_digits, '')`;
const keyOf = (row: 'NEW' | 'OLD') => `${row}.customer_email_folded, ${row}.customer_name_folded, ${phoneOf(`${row}.`)}`;
const watched = ['is_test', 'customer_name_folded', 'customer_email_folded', 'phone_digits'];
const watchedOf = (row: 'NEW' | 'OLD') => `(${watched.map((column) => `${row}.${column}`).join(', ')})`;
const buyersOfOrders = `SELECT customer_email_folded, customer_name_folded, ${phoneOf('')}, sum(1 - is_test), sum(is_test)`;
const words = `name_folded || char(10) || email_folded || char(10) || phone_digits`;

const addBuyer = `INSERT INTO order_buyers (${key}, orders, tests) VALUES (${keyOf('NEW')}, 1 - NEW.is_test, NEW.is_test)
    ON CONFLICT (${key}) DO UPDATE SET orders = orders + excluded.orders, tests = tests + excluded.tests`;
const removeBuyer = `UPDATE order_buyers SET orders = orders - (1 - OLD.is_test), tests = tests - OLD.is_test
    WHERE (${key}) = (${keyOf('OLD')});
  DELETE FROM order_buyers WHERE (${key}) = (${keyOf('OLD')}) AND orders = 0 AND tests = 0`;

const sqlite: EngineUpkeep = {
  tables: [
    byBuyer,
    `CREATE TABLE order_buyers (
      id INTEGER PRIMARY KEY,
      email_folded TEXT NOT NULL,
      name_folded TEXT NOT NULL,
      phone_digits TEXT NOT NULL,
      orders INTEGER NOT NULL,
      tests INTEGER NOT NULL,
      UNIQUE (${key})
    ) STRICT`,
    // The index only finds candidates by their trigrams; positions would make it three times as large.
    `CREATE VIRTUAL TABLE order_buyers_trigrams USING fts5 (
      words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1')`,
  ],
  triggers: {
    orders_buyers_insert: `AFTER INSERT ON orders BEGIN ${addBuyer}; END`,
    orders_buyers_update: `AFTER UPDATE OF ${watched.join(', ')} ON orders WHEN ${watchedOf('OLD')} IS NOT ${watchedOf('NEW')}
      BEGIN ${addBuyer}; ${removeBuyer}; END`,
    orders_buyers_delete: `AFTER DELETE ON orders BEGIN ${removeBuyer}; END`,
    order_buyers_insert: `AFTER INSERT ON order_buyers BEGIN
      INSERT INTO order_buyers_trigrams (rowid, words) SELECT id, ${words} FROM order_buyers WHERE id = NEW.id;
    END`,
    order_buyers_delete: `AFTER DELETE ON order_buyers BEGIN DELETE FROM order_buyers_trigrams WHERE rowid = OLD.id; END`,
  },
  fill: [
    `DELETE FROM order_buyers`,
    `INSERT INTO order_buyers (${key}, orders, tests) ${buyersOfOrders} FROM orders GROUP BY 1, 2, 3`,
    `INSERT INTO order_buyers_trigrams (order_buyers_trigrams) VALUES ('delete-all')`,
    `INSERT INTO order_buyers_trigrams (rowid, words) SELECT id, ${words} FROM order_buyers`,
    `INSERT INTO order_buyers_trigrams (order_buyers_trigrams) VALUES ('optimize')`,
  ],
};

const count = (row: 'NEW' | 'OLD', sign: '' | '-') => `
      INSERT INTO order_buyers (${key}, merged, orders, tests) VALUES (${keyOf(row)}, 0, ${sign}(1 - ${row}.is_test), ${sign}${row}.is_test);`;

/**
 * On PostgreSQL a buyer's numbers are the sums of the buyer's rows. Rows are only inserted and deleted, so that no transaction waits for
 * another.
 */
const postgres: EngineUpkeep = {
  tables: [
    byBuyer,
    `CREATE TABLE order_buyers (
      email_folded text COLLATE "C" NOT NULL,
      name_folded text COLLATE "C" NOT NULL,
      phone_digits text COLLATE "C" NOT NULL,
      merged bigint NOT NULL,
      orders bigint NOT NULL,
      tests bigint NOT NULL
    )`,
    `CREATE INDEX order_buyers_by_key ON order_buyers (${key})`,
    `CREATE INDEX order_buyers_added ON order_buyers (merged) WHERE merged = 0`,
    ...trigramIndexes({
      order_buyers_by_text: 'order_buyers USING gin (name_folded gin_trgm_ops, email_folded gin_trgm_ops, phone_digits gin_trgm_ops)',
    }),
    `CREATE FUNCTION keep_order_buyers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP <> 'DELETE' THEN ${count('NEW', '')}
      END IF;
      IF TG_OP <> 'INSERT' THEN ${count('OLD', '-')}
      END IF;
      RETURN NULL;
    END $$`,
  ],
  triggers: {
    orders_buyers_write: `AFTER INSERT OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION keep_order_buyers()`,
    orders_buyers_update: `AFTER UPDATE OF ${watched.join(', ')} ON orders FOR EACH ROW
      WHEN (${watchedOf('OLD')} IS DISTINCT FROM ${watchedOf('NEW')}) EXECUTE FUNCTION keep_order_buyers()`,
  },
  fill: [
    `DELETE FROM order_buyers`,
    `INSERT INTO order_buyers (${key}, orders, tests, merged) ${buyersOfOrders}, 1 FROM orders GROUP BY 1, 2, 3`,
    // The first search must not wait for the statistics.
    `ANALYZE order_buyers`,
  ],
};

/** Merges the rows of buyers that were added since the last merge. Only one transaction may merge at a time. */
export const mergeAddedBuyers = `
  WITH added AS (SELECT DISTINCT ${key} FROM order_buyers WHERE merged = 0),
    gone AS (DELETE FROM order_buyers AS b USING added AS a
      WHERE b.email_folded = a.email_folded AND b.name_folded = a.name_folded AND b.phone_digits = a.phone_digits RETURNING b.*)
  INSERT INTO order_buyers (${key}, merged, orders, tests)
  SELECT ${key}, 1, sum(orders), sum(tests) FROM gone GROUP BY ${key} HAVING sum(orders) <> 0 OR sum(tests) <> 0`;

/** `order-upkeep.ts` merges the rows, one transaction at a time. */
export const orderBuyers: Upkeep = { sqlite, postgres, merges: [] };
