import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../contract/errors.ts';
import type { Json } from '../../contract/run-events.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeProduct, makeVariant } from '../helpers/builders.ts';
import { newsOf } from '../helpers/news.ts';
import { ghent, ordersAt, phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { makePickupLocation, makeShippingMethod, makeTaxRate } from '../helpers/terms.ts';

onBothStores('goods of phone orders', (app) => {
  const count = async (table: 'orders' | 'customers' | 'mails' | 'stock_movements' | 'domain_events') =>
    (await app().store.reader.selectFrom(table).select('id').execute()).length;
  const { stockOf, create } = ordersAt(app);

  test('PH3: an order takes stock with a movement; two lines of one variant become one', async () => {
    const variant = await makeVariant(app(), { stock: 9, price_cents: 100 });
    const other = await makeVariant(app(), { track_stock: false, stock: 0 });
    const order = await create(
      phoneOrder([
        { variant_id: variant.id, quantity: 2 },
        { variant_id: other.id, quantity: 5 },
        { variant_id: variant.id, quantity: 1 },
      ]),
    );
    assert.deepEqual(
      order.items.map(({ variant_id, quantity }) => [variant_id, quantity]),
      [
        [variant.id, 3],
        [other.id, 5],
      ],
    );
    assert.deepEqual([await stockOf(variant.id), await stockOf(other.id)], [6, 0]);
    const [movement] = await app().client.products.list_stock_movements(variant.id);
    assert.deepEqual([movement?.delta, movement?.reason, movement?.order_id], [-3, 'order placed', order.id]);
  });

  test('PH3: an order that exceeds the stock is refused whole, unless the variant allows backorders', async () => {
    const product = await makeProduct(app());
    const short = await makeVariant(app(), { product_id: product.id, stock: 1 });
    const enough = await makeVariant(app(), { stock: 10 });
    const backorder = await makeVariant(app(), { stock: 0, allow_backorder: true });
    const payload = phoneOrder([
      { variant_id: enough.id, quantity: 1 },
      { variant_id: short.id, quantity: 2 },
    ]);
    const before = [await count('orders'), await count('customers')];
    for (const call of ['preview', 'create'] as const) {
      const error = await refused(app().client.orders[call](payload), 409, 'insufficient_stock');
      assert.deepEqual(error.problem?.['stock_warnings'], [
        { product_id: product.id, variant_id: short.id, product_name: product.name, requested: 2, available: 1 },
      ]);
    }
    assert.deepEqual([await count('orders'), await count('customers')], before);
    assert.equal(await stockOf(enough.id), 10);
    await create(phoneOrder([{ variant_id: backorder.id, quantity: 4 }]));
    assert.equal(await stockOf(backorder.id), -4);
  });

  test('PH3: unknown and inactive variants are refused with their place, quantities and sums must be in range', async () => {
    const inactive = await makeVariant(app(), { active: false });
    const archived = await makeVariant(app(), { product_id: (await makeProduct(app(), { status: 'archived' })).id });
    const variant = await makeVariant(app(), { allow_backorder: true });
    for (const call of ['preview', 'create'] as const) {
      const error = await refused(
        app().client.orders[call](
          phoneOrder([
            { variant_id: inactive.id, quantity: 1 },
            { variant_id: 999_999, quantity: 1 },
            { variant_id: archived.id, quantity: 1 },
          ]),
        ),
        422,
        'validation_failed',
      );
      assert.deepEqual(
        error.errors.map(({ pointer, code }) => [pointer, code]),
        [
          ['/items/0/variant_id', 'variant_inactive'],
          ['/items/1/variant_id', 'variant_not_found'],
          ['/items/2/variant_id', 'variant_inactive'],
        ],
      );
    }
    const many = { variant_id: variant.id, quantity: 600_000 };
    await refused(app().client.orders.preview(phoneOrder([many, many])), 422, 'out_of_range');
    await refused(app().client.orders.preview(phoneOrder([])), 422, 'out_of_range');
    const dear = await makeVariant(app(), { price_cents: 1_000_000_000_000, track_stock: false });
    await refused(app().client.orders.create(phoneOrder([{ variant_id: dear.id, quantity: 10_000 }])), 422, 'out_of_range');
  });

  test('PH3: custom fields are stored on the line; a required one must be filled', async () => {
    const custom_fields = [
      { field_name: 'Engraving', required: true },
      { field_name: 'Card', required: false },
    ];
    const product = await makeProduct(app(), { custom_fields });
    const variant = await makeVariant(app(), { product_id: product.id });
    const line = (...values: [string, string][]) => ({
      variant_id: variant.id,
      quantity: 1,
      custom_field_values: values.map(([field_name, field_value]) => ({ field_name, field_value })),
    });
    const error = await refused(
      app().client.orders.preview(phoneOrder([line(['Engraving', ' ']), { variant_id: variant.id, quantity: 1 }])),
      422,
      'validation_failed',
    );
    assert.deepEqual(
      error.errors.map(({ pointer, code }) => [pointer, code]),
      [
        ['/items/0/custom_field_values', 'required'],
        ['/items/1/custom_field_values', 'required'],
      ],
    );
    const order = await create(phoneOrder([line(['Engraving', 'A']), line(['Engraving', 'B']), line(['Engraving', 'A'])]));
    assert.deepEqual(
      order.items.map(({ quantity, custom_fields }) => [quantity, custom_fields[0]?.field_value]),
      [
        [2, 'A'],
        [1, 'B'],
      ],
    );
  });

  test('PH4: goods are shipped by a method, picked up or taken along; each way is validated', async () => {
    const { client } = app();
    const variant = await makeVariant(app());
    const items = [{ variant_id: variant.id, quantity: 1 }];
    const method = await makeShippingMethod(app(), { name: 'Post', price_cents: 590, countries: ['BE', 'NL'] });
    const sent = { shipping: { kind: 'configured' as const, method_id: method.id }, shipping_address: ghent };
    const order = await create(phoneOrder(items, sent));
    assert.deepEqual([order.shipping_method, order.shipping_cost, order.total], ['Post', 590, 1590]);
    const abroad = phoneOrder(items, { ...sent, shipping_address: { ...ghent, country: 'AT' } });
    const error = await refused(client.orders.create(abroad), 422, 'country_not_served');
    assert.equal(error.errors[0]?.pointer, '/shipping_address/country');
    await refused(client.orders.preview(phoneOrder(items, { ...sent, shipping_address: null })), 422, 'required');
    const closed = await makeShippingMethod(app(), { active: false });
    for (const method_id of [closed.id, 999_999]) {
      await refused(
        client.orders.preview(phoneOrder(items, { ...sent, shipping: { kind: 'configured', method_id } })),
        422,
        'shipping_method_not_found',
      );
    }

    const shop = await makePickupLocation(app(), { name: 'Main street' });
    const picked = await create(phoneOrder(items, { shipping: { kind: 'pickup', method_id: shop.id } }));
    assert.deepEqual(
      [picked.pickup_location_id, picked.pickup_location_name, picked.shipping_cost, picked.shipping_country],
      [shop.id, 'Main street', 0, ''],
    );
    await refused(
      client.orders.preview(phoneOrder(items, { shipping: { kind: 'pickup', method_id: 999_999 } })),
      422,
      'pickup_location_not_found',
    );
    await refused(client.orders.preview(phoneOrder(items, { shipping: { kind: 'pickup' } })), 422, 'required');
    for (const method_id of [999_999, shop.id, 0, -1, 1.5, null, 'none', {}]) {
      const taken = await create(phoneOrder(items, { shipping: { kind: 'none', method_id } }));
      assert.deepEqual([taken.shipping_method, taken.shipping_cost, taken.pickup_location_id], ['', 0, null]);
    }
    const wrong: [Json, string, string][] = [
      [{ kind: 'drone', method_id: 1 }, '/shipping/kind', 'invalid_enum'],
      [{ kind: 'drone', method_id: 0 }, '/shipping/kind', 'invalid_enum'],
      [{ method_id: 1 }, '/shipping/kind', 'required'],
      [{ kind: 'pickup', method_id: 0 }, '/shipping/method_id', 'out_of_range'],
      [{ kind: 'configured', method_id: '1' }, '/shipping/method_id', 'invalid_type'],
      [{ kind: 'configured', method_id: null }, '/shipping/method_id', 'required'],
      [null, '/shipping', 'invalid_type'],
    ];
    for (const [shipping, pointer, code] of wrong) {
      const body = { ...phoneOrder(items, { shipping_address: ghent }), shipping };
      const answer = await app().request({ method: 'POST', path: '/admin/api/orders', body });
      const { errors } = Problem.parse(answer.body);
      assert.deepEqual([answer.status, errors?.map((error) => [error.pointer, error.code])], [422, [[pointer, code]]], answer.text);
    }
  });

  test('a tax rate of the destination country replaces the rate of the same name', async () => {
    const { client } = app();
    const [vat, books] = [
      await makeTaxRate(app(), { name: 'VAT', rate_bps: 2000 }),
      await makeTaxRate(app(), { name: 'Books', rate_bps: 1000 }),
    ];
    for (const name of ['vat', 'VAT', 'Freight']) await makeTaxRate(app(), { name, country: 'BE', rate_bps: name === 'vat' ? 2100 : 9999 });
    const [taxed, book] = [await makeProduct(app(), { tax_rate_id: vat.id }), await makeProduct(app(), { tax_rate_id: books.id })];
    const items = [
      { variant_id: (await makeVariant(app(), { product_id: taxed.id, price_cents: 1000 })).id, quantity: 1 },
      { variant_id: (await makeVariant(app(), { product_id: book.id, price_cents: 1000 })).id, quantity: 1 },
    ];
    const method = await makeShippingMethod(app(), { price_cents: 1000, tax_rate_id: vat.id });
    const [belgian, other] = [await makePickupLocation(app(), { country: 'BE' }), await makePickupLocation(app(), { country: 'AT' })];
    const taxOf = async (values: object) => (await client.orders.preview(phoneOrder(items, values))).tax_cents;
    const sentTo = (country: string) =>
      taxOf({ shipping: { kind: 'configured', method_id: method.id }, shipping_address: { ...ghent, country } });
    assert.equal(await sentTo('BE'), 210 + 100 + 210);
    assert.equal(await sentTo('AT'), 200 + 100 + 200);
    assert.equal(await taxOf({ shipping: { kind: 'pickup', method_id: belgian.id } }), 210 + 100);
    assert.equal(await taxOf({ shipping: { kind: 'pickup', method_id: other.id } }), 200 + 100);
    assert.equal(await taxOf({ shipping: { kind: 'none' }, shipping_address: ghent }), 200 + 100);
    const twice = [...items, ...items].map((item) => ({ ...item, quantity: 2 }));
    const { lines } = await client.orders.preview(phoneOrder(twice, { shipping: { kind: 'pickup', method_id: belgian.id } }));
    assert.deepEqual(
      lines.map(({ quantity, subtotal, tax_amount }) => [quantity, subtotal, tax_amount]),
      [
        [4, 4000, 840],
        [4, 4000, 400],
      ],
      'the preview has the lines that the order would have, each with its tax',
    );
    const order = await create(phoneOrder(items.slice(1), { shipping: { kind: 'pickup', method_id: belgian.id } }));
    const edited = await client.orders.edit(order.id, { items: [{ id: null, ...items[0] }] });
    assert.deepEqual(
      edited.items.map(({ tax_rate }) => tax_rate),
      [1000, 2100],
    );
  });

  test('PH10: reaching the low-stock threshold makes one notification', async () => {
    const product = await makeProduct(app(), { low_stock_threshold: 3 });
    const variant = await makeVariant(app(), { product_id: product.id, stock: 5 });
    for (const quantity of [1, 1, 1]) await create(phoneOrder([{ variant_id: variant.id, quantity }]));
    const news = await newsOf(app(), 'low_stock');
    const ours = news.map(({ metadata }) => metadata).filter((metadata) => metadata?.['product_id'] === product.id);
    assert.deepEqual(ours, [{ product_id: product.id, product_name: product.name, stock: 3 }]);
  });

  test('PH3: of 16 simultaneous orders for 10 pieces ten succeed', async () => {
    const variant = await makeVariant(app(), { stock: 10 });
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, () => create(phoneOrder([{ variant_id: variant.id, quantity: 1 }]))),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10);
    assert.equal(await stockOf(variant.id), 0);
    const movements = await app().client.products.list_stock_movements(variant.id);
    assert.equal(
      movements.reduce((sum, { delta }) => sum + delta, 0),
      0,
    );
  });
});
