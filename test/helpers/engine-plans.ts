import { mock } from 'node:test';
import pg from 'pg';
import { migrate } from '../../server/db/migrate.ts';
import { type At, openStore } from '../../server/db/open.ts';
import { openPlans, watchStatements } from './query-plans.ts';
import type { TestDatabase } from './stores.ts';

/** How each engine executes the statements that some work sends to a new store. */
export const plansOf = { sqlite: plansOfSqlite, postgres: plansOfPostgres };

/** The plans of the statements that some work sends. */
type PlanOf = (work: (at: At) => Promise<unknown>) => Promise<string[]>;

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
      await work({ db: store.reader, dialect: store.dialect });
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
      await work({ db: store.reader, dialect: store.dialect }).finally(() => watched.mock.restore());
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
