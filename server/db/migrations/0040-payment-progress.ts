import { merges, postgres as without } from './0034-order-filters.ts';

/**
 * For lists of orders by payment progress: the indexes of `0034-order-filters.ts` now also contain the amount paid, a further index has the
 * progress, and counts of each progress are kept beside those of each internal status and delivery date. `order-upkeep.ts` stops and resumes
 * the counts. No column has the progress, because SQLite cannot add a stored one, and does not answer from an index alone if that contains a
 * computed one.
 */

/** How much of an order is paid, as in `resources/order-lists/store.ts`: SQLite uses the index only for the same expression. */
const progressOf = (prefix: string) => {
  const paid = `coalesce(${prefix}paid_amount, CASE WHEN ${prefix}payment_status = 'paid' THEN ${prefix}total ELSE 0 END)`;
  return `CASE WHEN ${paid} > ${prefix}total THEN 'overpaid' WHEN ${paid} = ${prefix}total THEN 'paid'
    WHEN ${paid} > 0 THEN 'partial' ELSE 'unpaid' END`;
};

const indexes: Readonly<Record<string, string>> = {
  orders_by_created: 'is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount',
  orders_by_status: 'is_test, status, created_at, id, payment_status, total, delivery_date, internal_status_id, paid_amount',
  orders_by_payment_status: 'is_test, payment_status, created_at, id, status, total, delivery_date, internal_status_id, paid_amount',
  orders_by_total: 'is_test, total, id, status, payment_status, created_at, delivery_date, internal_status_id, paid_amount',
  orders_by_customer_name:
    'is_test, customer_name_folded, id, status, payment_status, total, created_at, customer_email_folded, delivery_date, internal_status_id, paid_amount',
  orders_by_status_name: 'is_test, status, id, payment_status, total, created_at, delivery_date, internal_status_id, paid_amount',
  orders_by_delivery_date: 'is_test, delivery_date, total, status, payment_status, created_at, id, internal_status_id, paid_amount',
  orders_by_customer: 'customer_id, is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount',
  orders_by_internal_status: 'internal_status_id, is_test, created_at, id, status, payment_status, total, delivery_date, paid_amount',
};
const byProgress = `is_test, (${progressOf('')}), created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount`;
const byBuyer = `customer_email_folded, customer_name_folded, is_test, created_at, id,
        status, payment_status, total, delivery_date, internal_status_id, paid_amount`;

/** The SQL of one engine. */
type Upkeep = {
  /** Empties the table and fills it from the orders. */
  fill: readonly string[];
  triggers: Readonly<Record<string, string>>;
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

export const sqlite: Upkeep = {
  triggers: {
    order_parts_insert: `AFTER INSERT ON orders BEGIN ${countNew}; END`,
    order_parts_update: `AFTER UPDATE OF ${watched.join(', ')} ON orders WHEN ${watchedOf('OLD')} IS NOT ${watchedOf('NEW')}
      BEGIN ${uncountOld}; ${countNew}; END`,
    order_parts_delete: `AFTER DELETE ON orders BEGIN ${uncountOld}; END`,
  },
  fill: [emptied, ...filled.map((rows) => `INSERT INTO order_part_counts (${countKey}, n) SELECT * FROM (${rows}) WHERE part IS NOT NULL`)],
};

const pgFunction = (name: string, changes: string) => `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
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

export const postgres: Upkeep = {
  // The triggers stay as they are; their functions count one part more.
  triggers: without.triggers,
  fill: [
    emptied,
    ...filled.map(
      (rows) => `INSERT INTO order_part_counts (${countKey}, n, merged) SELECT filled.*, 1 FROM (${rows}) AS filled WHERE part IS NOT NULL`,
    ),
  ],
};

export { merges };

const createIndexes = (on: Readonly<Record<string, string>>) =>
  Object.entries(on).flatMap(([name, columns]) => [`DROP INDEX ${name}`, `CREATE INDEX ${name} ON orders (${columns})`]);

export const statements: readonly (string | { sqlite: readonly string[]; postgres: readonly string[] })[] = [
  ...createIndexes(indexes),
  `CREATE INDEX orders_by_payment_progress ON orders (${byProgress})`,
  {
    sqlite: [
      ...createIndexes({ orders_by_buyer: byBuyer }),
      ...Object.keys(sqlite.triggers).map((name) => `DROP TRIGGER IF EXISTS ${name}`),
      ...sqlite.fill,
      ...Object.entries(sqlite.triggers).map(([name, what]) => `CREATE TRIGGER ${name} ${what}`),
    ],
    postgres: [
      pgFunction('count_added_parts', added),
      pgFunction('count_changed_parts', `${added} UNION ALL ${removed}`),
      pgFunction('count_removed_parts', removed),
      ...postgres.fill,
    ],
  },
];
