import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('q: words in any order (O6)', (app) => {
  type List = { data: { id: number }[]; total: number };
  const ids = ({ data, total }: List): number[] => {
    assert.equal(data.length, total);
    return data.map(({ id }) => id).sort((a, b) => a - b);
  };
  const order = async (name: string, email: string, phone: string) => {
    const variant = await makeVariant(app(), { stock: 9 });
    const { id } = await app().client.orders.create(
      phoneOrder([{ variant_id: variant.id, quantity: 1 }], { customer: { name, email, phone } }),
    );
    return app().client.orders.get(id);
  };

  test('orders are found by names, emails, phones and numbers', async () => {
    const { client } = app();
    const one = await order('Marie-Anne Lelièvre', 'marie@zürich.example', '+41 (44) 123-45.67');
    const two = await order('Paul Erdős', 'erdos.p@example.com', '0699 1234 567');
    const walkIn = await order('Walk-in', '', '');
    const found = async (q: string) => ids(await client.orders.list({ q, per_page: 100 }));
    for (const q of [
      'lelievre',
      'LELIÈVRE marie',
      'anne lelievre',
      'zurich lelie',
      '@zürich',
      '1234567 lelievre',
      '41 44 123 45 67',
      '+41441234567',
      '(44) 123',
      `#${one.public_id}`,
      one.public_id.toLowerCase(),
      one.public_id.slice(0, 6),
      `marie ${one.public_id}`,
    ])
      assert.deepEqual(await found(q), [one.id], q);
    for (const q of ['erdös', 'Erdős paul', 'paul p@example', '0699 1234567', 'p 0699/1234-567', '567 0699'])
      assert.deepEqual(await found(q), [two.id], q);
    for (const q of ['lelievre erdos', 'lelievre 0699', 'nobody', '%', '_', '99999999999999999999', '41 44 999'])
      assert.deepEqual(await found(q), [], q);
    assert.ok((await found(String(walkIn.id))).includes(walkIn.id));
    assert.deepEqual(await found(`walk-in #${walkIn.id}`), [walkIn.id]);
    assert.deepEqual(await found('1234567'), [one.id, two.id]);
    const all = (await client.orders.list({})).total;
    assert.equal((await client.orders.list({ q: '  ' })).total, all);
    await refused(client.orders.list({ q: 'x'.repeat(201) }), 422, 'too_long');
    assert.equal(
      (
        await client.orders.list({
          q: Array.from({ length: 66 }, (_, n) => `${n}9`)
            .join(' ')
            .slice(0, 200),
        })
      ).total,
      0,
    );
    assert.deepEqual((await client.orders.list_ids({ q: 'marie 4567' })).ids, [one.id]);
    assert.deepEqual(ids(await client.orders.list({ q: '4567', search: 'erdos' })), [two.id]);
    assert.deepEqual(ids(await client.orders.list({ q: 'paul', search: 'erdos' })), [two.id]);
    assert.equal((await client.orders.list({ q: 'paul', search: 'marie' })).total, 0);
    assert.equal((await client.orders.calendar({ q: 'lelievre' })).no_delivery_date_count, 1);
    assert.equal((await client.orders.calendar({ q: '4567 erdos' })).no_delivery_date_count, 1);
    const changed = await client.orders.list({ q: '4567', after: 'start' });
    assert.deepEqual(
      changed.data.map(({ id }) => id),
      [one.id, two.id],
    );
    for (const sort of ['created_at', '-total', 'customer_name'] as const) {
      const first = await client.orders.list({ q: '4567', sort, per_page: 1 });
      const second = await client.orders.list({ q: '4567', sort, per_page: 1, page: 2 });
      assert.deepEqual([first.total, [...first.data, ...second.data].map(({ id }) => id).sort()], [2, [one.id, two.id]]);
    }
  });

  test('a customer is found by each of the words; a new phone number counts at once, an old one no more', async () => {
    const { client } = app();
    const made = await client.customers.create({ name: 'Łukasz Żak', email: 'lz@łódź.example', phone: '+48 600 700 800' });
    const found = async (q: string) => ids(await client.customers.list({ q, per_page: 100 }));
    for (const q of ['zak lukasz', 'ŻAK @lodz', '600700800', '48 600 700', 'zak 700', `lukasz ${made.id}`])
      assert.deepEqual(await found(q), [made.id], q);
    assert.deepEqual(await found('zak 601'), []);
    await client.customers.update(made.id, { phone: '601' });
    assert.deepEqual([await found('zak 601'), await found('600700800')], [[made.id], []]);
    await client.customers.update(made.id, { phone: null });
    assert.deepEqual(await found('zak 601'), []);
    const gone = await order('Gone', 'gone@example.com', '7770001112');
    assert.ok(gone.customer_id);
    await client.customers.delete(gone.customer_id);
    assert.equal((await client.orders.list({ q: '7770001112' })).total, 0);
    assert.deepEqual(await found('7770001112'), []);
  });

  test('products, inquiries and subscriptions have words, too', async () => {
    const { client } = app();
    const product = await makeProduct(app(), { name: 'Grüner Tee aus Kyōto' });
    await makeVariant(app(), { product_id: product.id, sku: 'TEA-KYO-9' });
    await makeProduct(app(), { name: 'Grüne Kanne' });
    for (const q of ['kyoto grun', 'tee tea-kyo', product.public_id.toLowerCase(), `kyoto ${product.id}`])
      assert.deepEqual(ids(await client.products.list({ q })), [product.id], q);
    assert.equal((await client.products.list({ q: 'kyoto kanne' })).total, 0);
    const inquiry = await client.inquiries.create({ name: 'Søren', email: 's@example.com', subject: 'Wrong size', body: 'b' });
    for (const q of ['size soren', `wrong ${inquiry.id}`]) assert.deepEqual(ids(await client.inquiries.list({ q })), [inquiry.id], q);
    assert.equal((await client.inquiries.list({ q: 'soren right' })).total, 0);
    assert.equal((await client.subscriptions.list({ q: 'nobody' })).total, 0);
  });

  test('words and a search agree where the words stand side by side', async () => {
    const customer = await makeCustomer(app(), { name: 'Same Words Here' });
    await makeOrder(app(), { customer });
    const { client } = app();
    for (const [q, search] of [
      ['here', 'HERE'],
      ['words here', 'words here'],
      ['sa', 'sa me'],
    ] as const) {
      const both = [await client.orders.list({ q }), await client.orders.list({ search: search.replace('sa me', 'sa') })];
      assert.deepEqual(both[0]?.data, both[1]?.data);
    }
  });
});
