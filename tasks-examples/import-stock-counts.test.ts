import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

const CSV = 'mug-red;7\nmug-blue;3\nno-such-mug;1\n';

let shop: Shop;
let counts: number;
const variants: number[] = [];

before(async () => {
  shop = await openShop();
  const { id } = await shop.admin.products.create({ slug: 'mug', name: 'Mug', status: 'active' });
  for (const sku of ['mug-red', 'mug-blue']) {
    variants.push((await shop.admin.products.create_variant(id, { sku, price_cents: 900, stock: 3 })).id);
  }
  counts = await shop.upload('counts.csv', CSV);
});

const stocks = () => Promise.all(variants.map(async (id) => (await shop.admin.products.get_variant(id)).stock));

test('enters nothing unless the person says so', async () => {
  const { status, error, result, effects } = await shop.run({ counts }, { answers: { enter: false } });
  assert.equal(status, 'success', error ?? '');
  assert.deepEqual(result, { counts: 2, differ: 1, unreadable: 1, entered: 0 });
  assert.deepEqual(effects, []);
  assert.deepEqual(await stocks(), [3, 3]);
});

test('enters what differs, and leaves a report', async () => {
  const run = await shop.run({ counts }, { answers: { enter: true } });
  assert.equal(run.status, 'success', run.error ?? '');
  assert.deepEqual(run.results, [{ status: 'entered', item: 'mug-red', details: { before: 3, counted: 7 } }]);
  assert.deepEqual(await stocks(), [7, 3]);
  const reports = await shop.admin.ai_tasks.list_artifacts(run.task_id, run.id);
  assert.deepEqual(
    reports.map(({ name }) => name),
    ['stock-counts.csv'],
  );
});
