import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('grants the credit on each anniversary, once', async () => {
  const shop = await openShop();
  const { id, created_at } = await shop.admin.customers.create({ name: 'Ann', email: 'ann@example.com' });
  const day = (years: number, days: number): string => {
    const [year = 0, month = 1, date = 1] = created_at.slice(0, 10).split('-').map(Number);
    return new Date(Date.UTC(year + years, month - 1, date + days)).toISOString().slice(0, 10);
  };
  const granted = async (as_of: string) => {
    const { result, error } = await shop.run({ as_of, credits: 100 });
    return [result, error];
  };
  const none = { anniversaries: 0, granted: 0, had_it: 0, left: 0 };
  const one = { anniversaries: 1, granted: 1, had_it: 0, left: 0 };
  assert.deepEqual(await granted(day(0, 1)), [none, null]);
  assert.deepEqual(await granted(day(1, -1)), [none, null]);
  assert.deepEqual(await granted(day(1, 0)), [one, null]);
  assert.deepEqual(await granted(day(1, 1)), [{ ...one, granted: 0, had_it: 1 }, null]);
  assert.deepEqual(await granted(day(1, 9)), [none, null]);
  assert.deepEqual(await granted(day(2, 2)), [one, null]);
  assert.equal((await shop.admin.customers.get_credits(id)).credits, 200);
});
