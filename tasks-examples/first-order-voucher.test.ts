import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

/** Makes an order of this price for this customer, and returns its id. */
async function addOrder({ admin }: Shop, name: string, price_cents: number): Promise<number> {
  const product = await admin.products.create({ slug: `mug-${name.toLowerCase()}`, name: 'Mug', status: 'active' });
  const variant = await admin.products.create_variant(product.id, { sku: `mug-${name}`, price_cents, stock: 10 });
  const { id } = await admin.orders.create({
    customer: { name, email: `${name.toLowerCase()}@example.com`, phone: '' },
    items: [{ variant_id: variant.id, quantity: 1 }],
    shipping: { kind: 'none' },
    payment_status: 'paid',
    register_customer: true,
    send_confirmation_email: false,
  });
  return id;
}

test('mails a voucher after the first order, once, and none to who has opted out', async () => {
  const shop = await openShop();
  await shop.admin.settings.update({ public_url: 'https://shop.example.com' });
  await addOrder(shop, 'Ann', 1500);
  await addOrder(shop, 'Ben', 1500);
  const { data } = await shop.admin.customers.list({ search: 'Ben' });
  await shop.admin.customers.update(data[0]?.id ?? 0, { marketing_opt_out: true });

  const dry = await shop.run({}, { dryRun: true });
  assert.deepEqual([dry.status, dry.mails.length], ['success', 1], dry.error ?? '');
  const first = await shop.run();
  assert.deepEqual(first.result, { buyers: 2, mailed: 1, skipped: 1, left: 0 }, first.error ?? '');
  const [voucher, ...others] = (await shop.admin.vouchers.list()).data;
  assert.deepEqual([voucher?.percent_bps, voucher?.usage_limit, others], [1000, 1, []]);
  assert.match(first.mails[0]?.text ?? '', new RegExp(`^Hello Ann,\n\n.* the voucher ${voucher?.code} your next one costs 10 % less`));
  const second = await shop.run();
  assert.deepEqual([second.result, second.effects], [{ buyers: 2, mailed: 0, skipped: 2, left: 0 }, []]);
});
