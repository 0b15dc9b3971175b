import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { type At, openStore } from '../../server/db/open.ts';
import { countCustomers } from '../../server/resources/customers/store.ts';
import { anything } from '../../server/resources/order-lists/rules.ts';
import { countOrders, isOfOrder, selectHaving, selectMatches } from '../../server/resources/order-lists/store.ts';
import { soughtIn } from '../../server/values/words.ts';
import { openPlans, watchStatements } from '../helpers/query-plans.ts';
import { createDatabase, engines, stopPostgres, type TestDatabase } from '../helpers/stores.ts';

/** `q` of orders and customers looks for each word by the indexes of what it may be: no table of a million rows is read whole. */

after(stopPostgres);

const customers = { searchFolded: '', registered: undefined, createdFrom: null, createdBefore: null, updatedSince: undefined };
const asked = (q: string) => ({
  order: (at: At) => countOrders(at, { ...anything, tests: [0], sought: soughtIn(q) }, { index: null, search: 'each' }),
  customer: (at: At) => countCustomers(at, { ...customers, sought: soughtIn('4711') }),
  matches: async (at: At) => {
    for (const { words, digits } of soughtIn(q)) for (const word of words) await selectMatches(at, word, digits, 5001);
  },
  having: (at: At) => selectHaving(at, [1, 2, 3], soughtIn(q)),
  prefix: (at: At) => isOfOrder(at.db, 'ABC'),
});
const phone = asked('Łódź 4711 0699 123');

const expected = {
  sqlite: {
    order: [
      /SEARCH orders USING (COVERING )?INDEX orders_by_buyer \(customer_email_folded=\? AND customer_name_folded=\?/,
      /SCAN \w+ VIRTUAL TABLE INDEX/,
      /SEARCH orders USING COVERING INDEX orders_by_phone \(phone_digits>\?\)/,
      /SEARCH orders USING INTEGER PRIMARY KEY \(rowid=\?\)/,
      /SEARCH orders USING COVERING INDEX \S+ \(public_id>\? AND public_id<\?\)/,
    ],
    customer: [
      /SCAN customers USING COVERING INDEX customers_by_text/,
      /SEARCH customers USING COVERING INDEX customers_by_phone \(phone_digits>\?\)/,
    ],
    matches: [
      /SCAN \w+ VIRTUAL TABLE INDEX/,
      /SEARCH orders USING COVERING INDEX orders_by_buyer \(customer_email_folded=\? AND customer_name_folded=\?\)/,
      /SEARCH orders USING COVERING INDEX orders_by_phone \(phone_digits>\?\)/,
      /SEARCH orders USING INTEGER PRIMARY KEY \(rowid=\?\)/,
    ],
    having: [/SEARCH orders USING INTEGER PRIMARY KEY \(rowid=\?\)/],
    prefix: [/SEARCH orders USING COVERING INDEX \S+ \(public_id>\? AND public_id<\?\)/],
    /** What reads a whole table. */
    none: /SCAN (orders|customers)$|SCAN (orders|customers) USING INDEX/m,
  },
  postgres: {
    order: [/orders_by_phone/, /orders_pkey/, /public_id/],
    customer: [/customers_by_text/, /customers_by_phone/],
    matches: [/orders_by_phone/, /orders_pkey/],
    having: [/Index|Bitmap/],
    prefix: [/Index (Only )?Scan using \S*public_id/],
    none: /Seq Scan on (orders|customers)/,
  },
};

/** What the planner knows of the size of the tables. */
const told = { sqlite: tellSqlite, postgres: async () => undefined };
const plansOf = { sqlite: plansOfSqlite, postgres: plansOfPostgres };

for (const engine of engines) {
  test(`words are looked for by indexes [${engine}]`, async () => {
    const database = await createDatabase(engine);
    const { none, ...parts } = expected[engine];
    try {
      for (const rows of [0, 1_000_000]) {
        await told[engine](database, rows);
        for (const name of ['order', 'customer', 'matches', 'having', 'prefix'] as const) {
          const plan = await plansOf[engine](database, phone[name]);
          for (const part of parts[name]) assert.match(plan, part, plan);
          assert.doesNotMatch(plan, none, plan);
        }
      }
    } finally {
      await database.drop();
    }
  });
}

/** Writes what ANALYZE would write of tables with so many rows. */
async function tellSqlite(database: TestDatabase, rows: number): Promise<void> {
  if (rows === 0) return;
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
    await work({ db: store.reader, dialect: store.dialect });
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

async function plansOfPostgres(database: TestDatabase, work: (at: At) => Promise<unknown>): Promise<string> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // In an empty table, reading it whole costs nothing.
  await client.query('SET enable_seqscan = off');
  await client.query(`INSERT INTO customers
      (name, name_folded, email, email_folded, phone_digits, registered, is_b2b, register_ip, last_login_ip, created_at, updated_at)
    SELECT '', 'NAME ' || n, '', '', CAST(n * 7919 AS text), 0, 0, '', '', '', '' FROM generate_series(1, 20000) AS n`);
  await client.query('ANALYZE customers');
  const store = openStore({ url: database.url });
  const query = pg.Client.prototype.query;
  const seen: { text: string; values: unknown[] }[] = [];
  const watched = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, text: string, values: unknown[]) {
    seen.push({ text, values });
    const answer: unknown = Reflect.apply(query, this, [text, values]);
    return answer;
  });
  await work({ db: store.reader, dialect: store.dialect }).finally(() => watched.mock.restore());
  const plans: string[] = [];
  for (const { text, values } of seen.filter((one) => typeof one.text === 'string' && /\bfrom\b/i.test(one.text))) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  await store.close();
  await client.end();
  return plans.join('\n');
}
