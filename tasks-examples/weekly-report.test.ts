import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

const now = new Date('2026-06-30T12:00:00Z');
// A Tuesday: the last full week is 22 to 28 June.
const as_of = '2026-06-30';

async function ownerOf({ admin }: Shop): Promise<string> {
  return (await admin.admins.list()).data[0]?.email ?? '';
}

test('mails the figures of the last full week, once', async () => {
  const shop = await openShop({ sample: { orders: 400, now } });
  const to = await ownerOf(shop);
  const first = await shop.run({ to, as_of });
  assert.equal(first.status, 'success', first.error ?? '');
  assert.deepEqual(first.result, { week: '2026-06-22', mailed: 1 });

  const week = { created_from: '2026-06-22', created_to: '2026-06-28' };
  const made = await shop.admin.orders.list({ ...week, per_page: 100 });
  const orders = made.data.filter(({ status }) => status !== 'cancelled');
  assert.ok(orders.length > 0 && made.total < 100);
  const cents = orders.filter((order) => order.payment_status === 'paid').reduce((sum, { total }) => sum + total, 0);
  const [mail] = first.mails;
  assert.deepEqual([mail?.to, mail?.subject], [to, 'The week from 2026-06-22 to 2026-06-28']);
  const lines = mail?.text.split('\n') ?? [];
  assert.equal(lines[0], `Orders: ${orders.length}`);
  assert.match(lines[1] ?? '', /^Paid: €[\d,]+\.\d\d$/);
  assert.equal(lines[1]?.replaceAll(/\D/g, ''), String(cents));

  const again = await shop.run({ to, as_of });
  assert.deepEqual([again.result, again.mails], [{ week: '2026-06-22', mailed: 0 }, []]);
  const next = await shop.run({ to, as_of: '2026-07-06' });
  assert.deepEqual(next.result, { week: '2026-06-29', mailed: 1 });
});

test('a run that is cut off after its mail and resumed mails once; a dry run mails nothing', async () => {
  const shop = await openShop();
  const to = await ownerOf(shop);
  const dry = await shop.run({ to, as_of }, { dryRun: true });
  assert.deepEqual([dry.status, dry.mails.length], ['success', 1], dry.error ?? '');

  const cut = await shop.run({ to, as_of }, { limits: { host_calls: 5 } });
  assert.deepEqual([cut.status, cut.end_reason, cut.mails.length], ['interrupted', 'budget', 1]);
  const rest = await shop.run({}, { resume: cut.id });
  assert.deepEqual([rest.status, rest.result, rest.mails], ['success', { week: '2026-06-22', mailed: 1 }, []]);
});

test('refuses an address that is not an admin’s', async () => {
  const shop = await openShop();
  const { status, error, mails } = await shop.run({ to: 'stranger@example.com', as_of });
  assert.equal(status, 'failed');
  assert.match(error ?? '', /stranger@example\.com/);
  assert.deepEqual(mails, []);
});
