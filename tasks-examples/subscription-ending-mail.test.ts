import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

const now = new Date('2026-06-30T12:00:00Z');

test('tells each customer once of a subscription that ends soon', async () => {
  const shop = await openShop({ sample: { orders: 800, now } });
  const period = { as_of: '2026-06-30', days: 60 };
  const ending: string[] = [];
  const { data, total } = await shop.admin.subscriptions.list({ status: 'active', sort: 'created_at', per_page: 100 });
  assert.equal(data.length, total);
  for (const one of data)
    if (one.cancel_at_period_end && one.current_period_end >= '2026-06-30' && one.current_period_end < '2026-08-30')
      ending.push(one.customer_email);
  assert.ok(ending.length > 0);
  const first = await shop.run(period);
  assert.equal(first.status, 'success', first.error ?? '');
  assert.deepEqual(
    first.mails.map(({ to }) => to),
    ending,
  );
  assert.match(first.mails[0]?.text ?? '', /your subscription of .+ ends on 2026-0[678]-\d\d\./);
  const second = await shop.run({ ...period, as_of: '2026-07-01', days: 59 });
  assert.deepEqual([second.mails, second.effects], [[], []]);
});
