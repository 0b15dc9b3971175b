import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('grants each registered customer the credit, once', async () => {
  const shop = await openShop();
  const { id } = await shop.admin.customers.create({ name: 'Ann', email: 'ann@example.com', registered: true });
  await shop.admin.customers.create({ name: 'Ben', email: 'ben@example.com' });
  const first = await shop.run({ credits: 250 });
  assert.deepEqual(first.result, { new_customers: 1, granted: 1, had_it: 0, left: 0 }, first.error ?? '');
  assert.equal((await shop.admin.customers.get_credits(id)).credits, 250);
  const second = await shop.run({ credits: 250 });
  assert.deepEqual([second.result, second.effects], [{ new_customers: 1, granted: 0, had_it: 1, left: 0 }, []]);
});
