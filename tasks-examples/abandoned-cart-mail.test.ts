import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

const DAY_MS = 86_400_000;
/** The day so many days after the orders were made. */
const dayAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Opens a shop in which each of these customers has made two orders and paid none. */
async function open(names: readonly string[]): Promise<Shop> {
  const shop = await openShop();
  await shop.admin.settings.update({ public_url: 'https://shop.example.com' });
  const { id } = await shop.admin.products.create({ slug: 'mug', name: 'Mug', status: 'active' });
  const variant = await shop.admin.products.create_variant(id, { sku: 'mug', price_cents: 900, stock: 100 });
  for (const name of [...names, ...names]) {
    await shop.admin.orders.create({
      customer: { name, email: `${name.toLowerCase()}@example.com`, phone: '' },
      items: [{ variant_id: variant.id, quantity: 1 }],
      shipping: { kind: 'none' },
      payment_status: 'pending',
      register_customer: true,
      send_confirmation_email: false,
    });
  }
  return shop;
}

test('reminds each customer once, with a link to opt out, and leaves out who has opted out', async () => {
  const shop = await open(['Ann', 'Ben']);
  const { data } = await shop.admin.customers.list({ search: 'Ben' });
  await shop.admin.customers.update(data[0]?.id ?? 0, { marketing_opt_out: true });

  const early = await shop.run({ as_of: dayAfter(1) });
  assert.deepEqual([early.result, early.mails], [{ waiting: 0, mailed: 0, left_out: 0, left: 0 }, []], early.error ?? '');
  const dry = await shop.run({ as_of: dayAfter(3) }, { dryRun: true });
  assert.deepEqual([dry.status, dry.mails.length], ['success', 1], dry.error ?? '');

  const first = await shop.run({ as_of: dayAfter(3) });
  assert.deepEqual(first.result, { waiting: 2, mailed: 1, left_out: 1, left: 0 }, first.error ?? '');
  assert.deepEqual(
    first.mails.map(({ to, kind }) => [to, kind]),
    [['ann@example.com', 'marketing']],
  );
  assert.match(first.mails[0]?.text ?? '', /^Hello Ann,\n\nyour order \S+ still waits/);

  const second = await shop.run({ as_of: dayAfter(4) });
  assert.deepEqual([second.result, second.effects], [{ waiting: 0, mailed: 0, left_out: 0, left: 0 }, []]);
});

test('a run that is cut off and resumed reminds everybody once', async () => {
  const names = ['Ann', 'Ben', 'Cleo', 'Dora', 'Emil'];
  const shop = await open(names);
  const cut = await shop.run({ as_of: dayAfter(3) }, { limits: { host_calls: 9 } });
  assert.deepEqual([cut.status, cut.end_reason], ['interrupted', 'budget']);
  const rest = await shop.run({}, { resume: cut.id });
  assert.deepEqual(rest.result, { waiting: 5, mailed: 5, left_out: 0, left: 0 }, rest.error ?? '');
  assert.ok(cut.mails.length > 0 && rest.mails.length > 0);
  assert.deepEqual(
    [...cut.mails, ...rest.mails].map(({ to }) => to),
    names.map((name) => `${name.toLowerCase()}@example.com`),
  );
});
