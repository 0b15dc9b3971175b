import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

const now = new Date('2026-06-30T12:00:00Z');
const as_of = '2026-06-30';

test('mails the sales of yesterday, once', async () => {
  const shop = await openShop({ sample: { orders: 800, now } });
  const to = (await shop.admin.admins.list()).data[0]?.email ?? '';
  const first = await shop.run({ to, as_of });
  assert.equal(first.status, 'success', first.error ?? '');
  const { data } = await shop.admin.orders.list({ created_from: '2026-06-29', created_to: '2026-06-29', per_page: 100 });
  const kept = data.filter(({ status }) => status !== 'cancelled');
  const cents = kept.filter((order) => order.payment_status === 'paid').reduce((sum, { total }) => sum + total, 0);
  assert.ok(cents > 0);
  assert.deepEqual(first.result, { day: '2026-06-29', orders: kept.length, mailed: 1 });
  assert.equal(first.mails[0]?.subject.replaceAll(/^.*: |\D/g, ''), String(cents));
  const second = await shop.run({ to, as_of });
  assert.deepEqual([second.result, second.mails, second.effects], [{ day: '2026-06-29', mailed: 0 }, [], []]);
});
