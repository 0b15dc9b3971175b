import type { EngineUpkeep, Upkeep } from './upkeep.ts';

/** Counts of orders by day and state: lists of a million orders are fast by them. */

const countKey = 'day, is_test, status, payment_status, dated';
const stateOf = (row: 'NEW' | 'OLD') => `${row}.is_test, ${row}.status, ${row}.payment_status, ${row}.delivery_date IS NOT NULL`;
/** The day '' holds the counts of all days, 'M2026-01' those of a month. */
const countNew = `INSERT INTO order_counts (${countKey}, n)
    VALUES ('', ${stateOf('NEW')}, 1),
      ('M' || substr(NEW.created_at, 1, 7), ${stateOf('NEW')}, 1),
      (substr(NEW.created_at, 1, 10), ${stateOf('NEW')}, 1)
    ON CONFLICT (${countKey}) DO UPDATE SET n = n + 1`;
const uncountOld = `UPDATE order_counts SET n = n - 1
    WHERE day IN ('', 'M' || substr(OLD.created_at, 1, 7), substr(OLD.created_at, 1, 10))
      AND (is_test, status, payment_status, dated) = (${stateOf('OLD')})`;

const sqlite: EngineUpkeep = {
  tables: [
    `CREATE TABLE order_counts (
      day TEXT NOT NULL,
      is_test INTEGER NOT NULL,
      status TEXT NOT NULL,
      payment_status TEXT NOT NULL,
      dated INTEGER NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (${countKey})
    ) STRICT, WITHOUT ROWID`,
  ],
  triggers: {
    orders_counted_insert: `AFTER INSERT ON orders BEGIN ${countNew}; END`,
    orders_counted_update: `AFTER UPDATE OF is_test, status, payment_status, delivery_date, created_at ON orders
      WHEN (${stateOf('OLD')}, substr(OLD.created_at, 1, 10)) IS NOT (${stateOf('NEW')}, substr(NEW.created_at, 1, 10))
      BEGIN ${uncountOld}; ${countNew}; END`,
    orders_counted_delete: `AFTER DELETE ON orders BEGIN ${uncountOld}; END`,
  },
  fill: [
    `DELETE FROM order_counts`,
    `INSERT INTO order_counts (${countKey}, n)
      SELECT substr(created_at, 1, 10), is_test, status, payment_status, delivery_date IS NOT NULL, count(*)
      FROM orders GROUP BY 1, 2, 3, 4, 5`,
    `INSERT INTO order_counts (${countKey}, n)
      SELECT 'M' || substr(day, 1, 7), is_test, status, payment_status, dated, sum(n) FROM order_counts GROUP BY 1, 2, 3, 4, 5`,
    `INSERT INTO order_counts (${countKey}, n)
      SELECT '', is_test, status, payment_status, dated, sum(n) FROM order_counts WHERE day < 'M' GROUP BY 2, 3, 4, 5`,
  ],
};

const pgState = `is_test, status, payment_status, (delivery_date IS NOT NULL)::int`;
const pgDays = `CROSS JOIN LATERAL (VALUES (''), ('M' || left(created_at, 7)), (left(created_at, 10))) AS days (day)`;
const pgColumns = 'is_test, status, payment_status, delivery_date, created_at';
const pgFunction = (name: string, changes: string) => `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO order_counts (${countKey}, merged, n)
    SELECT day, ${pgState}, 0, sum(change) FROM (${changes}) AS changes ${pgDays} GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0;
    RETURN NULL;
  END $$`;

/**
 * On PostgreSQL a count is the sum of its rows: concurrent transactions only add rows, so that none waits for another, and
 * a loop merges them from time to time.
 */
const postgres: EngineUpkeep = {
  tables: [
    `CREATE TABLE order_counts (
      day text COLLATE "C" NOT NULL,
      is_test bigint NOT NULL,
      status text COLLATE "C" NOT NULL,
      payment_status text COLLATE "C" NOT NULL,
      dated bigint NOT NULL,
      merged bigint NOT NULL,
      n bigint NOT NULL
    )`,
    `CREATE INDEX order_counts_by_day ON order_counts (day)`,
    `CREATE UNIQUE INDEX order_counts_merged ON order_counts (${countKey}) WHERE merged = 1`,
    `CREATE INDEX order_counts_added ON order_counts (day) WHERE merged = 0`,
    pgFunction('count_added_orders', `SELECT ${pgColumns}, 1 AS change FROM added`),
    pgFunction('count_changed_orders', `SELECT ${pgColumns}, 1 AS change FROM added UNION ALL SELECT ${pgColumns}, -1 FROM removed`),
    pgFunction('count_removed_orders', `SELECT ${pgColumns}, -1 AS change FROM removed`),
  ],
  triggers: {
    orders_counted_insert: `AFTER INSERT ON orders REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_added_orders()`,
    orders_counted_update: `AFTER UPDATE ON orders REFERENCING OLD TABLE AS removed NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_changed_orders()`,
    orders_counted_delete: `AFTER DELETE ON orders REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION count_removed_orders()`,
  },
  fill: [
    `DELETE FROM order_counts`,
    `INSERT INTO order_counts (${countKey}, merged, n) SELECT day, ${pgState}, 1, count(*) FROM orders ${pgDays} GROUP BY 1, 2, 3, 4, 5`,
  ],
};

export const orderCounts: Upkeep = {
  sqlite,
  postgres,
  merges: [
    `WITH added AS (DELETE FROM order_counts WHERE merged = 0 RETURNING *)
      INSERT INTO order_counts AS known (${countKey}, merged, n)
      SELECT ${countKey}, 1, sum(n) FROM added GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (${countKey}) WHERE merged = 1 DO UPDATE SET n = known.n + excluded.n`,
  ],
};
