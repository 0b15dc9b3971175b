import type { EngineUpkeep, Upkeep } from './upkeep.ts';

/** Counts of orders by internal status, by delivery date and by payment progress, beside those by day. */

/**
 * How much of an order is paid, as in `resources/order-lists/store.ts`: SQLite uses the index only for the same expression. No column has it, because
 * SQLite cannot add a stored one, and does not answer from an index alone if that contains a computed one.
 */
export const progressOf = (prefix: string) => {
  const paid = `coalesce(${prefix}paid_amount, CASE WHEN ${prefix}payment_status = 'paid' THEN ${prefix}total ELSE 0 END)`;
  return `CASE WHEN ${paid} > ${prefix}total THEN 'overpaid' WHEN ${paid} = ${prefix}total THEN 'paid'
    WHEN ${paid} > 0 THEN 'partial' ELSE 'unpaid' END`;
};

const countKey = 'part, is_test, status, payment_status';
/** The part `I5` counts the orders with internal status 5, `I` those without one, `D2026-05-01` and `Ppartial` the others. */
const partsOf = (prefix: string) => [
  `'I' || coalesce(CAST(${prefix}internal_status_id AS TEXT), '')`,
  `'D' || ${prefix}delivery_date`,
  `'P' || ${progressOf(prefix)}`,
];
const filled = partsOf('').map(
  (part) => `SELECT ${part} AS part, is_test, status, payment_status, count(*) AS n FROM orders GROUP BY 1, 2, 3, 4`,
);
const emptied = 'DELETE FROM order_part_counts';

const stateOf = (row: 'NEW' | 'OLD') => `${row}.is_test, ${row}.status, ${row}.payment_status`;
const watched = ['is_test', 'status', 'payment_status', 'internal_status_id', 'delivery_date', 'total', 'paid_amount'];
const watchedOf = (row: 'NEW' | 'OLD') => `(${watched.map((column) => `${row}.${column}`).join(', ')})`;
const countNew = `INSERT INTO order_part_counts (${countKey}, n)
    SELECT part, ${stateOf('NEW')}, 1 FROM (${partsOf('NEW.')
      .map((part) => `SELECT ${part} AS part`)
      .join(' UNION ALL ')}) WHERE part IS NOT NULL
    ON CONFLICT (${countKey}) DO UPDATE SET n = n + 1`;
const uncountOld = `UPDATE order_part_counts SET n = n - 1
    WHERE part IN (${partsOf('OLD.').join(', ')}) AND (is_test, status, payment_status) = (${stateOf('OLD')})`;

const sqlite: EngineUpkeep = {
  tables: [
    `CREATE TABLE order_part_counts (
      part TEXT NOT NULL,
      is_test INTEGER NOT NULL,
      status TEXT NOT NULL,
      payment_status TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (${countKey})
    ) STRICT, WITHOUT ROWID`,
  ],
  triggers: {
    order_parts_insert: `AFTER INSERT ON orders BEGIN ${countNew}; END`,
    order_parts_update: `AFTER UPDATE OF ${watched.join(', ')} ON orders WHEN ${watchedOf('OLD')} IS NOT ${watchedOf('NEW')}
      BEGIN ${uncountOld}; ${countNew}; END`,
    order_parts_delete: `AFTER DELETE ON orders BEGIN ${uncountOld}; END`,
  },
  fill: [emptied, ...filled.map((rows) => `INSERT INTO order_part_counts (${countKey}, n) SELECT * FROM (${rows}) WHERE part IS NOT NULL`)],
};

const pgFunction = (name: string, changes: string) => `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO order_part_counts (${countKey}, merged, n)
    SELECT ${countKey}, 0, sum(change) FROM (${changes}) AS changes
    CROSS JOIN LATERAL (VALUES ${partsOf('')
      .map((part) => `(${part})`)
      .join(', ')}) AS parts (part) WHERE part IS NOT NULL
    GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0;
    RETURN NULL;
  END $$`;
const changed = watched.join(', ');
const added = `SELECT ${changed}, 1 AS change FROM added`;
const removed = `SELECT ${changed}, -1 AS change FROM removed`;

/** On PostgreSQL a count is the sum of its rows, as for the counts by day. */
const postgres: EngineUpkeep = {
  tables: [
    `CREATE TABLE order_part_counts (
      part text COLLATE "C" NOT NULL,
      is_test bigint NOT NULL,
      status text COLLATE "C" NOT NULL,
      payment_status text COLLATE "C" NOT NULL,
      merged bigint NOT NULL,
      n bigint NOT NULL
    )`,
    `CREATE INDEX order_part_counts_by_part ON order_part_counts (part)`,
    `CREATE UNIQUE INDEX order_part_counts_merged ON order_part_counts (${countKey}) WHERE merged = 1`,
    `CREATE INDEX order_part_counts_added ON order_part_counts (part) WHERE merged = 0`,
    pgFunction('count_added_parts', added),
    pgFunction('count_changed_parts', `${added} UNION ALL ${removed}`),
    pgFunction('count_removed_parts', removed),
  ],
  triggers: {
    order_parts_insert: `AFTER INSERT ON orders REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_added_parts()`,
    order_parts_update: `AFTER UPDATE ON orders REFERENCING OLD TABLE AS removed NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_changed_parts()`,
    order_parts_delete: `AFTER DELETE ON orders REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION count_removed_parts()`,
  },
  fill: [
    emptied,
    ...filled.map(
      (rows) => `INSERT INTO order_part_counts (${countKey}, n, merged) SELECT filled.*, 1 FROM (${rows}) AS filled WHERE part IS NOT NULL`,
    ),
  ],
};

export const orderParts: Upkeep = {
  sqlite,
  postgres,
  merges: [
    `WITH added AS (DELETE FROM order_part_counts WHERE merged = 0 RETURNING *)
    INSERT INTO order_part_counts AS known (${countKey}, merged, n)
    SELECT ${countKey}, 1, sum(n) FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (${countKey}) WHERE merged = 1 DO UPDATE SET n = known.n + excluded.n`,
  ],
};
