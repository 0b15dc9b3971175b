import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop, type ShopOptions } from 'backroom/testing';

const address = 'https://hooks.slack.com/services/T01/B02/s3cret';

async function open(http: NonNullable<ShopOptions['http']>): Promise<Shop> {
  const shop = await openShop({ http });
  await shop.admin.task_secrets.create({
    name: 'slack_webhook',
    task_id: null,
    value: 'T01/B02/s3cret',
    hosts: ['hooks.slack.com'],
    note: '',
  });
  return shop;
}

async function addProduct({ admin }: Shop, name: string, stock: number): Promise<number> {
  const { id } = await admin.products.create({ slug: `product-${stock}`, name, status: 'active' });
  return (await admin.products.create_variant(id, { sku: `sku-${stock}`, price_cents: 1000, stock })).id;
}

test('posts what has become low, once, and again after it was restocked', async () => {
  const shop = await open([{ method: 'POST', url: address, answer: { body: 'ok' } }]);
  await addProduct(shop, 'Plenty', 40);
  const variant = await addProduct(shop, 'Cups <!channel>', 2);

  const first = await shop.run({});
  assert.equal(first.status, 'success', first.error ?? '');
  assert.deepEqual(first.result, { low: 1, posted: 1 });
  assert.deepEqual(
    first.requests.map(({ url, body }) => [url, JSON.parse(body ?? '')]),
    [[address, { text: '*Low stock*\n• Cups &lt;!channel&gt;: 2 left' }]],
  );
  assert.doesNotMatch(JSON.stringify([first.log, first.effects, first.results]), /s3cret/);

  const second = await shop.run({});
  assert.deepEqual([second.result, second.requests, second.effects], [{ low: 1, posted: 0 }, [], []]);
  await shop.admin.products.change_stock(variant, { delta: 48, reason: 'Delivery' });
  assert.deepEqual((await shop.run({})).result, { low: 0, posted: 0 });
  await shop.admin.products.change_stock(variant, { delta: -49, reason: 'Sold elsewhere' });
  assert.deepEqual((await shop.run({})).result, { low: 1, posted: 1 });
});

test('a refused post fails the run and is made by the next one; a dry run posts nothing', async () => {
  let ok = false;
  const shop = await open(() => (ok ? { body: 'ok' } : { status: 404, body: 'no_service' }));
  await addProduct(shop, 'Cups', 2);
  const refused = await shop.run({});
  assert.equal(refused.status, 'failed');
  assert.match(refused.error ?? '', /Slack answered 404: no_service/);

  const dry = await shop.run({}, { dryRun: true });
  assert.deepEqual([dry.status, dry.result, dry.requests], ['success', { low: 1, posted: 1 }, []], dry.error ?? '');
  ok = true;
  assert.deepEqual((await shop.run({})).result, { low: 1, posted: 1 });
});
