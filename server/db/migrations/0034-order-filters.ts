/**
 * For lists of orders by customer, internal status and delivery date: the indexes of `0009-order-search.ts` now also contain the internal
 * status and the delivery date, and counts of each internal status and each delivery date are kept by triggers, like the counts by day.
 * `order-upkeep.ts` stops and resumes them.
 */

const indexes: Readonly<Record<string, string>> = {
  orders_by_created: 'orders (is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id)',
  orders_by_status: 'orders (is_test, status, created_at, id, payment_status, total, delivery_date, internal_status_id)',
  orders_by_payment_status: 'orders (is_test, payment_status, created_at, id, status, total, delivery_date, internal_status_id)',
  orders_by_total: 'orders (is_test, total, id, status, payment_status, created_at, delivery_date, internal_status_id)',
  orders_by_customer_name:
    'orders (is_test, customer_name_folded, id, status, payment_status, total, created_at, customer_email_folded, delivery_date, internal_status_id)',
  orders_by_status_name: 'orders (is_test, status, id, payment_status, total, created_at, delivery_date, internal_status_id)',
  orders_by_delivery_date: 'orders (is_test, delivery_date, total, status, payment_status, created_at, id, internal_status_id)',
  orders_by_customer: 'orders (customer_id, is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id)',
  orders_by_internal_status: 'orders (internal_status_id, is_test, created_at, id, status, payment_status, total, delivery_date)',
};

/** The SQL of one engine. */
type Upkeep = {
  tables: readonly string[];
  /** Empties the tables and fills them from the orders. */
  fill: readonly string[];
  triggers: Readonly<Record<string, string>>;
};

const countKey = 'part, is_test, status, payment_status';
const stateOf = (row: 'NEW' | 'OLD') => `${row}.is_test, ${row}.status, ${row}.payment_status`;
const watched = ['is_test', 'status', 'payment_status', 'internal_status_id', 'delivery_date'];
const watchedOf = (row: 'NEW' | 'OLD') => `(${watched.map((column) => `${row}.${column}`).join(', ')})`;
/** The part `I5` counts the orders with internal status 5, `I` those without one, `D2026-05-01` those with that delivery date. */
const internalOf = (prefix: string) => `'I' || coalesce(CAST(${prefix}internal_status_id AS TEXT), '')`;
const deliveryOf = (prefix: string) => `'D' || ${prefix}delivery_date`;
const countNew = `INSERT INTO order_part_counts (${countKey}, n)
    SELECT part, ${stateOf('NEW')}, 1 FROM (SELECT ${internalOf('NEW.')} AS part UNION ALL SELECT ${deliveryOf('NEW.')}) WHERE part IS NOT NULL
    ON CONFLICT (${countKey}) DO UPDATE SET n = n + 1`;
const uncountOld = `UPDATE order_part_counts SET n = n - 1
    WHERE part IN (${internalOf('OLD.')}, ${deliveryOf('OLD.')}) AND (is_test, status, payment_status) = (${stateOf('OLD')})`;
const parts = [
  `SELECT ${internalOf('')}, is_test, status, payment_status, count(*) FROM orders GROUP BY 1, 2, 3, 4`,
  `SELECT ${deliveryOf('')}, is_test, status, payment_status, count(*) FROM orders WHERE delivery_date IS NOT NULL GROUP BY 1, 2, 3, 4`,
];

export const sqlite: Upkeep = {
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
  fill: [`DELETE FROM order_part_counts`, ...parts.map((part) => `INSERT INTO order_part_counts (${countKey}, n) ${part}`)],
};

const pgParts = `CROSS JOIN LATERAL (VALUES (${internalOf('')}), (${deliveryOf('')})) AS parts (part)`;
const pgFunction = (name: string, changes: string) => `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO order_part_counts (${countKey}, merged, n)
    SELECT ${countKey}, 0, sum(change) FROM (${changes}) AS changes ${pgParts} WHERE part IS NOT NULL
    GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0;
    RETURN NULL;
  END $$`;
const added = `SELECT ${watched.join(', ')}, 1 AS change FROM added`;
const removed = `SELECT ${watched.join(', ')}, -1 AS change FROM removed`;

/** On PostgreSQL a count is the sum of its rows, as for the counts by day. */
export const postgres: Upkeep = {
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
    `DELETE FROM order_part_counts`,
    ...parts.map((part) => `INSERT INTO order_part_counts (${countKey}, n, merged) SELECT part.*, 1 FROM (${part}) AS part`),
  ],
};

/** Merges the rows that PostgreSQL's triggers have added since the last merge. */
export const merges: readonly string[] = [
  `WITH added AS (DELETE FROM order_part_counts WHERE merged = 0 RETURNING *)
    INSERT INTO order_part_counts AS known (${countKey}, merged, n)
    SELECT ${countKey}, 1, sum(n) FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (${countKey}) WHERE merged = 1 DO UPDATE SET n = known.n + excluded.n`,
];

const createTriggers = ({ triggers }: Upkeep) => Object.entries(triggers).map(([name, what]) => `CREATE TRIGGER ${name} ${what}`);

export const statements: readonly (string | { sqlite: readonly string[]; postgres: readonly string[] })[] = [
  ...Object.entries(indexes).flatMap(([name, on]) => [`DROP INDEX ${name}`, `CREATE INDEX ${name} ON ${on}`]),
  {
    sqlite: [
      `DROP INDEX orders_by_buyer`,
      `CREATE INDEX orders_by_buyer ON orders (customer_email_folded, customer_name_folded, is_test, created_at, id,
        status, payment_status, total, delivery_date, internal_status_id)`,
      ...sqlite.tables,
      ...sqlite.fill,
      ...createTriggers(sqlite),
    ],
    postgres: [...postgres.tables, ...postgres.fill, ...createTriggers(postgres)],
  },
  // Old events are deleted by their time; the foreign key then looks for triggers that still wait for the event.
  `CREATE INDEX domain_events_by_time ON domain_events (at, id)`,
  `CREATE INDEX trigger_deliveries_by_event ON trigger_deliveries (event_id)`,
];
