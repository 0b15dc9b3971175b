import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop, type ShopOptions } from 'backroom/testing';

const now = new Date('2026-06-30T12:00:00Z');

async function open(http: NonNullable<ShopOptions['http']>): Promise<Shop> {
  const shop = await openShop({ http, sample: { orders: 120, now } });
  const secret = { name: 'sheet_script', task_id: null, value: 'AKfy_s3cret', hosts: ['script.google.com'], note: '' };
  await shop.admin.task_secrets.create(secret);
  return shop;
}

test('sends each order as a row, and then only those that have changed', async () => {
  const shop = await open([{ method: 'POST', url: 'https://script.google.com/macros/s/AKfy_s3cret/exec', answer: { body: 'ok' } }]);
  const { total } = await shop.admin.orders.list({ per_page: 1 });
  const first = await shop.run();
  assert.deepEqual(first.result, { sent: total }, first.error ?? '');
  const rows = first.requests.flatMap(({ body }) => JSON.parse(body ?? '').rows);
  assert.equal(new Set(rows.map(([number]) => number)).size, total);
  assert.doesNotMatch(JSON.stringify([first.log, first.effects, first.results]), /s3cret/);

  const { data } = await shop.admin.orders.list({ status: 'pending', per_page: 1 });
  const [order] = data;
  assert.ok(order);
  await shop.admin.orders.update_status(order.id, { status: 'processing' });
  const second = await shop.run();
  const [row] = second.requests.flatMap(({ body }) => JSON.parse(body ?? '').rows);
  assert.deepEqual([second.result, row[0], row[5]], [{ sent: 1 }, order.public_id, 'processing']);
  const third = await shop.run();
  assert.deepEqual([third.result, third.requests, third.effects], [{ sent: 0 }, [], []]);
});

test('a refused post fails the run, and the next run sends the rows', async () => {
  let ok = false;
  const shop = await open(() => (ok ? { body: 'ok' } : { status: 401, body: 'sign in' }));
  const refused = await shop.run();
  assert.match(refused.error ?? '', /the sheet answered 401: sign in/);
  const dry = await shop.run({}, { dryRun: true });
  assert.deepEqual([dry.status, dry.requests], ['success', []], dry.error ?? '');
  ok = true;
  assert.equal((await shop.run()).status, 'success');
});
