import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { type At, openStore, readsOf } from '../../server/db/open.ts';
import { pauseOrderUpkeep, resumeOrderUpkeep } from '../../server/db/order-upkeep.ts';
import { countOfBuyers, lookForBuyers } from '../../server/db/queries/order-buyers.ts';
import { countCustomers } from '../../server/resources/customers/store.ts';
import { anything, type OrderFilter, type QueryPlan } from '../../server/resources/order-lists/rules.ts';
import { countOrders, selectNumbered, selectOrderKeys } from '../../server/resources/order-lists/store.ts';
import { soughtIn } from '../../server/values/words.ts';
import { BY_CREATION } from '../../server/verbs/list-pages.ts';
import { openPlans, watchStatements } from '../helpers/query-plans.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';
import { createDatabase, engines, stopPostgres, type TestDatabase } from '../helpers/stores.ts';

/** `q` of orders and customers looks for each word by the indexes of what it may be: no table of a million rows is read whole. */

after(stopPostgres);

const customers = { searchFolded: '', registered: undefined, createdFrom: null, createdBefore: null, updatedSince: undefined };
const buyers = (search: 'few' | 'many'): QueryPlan => ({ index: 'orders_by_buyer', search });
const pending = (q: string): OrderFilter => ({ ...anything, tests: [0], status: 'pending', sought: soughtIn(q) });
const counted = (q: string, search: 'few' | 'many') => (at: At) => countOrders(at, pending(q), buyers(search));
const byCreation = { sort: 'created_at', column: BY_CREATION, descending: true, page: 1, perPage: 25, after: null };
const asked = {
  customer: (at: At) => countCustomers(at, { ...customers, sought: soughtIn('4711') }),
  rare: (at: At) => lookForBuyers(at, soughtIn('Łódź 0047110 999')),
  common: (at: At) => countOfBuyers(at, soughtIn('353')),
  few: counted('Łódź 0047110 999', 'few'),
  many: counted('example.com', 'many'),
  page: (at: At) => selectOrderKeys(at, pending('murphy'), byCreation, { plan: buyers('few'), offset: 0, limit: 26, fromEnd: false }),
  numbered: (at: At) => selectNumbered(at, soughtIn('ABC 4711')),
};

const ordersOfBuyers =
  /SEARCH orders USING COVERING INDEX orders_by_buyer \(customer_email_folded=\? AND customer_name_folded=\? AND is_test=\?\)/;
const expected = {
  sqlite: {
    customer: [
      /SCAN customers USING COVERING INDEX customers_by_text/,
      /SEARCH customers USING COVERING INDEX customers_by_phone \(phone_digits>\?\)/,
    ],
    rare: [/SCAN \w+ VIRTUAL TABLE INDEX/, /SEARCH order_buyers USING INTEGER PRIMARY KEY/],
    common: [/SCAN order_buyers/],
    few: [/SCAN \w+ VIRTUAL TABLE INDEX/, ordersOfBuyers],
    many: [/SCAN order_buyers/, ordersOfBuyers],
    page: [/SCAN \w+ VIRTUAL TABLE INDEX/, ordersOfBuyers],
    numbered: [
      /SEARCH orders USING INTEGER PRIMARY KEY \(rowid=\?\)/,
      /SEARCH orders USING COVERING INDEX \S+ \(public_id>\? AND public_id<\?\)/,
    ],
    /** What reads a whole table. */
    none: /SCAN (orders|customers)$|SCAN (orders|customers) USING INDEX/m,
  },
  postgres: {
    customer: [/customers_by_text/, /customers_by_phone/],
    rare: [/order_buyers_by_text/],
    common: [/Seq Scan on order_buyers/],
    few: [/order_buyers_by_text/, /Index Only Scan using orders_by_buyer on orders/],
    many: [/order_buyers/, /Index Only Scan using orders_by_buyer on orders/],
    page: [/Sort[\s\S]*Index Only Scan using orders_by_buyer on orders/],
    numbered: [/orders_pkey/, /Index (Only )?Scan using \S*public_id/],
    none: /Seq Scan on (orders|customers)/,
  },
};

/** What the planner knows of the size of the tables, in steps: SQLite's is told, PostgreSQL's looks at the rows. */
const steps = { sqlite: [tellNothing, tellSqlite], postgres: [fillPostgres] };
const plansOf = { sqlite: plansOfSqlite, postgres: plansOfPostgres };

for (const engine of engines) {
  test(`words are looked for by indexes [${engine}]`, async () => {
    const database = await createDatabase(engine);
    const { none, ...parts } = expected[engine];
    try {
      for (const step of steps[engine]) {
        await step(database);
        for (const name of ['customer', 'rare', 'common', 'few', 'many', 'page', 'numbered'] as const) {
          const plan = await plansOf[engine](database, asked[name]);
          for (const part of parts[name]) assert.match(plan, part, `${name}: ${plan}`);
          assert.doesNotMatch(plan, none, `${name}: ${plan}`);
        }
      }
    } finally {
      await database.drop();
    }
  });
}

async function tellNothing(): Promise<void> {}

/** Writes what ANALYZE would write of tables with a million rows. */
async function tellSqlite(database: TestDatabase): Promise<void> {
  const rows = 1_000_000;
  const file = new SqliteDatabase(database.url);
  file.exec('ANALYZE');
  const found = file
    .prepare<unknown[], { table: string; name: string; columns: number }>(
      `SELECT tbl_name AS "table", name, (SELECT count(*) FROM pragma_index_info(s.name)) AS columns FROM sqlite_schema AS s
        WHERE type = 'index' AND tbl_name IN ('orders', 'customers', 'order_buyers')`,
    )
    .all();
  const insert = file.prepare('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)');
  for (const { table, name, columns } of found) insert.run(table, name, [rows, ...Array(columns - 1).fill(1000), 1].join(' '));
  file.close();
}

async function plansOfSqlite(database: TestDatabase, work: (at: At) => Promise<unknown>): Promise<string> {
  const watch = watchStatements(database.url);
  const plans = openPlans(database.url);
  const store = openStore({ url: database.url });
  try {
    await work(readsOf(store));
    return watch.seen
      .filter((text) => /\bfrom\b/i.test(text))
      .map((text) => plans.planOf(text).join('\n'))
      .join('\n');
  } finally {
    await store.close();
    watch.stop();
    plans.close();
  }
}

/** Stores many customers, and orders of a tenth as many buyers: a planner that knows few rows would rather read them all. */
async function fillPostgres(database: TestDatabase): Promise<void> {
  const store = openStore({ url: database.url });
  await storeOrder(store);
  await pauseOrderUpkeep(store);
  await store.write(async (db) => {
    await sql`INSERT INTO customers
        (name, name_folded, email, email_folded, phone_digits, registered, is_b2b, register_ip, last_login_ip, created_at, updated_at)
      SELECT '', 'NAME ' || n, '', '', CAST(n * 7919 AS text), 0, 0, '', '', '', '' FROM generate_series(1, 20000) AS n`.execute(db);
    await sql`INSERT INTO orders SELECT (jsonb_populate_record(model, jsonb_build_object('id', n + 1000, 'public_id', 'P' || n,
        'customer_name_folded', CASE WHEN n % 200 = 0 THEN 'MURPHY ' ELSE 'NAME ' END || n % 3000, 'customer_email_folded', n % 3000 || CASE WHEN n % 20 = 0 THEN '@EXAMPLE.COM' ELSE '@EXAMPLE.ORG' END, 'phone_digits', '353' || n % 3000))).*
      FROM orders AS model, generate_series(1, 30000) AS n`.execute(db);
  });
  await resumeOrderUpkeep(store);
  await store.close();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('VACUUM ANALYZE orders, customers, order_buyers');
  await client.end();
}

async function plansOfPostgres(database: TestDatabase, work: (at: At) => Promise<unknown>): Promise<string> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const store = openStore({ url: database.url });
  const query = pg.Client.prototype.query;
  const seen: { text: string; values: unknown[] }[] = [];
  const watched = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, text: string, values: unknown[]) {
    seen.push({ text, values });
    const answer: unknown = Reflect.apply(query, this, [text, values]);
    return answer;
  });
  await work(readsOf(store)).finally(() => watched.mock.restore());
  const plans: string[] = [];
  for (const { text, values } of seen.filter((one) => typeof one.text === 'string' && /\bfrom\b/i.test(one.text))) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  await store.close();
  await client.end();
  return plans.join('\n');
}
