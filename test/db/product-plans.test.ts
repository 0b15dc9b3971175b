import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Dialect } from '../../server/db/dialect.ts';
import { migrate } from '../../server/db/migrate.ts';
import { type Db, openStore, type Store } from '../../server/db/open.ts';
import type { Reading } from '../../server/db/queries/keyset.ts';
import * as search from '../../server/resources/products/search-store.ts';
import { openPlans, type Plans, watchStatements } from '../helpers/query-plans.ts';
import { createDatabase, type TestDatabase } from '../helpers/stores.ts';

/** How SQLite executes the statements that find products and variants. */

let database: TestDatabase;
let watch: ReturnType<typeof watchStatements>;
let plans: Plans;
before(async () => {
  database = await createDatabase('sqlite');
  await using(async (shop) => void (await migrate(shop)));
  watch = watchStatements(database.url);
  plans = openPlans(database.url);
});
after(async () => {
  watch.stop();
  plans.close();
  await database.drop();
});

async function using(work: (shop: Store) => Promise<void>): Promise<void> {
  const shop = openStore({ url: database.url });
  await work(shop).finally(() => shop.close());
}

async function plansOf(work: (at: { db: Db; dialect: Dialect }) => Promise<unknown>): Promise<string[][]> {
  watch.seen.length = 0;
  await using(async ({ reader, dialect }) => void (await work({ db: reader, dialect })));
  return watch.seen.filter((text) => text.includes('FROM')).map(plans.planOf);
}

test('a list of products by SKU or stock reads its own index, and for each product only an index of the variants', async () => {
  const reading: Reading = {
    sort: '-created_at',
    column: { name: 'created_at', type: 'text' },
    descending: true,
    page: 1,
    perPage: 20,
    after: null,
  };
  const none = { searchFolded: '', words: [], status: undefined, kind: undefined, lowBelow: null, isOut: false, updatedSince: undefined };
  for (const [filter, variants] of [
    [{ ...none, searchFolded: 'A-1' }, 'SEARCH variants USING COVERING INDEX variants_by_product (product_id=?)'],
    [{ ...none, lowBelow: 5 }, 'SEARCH variants USING COVERING INDEX variants_tracked (product_id=?)'],
    [{ ...none, isOut: true }, 'SEARCH variants USING COVERING INDEX variants_tracked (product_id=?)'],
  ] as const) {
    const [plan = []] = await plansOf((at) => search.products(at, filter).keys(reading));
    const steps = plan.filter((step) => /^(SEARCH|SCAN|USE TEMP)/.test(step));
    assert.deepEqual(steps, ['SCAN products USING INDEX products_by_created', variants], plan.join('\n'));
  }
});

test('a search of variants reads two indexes in the order of its answer, so that it stops at its limit', async () => {
  for (const onSale of [false, true]) {
    for (const words of [[], ['GREEN', 'TEA']]) {
      const [plan] = await plansOf((at) => search.selectIdsByWords(at, words, { onSale, limit: 20 }));
      assert.deepEqual(plan, [
        'SCAN products USING COVERING INDEX products_by_name',
        'SEARCH variants USING COVERING INDEX variants_by_product (product_id=?)',
      ]);
    }
  }
  const [bySku] = await plansOf((at) => search.selectIdsBySku(at.db, 'TEA-1', { onSale: true, limit: 20 }));
  assert.deepEqual(bySku, [
    'SEARCH variants USING INDEX variants_by_sku (sku_folded=?)',
    'SEARCH products USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});
