import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../server/db/migrate.ts';
import { type Db, openStore } from '../../server/db/open.ts';
import { changesAbout, changesOf } from '../../server/resources/timelines/audit-sources.ts';
import type { Window } from '../../server/resources/timelines/merge.ts';
import * as timelines from '../../server/resources/timelines/store.ts';
import { openPlans, watchStatements } from '../helpers/query-plans.ts';
import { createDatabase, engines, stopPostgres, type TestDatabase } from '../helpers/stores.ts';

/** Each source of a timeline walks one index from the place where it was left, and sorts nothing, however much has happened. */

after(stopPostgres);

const ID = 7;
const first: Window = { after: null, limit: 31 };
const later: Window = { after: { at: '2026-01-01T00:00:00.000Z', id: 9 }, limit: 31 };
const kinds = [undefined, 'run', 'change', 'comment', 'payment', 'shipment', 'access', 'file'] as const;

const changes = kinds.flatMap((kind) => [
  ['audit_log_by_resource', changesOf('order', kind)] as const,
  ['audit_log_by_resource', changesOf('customer', kind)] as const,
  ['audit_log_by_order', changesAbout('order_id', kind)] as const,
  ['audit_log_by_customer', changesAbout('customer_id', kind)] as const,
]);

type Read = (db: Db, window: Window) => Promise<unknown>;

const sources: [index: string, read: Read][] = [
  ...changes.flatMap(([index, read]): [string, Read][] => (read ? [[index, (db, window) => read(db, ID, window)]] : [])),
  ['order_comments_by_order', (db, window) => timelines.commentsOf(db, ID, window)],
  ['customer_notes_by_customer', (db, window) => timelines.notesOf(db, ID, window)],
  ['order_edits_by_order', (db, window) => timelines.editsOf(db, ID, window)],
  ['payments_by_creation', (db, window) => timelines.paymentsOf(db, ID, window)],
  ['shipments_by_order', (db, window) => timelines.shipmentsOf(db, ID, window)],
  ['mails_by_resource', (db, window) => timelines.mailsOf(db, ID, ['order_placed'], window)],
  ['mails_by_customer', (db, window) => timelines.mailsTo(db, ID, window)],
  ['customer_files_by_customer', (db, window) => timelines.filesOf(db, ID, window)],
  ['credit_transactions_by_customer', (db, window) => timelines.creditsOf(db, ID, window)],
  ['entitlements_of_customer', (db, window) => timelines.accessOf(db, ID, window)],
  ['orders_by_customer', (db, window) => timelines.ordersOf(db, ID, window)],
  ['inquiries_by_customer', (db, window) => timelines.inquiriesOf(db, ID, window)],
  ['subscriptions_by_customer', (db, window) => timelines.subscriptionsOf(db, ID, window)],
];

const plansOf = { sqlite: plansOfSqlite, postgres: plansOfPostgres };

for (const engine of engines) {
  test(`TI1: each source of a timeline reads one index from its place on, and sorts nothing [${engine}]`, async () => {
    const database = await createDatabase(engine);
    try {
      for (const window of [first, later])
        await plansOf[engine](database, async (planOf) => {
          let planned = 0;
          for (const [index, read] of sources) {
            const [plan, ...others] = await planOf((db) => read(db, window));
            assert.deepEqual(others, [], index);
            // SQLite prepares a statement once, which orders and customers share.
            if (plan === undefined && engine === 'sqlite') continue;
            assert.ok(plan, index);
            planned += 1;
            assert.match(plan, new RegExp(`\\b${index}\\b`), plan);
            assert.doesNotMatch(plan, /ORDER BY|\bSCAN\b|Sort|Seq Scan/, plan);
          }
          assert.ok(planned > 20, `${planned} plans`);
        });
    } finally {
      await database.drop();
    }
  });
}

/** The plans of the statements that some work sends. */
type PlanOf = (work: (db: Db) => Promise<unknown>) => Promise<string[]>;

async function migrated(database: TestDatabase): Promise<void> {
  const store = openStore({ url: database.url });
  await migrate(store).finally(() => store.close());
}

async function plansOfSqlite(database: TestDatabase, check: (planOf: PlanOf) => Promise<void>): Promise<void> {
  await migrated(database);
  const watch = watchStatements(database.url);
  const plans = openPlans(database.url);
  const store = openStore({ url: database.url });
  try {
    await check(async (work) => {
      watch.seen.length = 0;
      await work(store.reader);
      return [...watch.seen].map((text) => plans.planOf(text).join('\n'));
    });
  } finally {
    watch.stop();
    plans.close();
    await store.close();
  }
}

async function plansOfPostgres(database: TestDatabase, check: (planOf: PlanOf) => Promise<void>): Promise<void> {
  await migrated(database);
  const store = openStore({ url: database.url });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // In an empty table, reading it whole and sorting cost nothing.
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off');
  const query = pg.Client.prototype.query;
  try {
    await check(async (work) => {
      const seen: { text: string; values: unknown[] }[] = [];
      const watched = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, text: string, values: unknown[]) {
        seen.push({ text, values });
        const answer: unknown = Reflect.apply(query, this, [text, values]);
        return answer;
      });
      await work(store.reader).finally(() => watched.mock.restore());
      const plans: string[] = [];
      for (const { text, values } of seen) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      return plans;
    });
  } finally {
    await client.end();
    await store.close();
  }
}
