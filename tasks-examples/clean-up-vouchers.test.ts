import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('deletes what has expired long ago, and nothing else', async () => {
  const shop = await openShop();
  const { vouchers } = shop.admin;
  for (const [code, valid_to] of [
    ['OLD', '2026-01-01T00:00:00Z'],
    ['NEW', '2026-06-20T00:00:00Z'],
    ['ALWAYS', null],
  ] as const)
    await vouchers.create({ code, kind: 'free_shipping', valid_to });
  const first = await shop.run({ as_of: '2026-06-30', days: 30 });
  assert.deepEqual(first.result, { expired: 1, deleted: 1, switched_off: 0, left: 0 }, first.error ?? '');
  assert.deepEqual(
    (await vouchers.list()).data.map(({ code }) => code),
    ['ALWAYS', 'NEW'],
  );
  assert.deepEqual((await shop.run({ as_of: '2026-06-30', days: 30 })).effects, []);
});
