import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../server/db/migrate.ts';
import { type At, openStore, readsOf, type Store } from '../../server/db/open.ts';
import { beforeAll, type Changes, presentCursor } from '../../server/db/queries/change-cursors.ts';
import { customerChanges } from '../../server/resources/customers/store.ts';
import { inquiryChanges } from '../../server/resources/inquiries/store.ts';
import { anything } from '../../server/resources/order-lists/rules.ts';
import { orderChanges } from '../../server/resources/order-lists/store.ts';
import { productChanges } from '../../server/resources/products/search-store.ts';
import { subscriptionChanges } from '../../server/resources/subscriptions/store.ts';
import { openPlans, watchStatements } from '../helpers/query-plans.ts';
import { createDatabase, engines, stopPostgres, type TestDatabase } from '../helpers/stores.ts';

/** Lists in the order of change walk the index of the changes from the position on, whatever the filters are. */

after(stopPostgres);

const since = '2026-01-01T00:00:00.000Z';
const no = { searchFolded: '', words: [], sought: [], updatedSince: undefined };
const product = { ...no, status: undefined, kind: undefined, lowBelow: null, isOut: false };
const subscription = {
  words: [],
  status: undefined,
  customerId: undefined,
  productId: undefined,
  orderId: undefined,
  updatedSince: undefined,
};
const rows = async () => [];
const none = async () => 0;

const lists: [table: string, list: (at: At) => Changes<unknown>][] = [
  ['orders', (at) => orderChanges(at, { ...anything, tests: [0] }, none)],
  ['orders', (at) => orderChanges(at, { ...anything, tests: [0, 1], status: 'shipped', customerId: 5, updatedSince: since }, none)],
  ['customers', (at) => customerChanges(at, { ...no, registered: undefined, createdFrom: null, createdBefore: null })],
  ['customers', (at) => customerChanges(at, { ...no, registered: true, createdFrom: since, createdBefore: since, searchFolded: 'A' })],
  ['products', (at) => productChanges(at, product)],
  ['products', (at) => productChanges(at, { ...product, status: 'active', kind: 'physical', isOut: true })],
  ['subscriptions', (at) => subscriptionChanges(at, subscription, rows)],
  ['subscriptions', (at) => subscriptionChanges(at, { ...subscription, status: 'active', productId: 3, updatedSince: since }, rows)],
  ['inquiries', (at) => inquiryChanges(at, { ...no, answered: undefined })],
  ['inquiries', (at) => inquiryChanges(at, { ...no, answered: false, searchFolded: 'A' })],
];

/** The plan of each list's first page, of a later one and of its count, in a shop where no table is small. */
const explain = { sqlite: plansOfSqlite, postgres: plansOfPostgres };

for (const engine of engines) {
  test(`each page reads one index from its position on, and sorts nothing [${engine}]`, async () => {
    const database = await createDatabase(engine);
    const isDone = explain[engine](database, (table, name, plan) => {
      const told = `${table}, ${name}: ${plan}`;
      const used = engine === 'sqlite' ? new RegExp(`SEARCH ${table} USING (COVERING )?INDEX ${table}_by_change`) : `${table}_by_change`;
      assert.match(plan, new RegExp(used), told);
      assert.doesNotMatch(plan, engine === 'sqlite' ? /ORDER BY|SCAN (?!change_numbers)/ : /Sort|Seq Scan/, told);
      if (name === 'later')
        assert.match(plan, engine === 'sqlite' ? /\(changed_in>\?/ : /Index Cond: \(?.*ROW\(changed_in, id\) > ROW/, told);
    });
    await isDone.finally(() => database.drop());
  });
}

type Check = (table: string, name: 'first' | 'later' | 'count', plan: string) => void;

async function plansOfSqlite(database: TestDatabase, check: Check): Promise<void> {
  // Plans are read from a file that exists.
  await statementsOf(database, async () => undefined);
  const watch = watchStatements(database.url);
  const plans = openPlans(database.url);
  const isDone = statementsOf(database, async (table, name, work) => {
    watch.seen.length = 0;
    await work();
    // Asking for a plan is seen too.
    for (const text of [...watch.seen]) check(table, name, plans.planOf(text).join('\n'));
  });
  await isDone.finally(() => {
    watch.stop();
    plans.close();
  });
}

async function plansOfPostgres(database: TestDatabase, check: Check): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // In an empty table, reading it whole and sorting cost nothing.
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off');
  const query = pg.Client.prototype.query;
  const isDone = statementsOf(database, async (table, name, work) => {
    const seen: { text: string; values: unknown[] }[] = [];
    const watched = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, text: string, values: unknown[]) {
      seen.push({ text, values });
      const answer: unknown = Reflect.apply(query, this, [text, values]);
      return answer;
    });
    await work().finally(() => watched.mock.restore());
    // Which index is the best to count by depends on what is in the table.
    if (name === 'count') return;
    for (const { text, values } of seen) {
      const { rows: lines } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
      check(table, name, lines.map((line) => line['QUERY PLAN']).join('\n'));
    }
  });
  await isDone.finally(() => client.end());
}

type Visit = (table: string, name: 'first' | 'later' | 'count', work: () => Promise<unknown>) => Promise<void>;

async function statementsOf(database: TestDatabase, visit: Visit): Promise<void> {
  const store = openStore({ url: database.url });
  try {
    await migrate(store);
    await visitAll(store, visit);
  } finally {
    await store.close();
  }
}

async function visitAll(store: Store, visit: Visit): Promise<void> {
  const at: At = readsOf(store);
  const until = await presentCursor(at);
  const walk = { since: { ...beforeAll(until), from: 1, to: 9, open: [4, 5] }, until, after: null };
  for (const [table, list] of lists) {
    await visit(table, 'first', () => list(at).keys(walk, 3));
    await visit(table, 'later', () => list(at).keys({ ...walk, after: { value: 9, id: 1 } }, 3));
    await visit(table, 'count', () => list(at).count(walk));
  }
}
