import type { EngineUpkeep, Upkeep } from './upkeep.ts';

/**
 * The sums that the dashboard shows: orders and revenue for each quarter of an hour in UTC, from which the days of every time zone can be
 * summed, and the sales of each customer and product.
 */

const live = (row: string) => `${row}.is_test = 0 AND ${row}.status <> 'cancelled'`;
const sold = (row: string) => `(${live(row)} AND ${row}.payment_status = 'paid')`;
const paidTotal = (row: string) => `CASE WHEN ${row}.payment_status = 'paid' THEN ${row}.total ELSE 0 END`;
/** The quarter of an hour of an instant, such as `2026-03-01T12:15`. */
const quarterOf = (at: string) => `substr(${at}, 1, 14) || substr('00153045', 1 + CAST(substr(${at}, 15, 2) AS INTEGER) / 15 * 2, 2)`;
const net = (item: string) => `${item}.subtotal - ${item}.discount_amount`;
const summedColumns = ['is_test', 'status', 'payment_status', 'total', 'created_at', 'customer_id'];
const columnsOf = (row: string) => `(${summedColumns.map((column) => `${row}.${column}`).join(', ')})`;

const summed = {
  order_quarters: { key: 'quarter', sums: ['orders', 'revenue'] },
  customer_sales: { key: 'customer_id', sums: ['orders', 'sales', 'spent'] },
  product_sales: { key: 'product_id', sums: ['quantity', 'revenue'] },
} as const;
type Summed = keyof typeof summed;
const names: readonly Summed[] = ['order_quarters', 'customer_sales', 'product_sales'];

/** Views with one row for each customer and product on both engines. */
const viewOf = { customer_sales: 'customer_sums', product_sales: 'product_sums' } as const;

const columns = (name: Summed) => [summed[name].key, ...summed[name].sums].join(', ');
const addOn = (name: Summed) =>
  `ON CONFLICT (${summed[name].key}) DO UPDATE SET ${summed[name].sums.map((sum) => `${sum} = ${sum} + excluded.${sum}`).join(', ')}`;

/** The quarter '' holds the sums of all time. */
const countOrder = (row: 'NEW' | 'OLD', sign: '' | '-') => `
  INSERT INTO order_quarters (${columns('order_quarters')})
    SELECT quarter, ${sign}1, ${sign}(${paidTotal(row)})
    FROM (SELECT '' AS quarter UNION ALL SELECT ${quarterOf(`${row}.created_at`)}) WHERE ${live(row)} ${addOn('order_quarters')};
  INSERT INTO customer_sales (${columns('customer_sales')})
    SELECT ${row}.customer_id, ${sign}1, ${sign}${sold(row)}, ${sign}(CASE WHEN ${sold(row)} THEN ${row}.total ELSE 0 END)
    WHERE ${row}.is_test = 0 AND ${row}.customer_id IS NOT NULL ${addOn('customer_sales')};`;
const countItem = (row: 'NEW' | 'OLD', sign: '' | '-') => `
  INSERT INTO product_sales (${columns('product_sales')})
    SELECT ${row}.product_id, ${sign}${row}.quantity, ${sign}(${net(row)})
    FROM orders WHERE orders.id = ${row}.order_id AND ${sold('orders')} ${addOn('product_sales')};`;
const itemColumns = 'order_id, product_id, quantity, subtotal, discount_amount';

const sqlite: EngineUpkeep = {
  tables: [
    `CREATE TABLE order_quarters (
      quarter TEXT NOT NULL PRIMARY KEY,
      orders INTEGER NOT NULL,
      revenue INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE customer_sales (
      customer_id INTEGER PRIMARY KEY,
      orders INTEGER NOT NULL,
      sales INTEGER NOT NULL,
      spent INTEGER NOT NULL
    ) STRICT`,
    `CREATE TABLE product_sales (
      product_id INTEGER PRIMARY KEY,
      quantity INTEGER NOT NULL,
      revenue INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX customer_sales_by_spent ON customer_sales (spent DESC, customer_id, sales) WHERE sales > 0`,
    ...(['customer_sales', 'product_sales'] as const).map((name) => `CREATE VIEW ${viewOf[name]} AS SELECT ${columns(name)} FROM ${name}`),
  ],
  triggers: {
    orders_summed_insert: `AFTER INSERT ON orders BEGIN ${countOrder('NEW', '')} END`,
    orders_summed_update: `AFTER UPDATE OF ${summedColumns.join(', ')} ON orders
      WHEN ${columnsOf('OLD')} IS NOT ${columnsOf('NEW')}
      BEGIN ${countOrder('OLD', '-')} ${countOrder('NEW', '')} END`,
    orders_summed_sale: `AFTER UPDATE OF is_test, status, payment_status ON orders WHEN ${sold('OLD')} <> ${sold('NEW')} BEGIN
      INSERT INTO product_sales (${columns('product_sales')})
        SELECT product_id, sum(quantity) * (${sold('NEW')} * 2 - 1), sum(${net('order_items')}) * (${sold('NEW')} * 2 - 1)
        FROM order_items WHERE order_id = NEW.id GROUP BY product_id ${addOn('product_sales')};
    END`,
    orders_summed_delete: `AFTER DELETE ON orders BEGIN ${countOrder('OLD', '-')} END`,
    order_items_summed_insert: `AFTER INSERT ON order_items BEGIN ${countItem('NEW', '')} END`,
    order_items_summed_update: `AFTER UPDATE OF ${itemColumns} ON order_items BEGIN ${countItem('OLD', '-')} ${countItem('NEW', '')} END`,
    order_items_summed_delete: `AFTER DELETE ON order_items BEGIN ${countItem('OLD', '-')} END`,
  },
  fill: fillOf(''),
};

/** `merged`: adds the column of that name, which only PostgreSQL's tables have. */
function fillOf(merged: '' | 'merged'): string[] {
  const [name, value] = merged === '' ? ['', ''] : [', merged', ', 1'];
  return [
    ...names.map((table) => `DELETE FROM ${table}`),
    `INSERT INTO order_quarters (${columns('order_quarters')}${name})
      SELECT ${quarterOf('o.created_at')}, count(*), sum(${paidTotal('o')})${value} FROM orders AS o WHERE ${live('o')} GROUP BY 1`,
    `INSERT INTO order_quarters (${columns('order_quarters')}${name})
      SELECT '', sum(orders), sum(revenue)${value} FROM order_quarters HAVING count(*) > 0`,
    `INSERT INTO customer_sales (${columns('customer_sales')}${name})
      SELECT customer_id, count(*), count(CASE WHEN ${sold('o')} THEN 1 END), sum(CASE WHEN ${sold('o')} THEN total ELSE 0 END)${value}
      FROM orders AS o WHERE is_test = 0 AND customer_id IS NOT NULL GROUP BY customer_id`,
    `INSERT INTO product_sales (${columns('product_sales')}${name})
      SELECT i.product_id, sum(i.quantity), sum(${net('i')})${value}
      FROM order_items AS i JOIN orders AS o ON o.id = i.order_id WHERE ${sold('o')} GROUP BY i.product_id`,
  ];
}

const pgTable = (name: Summed) => {
  const { key, sums } = summed[name];
  const keyType = key === 'quarter' ? 'text COLLATE "C"' : 'bigint';
  return [
    `CREATE TABLE ${name} (${key} ${keyType} NOT NULL, merged bigint NOT NULL, ${sums.map((sum) => `${sum} bigint NOT NULL`).join(', ')})`,
    `CREATE INDEX ${name}_by_key ON ${name} (${key})`,
    `CREATE UNIQUE INDEX ${name}_merged ON ${name} (${key}) WHERE merged = 1`,
    `CREATE INDEX ${name}_added ON ${name} (${key}) WHERE merged = 0`,
  ];
};
const pgAdd = (name: Summed, sums: readonly string[], from: string) => `
    INSERT INTO ${name} (${columns(name)}, merged) SELECT ${summed[name].key}, ${sums.join(', ')}, 0 FROM ${from}
    GROUP BY ${summed[name].key} HAVING ${sums.map((sum) => `${sum} <> 0`).join(' OR ')};`;
const pgAddOrders = (changes: string) => `
    ${pgAdd(
      'order_quarters',
      ['sum(sign)', `sum(sign * (${paidTotal('c')}))`],
      `(${changes}) AS c CROSS JOIN LATERAL (VALUES (''), (${quarterOf('c.created_at')})) AS q (quarter) WHERE ${live('c')}`,
    )}
    ${pgAdd(
      'customer_sales',
      ['sum(sign)', `sum(sign * CASE WHEN ${sold('c')} THEN 1 ELSE 0 END)`, `sum(sign * CASE WHEN ${sold('c')} THEN total ELSE 0 END)`],
      `(${changes}) AS c WHERE is_test = 0 AND customer_id IS NOT NULL`,
    )}`;
const pgAddItems = (changes: string, where: string) =>
  pgAdd('product_sales', ['sum(sign * i.quantity)', `sum(sign * (${net('i')}))`], `${changes} WHERE ${where}`);
const pgFunction = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`;

const added = 'SELECT *, 1 AS sign FROM added';
const removed = 'SELECT *, -1 AS sign FROM removed';
const both = `${added} UNION ALL ${removed}`;
const ofItems = (changes: string) => pgAddItems(`(${changes}) AS i JOIN orders AS o ON o.id = i.order_id`, sold('o'));
/**
 * Not a join: PostgreSQL keeps the plan of a statement that changed one row, and with a join that plan would take quadratic time for one
 * that changes thousands.
 */
const onlyIfDiffer = (columns: string) =>
  `IF NOT EXISTS (SELECT id, ${columns} FROM added EXCEPT SELECT id, ${columns} FROM removed) THEN RETURN NULL; END IF;`;

/** On PostgreSQL a sum is the sum of its rows, as for counts: no transaction waits for another, and a loop merges the rows. */
const postgres: EngineUpkeep = {
  tables: [
    ...names.flatMap(pgTable),
    ...(['customer_sales', 'product_sales'] as const).map((name) => {
      const sums = summed[name].sums.map((sum) => `CAST(sum(${sum}) AS bigint) AS ${sum}`).join(', ');
      return `CREATE VIEW ${viewOf[name]} AS SELECT ${summed[name].key}, ${sums} FROM ${name} GROUP BY ${summed[name].key}`;
    }),
    pgFunction('sum_added_orders', pgAddOrders(added)),
    pgFunction('sum_removed_orders', pgAddOrders(removed)),
    pgFunction(
      'sum_changed_orders',
      `${onlyIfDiffer(summedColumns.join(', '))}
      ${pgAddOrders(both)}
      ${pgAddItems(
        `(SELECT id, sum(sign) AS sign FROM (${both}) AS c WHERE ${sold('c')} GROUP BY id HAVING sum(sign) <> 0) AS o
        JOIN order_items AS i ON i.order_id = o.id`,
        'true',
      )}`,
    ),
    pgFunction('sum_added_items', ofItems(added)),
    pgFunction('sum_removed_items', ofItems(removed)),
    pgFunction('sum_changed_items', `${onlyIfDiffer(itemColumns)} ${ofItems(both)}`),
  ],
  triggers: Object.fromEntries(
    ['orders', 'order_items'].flatMap((table) =>
      (
        [
          ['insert', 'added', 'NEW TABLE AS added'],
          ['update', 'changed', 'OLD TABLE AS removed NEW TABLE AS added'],
          ['delete', 'removed', 'OLD TABLE AS removed'],
        ] as const
      ).map(([event, how, tables]) => [
        `${table}_summed_${event}`,
        `AFTER ${event.toUpperCase()} ON ${table} REFERENCING ${tables}
        FOR EACH STATEMENT EXECUTE FUNCTION sum_${how}_${table === 'orders' ? 'orders' : 'items'}()`,
      ]),
    ),
  ),
  // The lock keeps others from writing until the triggers exist.
  fill: ['LOCK TABLE orders, order_items IN SHARE ROW EXCLUSIVE MODE', ...fillOf('merged')],
};

const merges = names.map((name) => {
  const { key, sums } = summed[name];
  return `WITH added AS (DELETE FROM ${name} WHERE merged = 0 RETURNING *)
    INSERT INTO ${name} AS known (${columns(name)}, merged)
    SELECT ${key}, ${sums.map((sum) => `sum(${sum})`).join(', ')}, 1 FROM added GROUP BY ${key} ORDER BY ${key}
    ON CONFLICT (${key}) WHERE merged = 1 DO UPDATE SET ${sums.map((sum) => `${sum} = known.${sum} + excluded.${sum}`).join(', ')}`;
});

export const orderSums: Upkeep = { sqlite, postgres, merges };
