import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import * as store from '../../server/resources/dashboard/store.ts';
import { openPlans, type Plans, watchStatements } from '../helpers/query-plans.ts';
import { createDatabase, type TestDatabase } from '../helpers/stores.ts';

/** How SQLite reads the figures of the dashboard. Nothing is measured: no step may read a table of a million rows from end to end. */

let database: TestDatabase;
let watch: ReturnType<typeof watchStatements>;
let plans: Plans;
before(async () => {
  database = await createDatabase('sqlite');
  const shop = openStore({ url: database.url });
  await migrate(shop).finally(() => shop.close());
  watch = watchStatements(database.url);
  plans = openPlans(database.url);
});
after(async () => {
  watch.stop();
  plans.close();
  await database.drop();
});

/** The steps that read orders, their sums or customers. */
async function stepsOf(work: (db: Parameters<typeof store.selectStateCounts>[0]) => Promise<unknown>): Promise<string[]> {
  watch.seen.length = 0;
  const shop = openStore({ url: database.url });
  await work(shop.reader).finally(() => shop.close());
  const steps = watch.seen.filter((text) => text.includes('FROM')).flatMap(plans.planOf);
  return steps.filter((step) => /^(SCAN|SEARCH) (orders|order_|customers)/.test(step));
}

test('the days of two periods and their new customers are ranges of the kept sums and of one index', async () => {
  const span = { start: '2026-01-01T00:00:00.000Z', before: '2026-02-01T00:00:00.000Z' };
  assert.deepEqual(await stepsOf((db) => store.countNewCustomers(db, span)), [
    'SEARCH customers USING COVERING INDEX customers_by_created (created_at>? AND created_at<?)',
  ]);
  assert.deepEqual(
    [...new Set(await stepsOf((db) => store.selectDays(db, [span])))],
    ['SEARCH order_quarters USING PRIMARY KEY (quarter>? AND quarter<?)'],
  );
});
