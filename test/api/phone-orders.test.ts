import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PhoneOrderPayload } from '../../contract/order-edits.ts';
import { onBothStores } from '../helpers/app.ts';
import { insertCustomer, insertProduct, insertVariant } from '../helpers/builders.ts';
import { ghent, phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { insertPickupLocation, insertShippingMethod } from '../helpers/terms.ts';

onBothStores('phone orders', (app) => {
  const count = async (table: 'orders' | 'customers' | 'mails' | 'stock_movements' | 'domain_events') =>
    (await app().store.reader.selectFrom(table).select('id').execute()).length;
  const mailsTo = (address: string) =>
    app().store.reader.selectFrom('mails').select(['template', 'text_body']).where('to_address', '=', address).orderBy('id').execute();
  const stockOf = async (id: number) => (await app().client.products.get_variant(id)).stock;
  const create = async (payload: PhoneOrderPayload) => app().client.orders.get((await app().client.orders.create(payload)).id);

  test('POST /orders: 201 with id and public_id, where the order is, and its version', async () => {
    const variant = await insertVariant(app().store);
    const answer = await app().request({
      method: 'POST',
      path: '/admin/api/orders',
      body: phoneOrder([{ variant_id: variant.id, quantity: 1 }]),
    });
    assert.equal(answer.status, 201, answer.text);
    const { id, public_id, ...rest } = answer.body as { id: number; public_id: string };
    assert.deepEqual(rest, {});
    assert.match(public_id, /^[0-9A-HJKMNP-TV-Z]{12}$/, 'PH9');
    assert.equal(answer.headers['location'], `/admin/api/orders/${id}`);
    assert.equal(answer.headers['etag'], `"order-${id}-1"`);
  });

  test('PH7: what was created is what the preview said, by how it is paid', async () => {
    const variant = await insertVariant(app().store, { price_cents: 1234 });
    for (const [payment_status, status] of [
      ['none', 'pending'],
      ['pending', 'pending'],
      ['paid', 'processing'],
    ] as const) {
      const payload = phoneOrder([{ variant_id: variant.id, quantity: 3 }], { payment_status });
      const preview = await app().client.orders.preview(payload);
      assert.deepEqual(preview, {
        subtotal_cents: 3702,
        discount_cents: 0,
        shipping_cents: 0,
        tax_cents: 0,
        total_cents: 3702,
        resulting_status: status,
        resulting_payment_status: payment_status,
        prices_include_tax: false,
      });
      const order = await create(payload);
      assert.deepEqual([order.status, order.payment_status, order.total], [status, payment_status, 3702]);
      assert.deepEqual([order.paid_total_cents, order.balance_due_cents], payment_status === 'paid' ? [3702, 0] : [0, 3702]);
    }
  });

  test('O7, O13, PH8, PH9: the order keeps all that it was told, and what the lines were', async () => {
    const product = await insertProduct(app().store, { name: 'Mug' });
    const variant = await insertVariant(app().store, { product_id: product.id, label: 'Blue', price_cents: 900 });
    const billing_address = { line1: 'Office 2', city: 'Ghent', postal_code: '9000', country: 'BE', tax_number: 'BE0123' };
    const order = await create(
      phoneOrder([{ variant_id: variant.id, quantity: 2 }], {
        customer: { name: 'Ann', email: ' Ann@Example.com ', phone: '+32 9' },
        shipping_address: { ...ghent, line2: 'c/o', state: 'VOV' },
        billing_address,
        delivery_date: '2026-12-24',
        notes: 'Ring twice',
        discount: { kind: 'fixed', amount_cents: 100, reason: 'Sorry' },
      }),
    );
    await app().store.write((db) => db.updateTable('products').set({ name: 'Cup' }).where('id', '=', product.id).execute());
    const { items, ...shown } = await app().client.orders.get(order.id);
    assert.deepEqual(
      items.map(({ id: _, ...item }) => item),
      [
        {
          product_id: product.id,
          variant_id: variant.id,
          product_name: 'Mug',
          product_sku: variant.sku,
          variant_label: 'Blue',
          unit_price: 900,
          quantity: 2,
          subtotal: 1800,
          tax_rate: 0,
          tax_amount: 0,
          custom_fields: [],
        },
      ],
    );
    const { id: _, public_id: __, customer_id: ___, created_at, updated_at, ...fields } = shown;
    assert.equal(created_at, updated_at);
    assert.deepEqual(fields, {
      status: 'pending',
      payment_status: 'none',
      customer_name: 'Ann',
      customer_email: ' Ann@Example.com ',
      customer_phone: '+32 9',
      shipping_line1: 'High St 1',
      shipping_line2: 'c/o',
      shipping_city: 'Ghent',
      shipping_state: 'VOV',
      shipping_postal_code: '9000',
      shipping_country: 'BE',
      billing_address,
      notes: 'Ring twice',
      internal_notes: null,
      currency: 'EUR',
      prices_include_tax: false,
      subtotal: 1800,
      discount_amount: 100,
      discount_reason: 'Sorry',
      voucher_code: null,
      tax_amount: 0,
      shipping_method: '',
      shipping_cost: 0,
      total: 1700,
      payment_provider: 'manual',
      pickup_location_id: null,
      pickup_location_name: null,
      tracking_number: '',
      ip_address: '',
      invoice_url: null,
      delivery_date: '2026-12-24',
      is_test: false,
      internal_status_id: null,
      paid_total_cents: 0,
      balance_due_cents: 1700,
      payment_progress: 'unpaid',
      downloads: [],
    });
  });

  test('PH1: the customer is matched by folded email, else made; what they are called stays', async () => {
    const variant = await insertVariant(app().store);
    const items = [{ variant_id: variant.id, quantity: 1 }];
    const known = await insertCustomer(app().store, { name: 'Zoë', email: 'Straße@example.com', registered: 0 });
    const matched = await create(phoneOrder(items, { customer: { name: 'Zoe', email: '  STRASSE@example.com ', phone: '1' } }));
    assert.equal(matched.customer_id, known.id);
    const kept = await app().client.customers.get(known.id);
    assert.deepEqual([kept.name, kept.phone, kept.registered, kept.order_count], ['Zoë', null, false, 1]);

    const fresh = await create(phoneOrder(items, { customer: { name: 'New', email: 'new@example.com', phone: '2' } }));
    const { id, name, email, phone, registered, register_ip } = await app().client.customers.get(fresh.customer_id ?? 0);
    assert.deepEqual([name, email, phone, registered, register_ip], ['New', 'new@example.com', '2', false, '']);
    const again = await create(phoneOrder(items, { customer: { name: 'New', email: 'NEW@example.com', phone: '' } }));
    assert.equal(again.customer_id, id);
    const events = await app().store.reader.selectFrom('domain_events').select('data').where('type', '=', 'customer.created').execute();
    assert.equal(events.filter(({ data }) => JSON.parse(data).customer_id === id).length, 1);
  });

  test('PH1: registering makes an account once and queues the mail for a password', async () => {
    const variant = await insertVariant(app().store);
    const customer = { name: 'Reg', email: 'reg@example.com', phone: '' };
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }], { customer, register_customer: true });
    const { customer_id } = await create(payload);
    assert.equal((await app().client.customers.get(customer_id ?? 0)).registered, true);
    await create(payload);
    assert.deepEqual(
      (await mailsTo('reg@example.com')).map(({ template }) => template),
      ['set_password'],
    );
  });

  test('PH1: a walk-in without email has no customer; mails need one', async () => {
    const variant = await insertVariant(app().store);
    const walkIn = phoneOrder([{ variant_id: variant.id, quantity: 1 }], { customer: { name: 'Walk-in', email: '', phone: '' } });
    const before = await count('customers');
    const order = await create(walkIn);
    assert.deepEqual([order.customer_id, order.customer_email, await count('customers')], [null, '', before]);
    for (const flag of ['register_customer', 'send_confirmation_email']) {
      const error = await refused(app().client.orders.create({ ...walkIn, [flag]: true }), 422, 'blank');
      assert.equal(error.errors[0]?.pointer, '/customer/email');
    }
  });

  test('PH1: one customer is made by several orders at once', async () => {
    const variant = await insertVariant(app().store);
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }], {
      customer: { name: 'Race', email: 'race@example.com', phone: '' },
    });
    const orders = await Promise.all(Array.from({ length: 8 }, () => create(payload)));
    assert.equal(new Set(orders.map(({ customer_id }) => customer_id)).size, 1);
  });

  test('PH2: a preview writes nothing at all', async () => {
    const variant = await insertVariant(app().store, { stock: 5 });
    const tables = ['orders', 'customers', 'mails', 'stock_movements', 'domain_events'] as const;
    const before = await Promise.all(tables.map(count));
    await app().client.orders.preview(
      phoneOrder([{ variant_id: variant.id, quantity: 2 }], {
        register_customer: true,
        send_confirmation_email: true,
        payment_status: 'paid',
      }),
    );
    assert.deepEqual(await Promise.all(tables.map(count)), before);
    assert.equal(await stockOf(variant.id), 5);
  });

  test('PH10: the confirmation is queued with the order, in the same transaction', async () => {
    const variant = await insertVariant(app().store, { stock: 1 });
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }], {
      customer: { name: 'Mo', email: 'mo@example.com', phone: '' },
      send_confirmation_email: true,
    });
    const { public_id } = await create(payload);
    const [mail, ...others] = await mailsTo('mo@example.com');
    assert.deepEqual([mail?.template, others], ['order_confirmation', []]);
    assert.ok(mail?.text_body.includes(public_id));
    await refused(app().client.orders.create(payload), 409, 'insufficient_stock');
    assert.equal((await mailsTo('mo@example.com')).length, 1);
  });

  test('§2 Idempotency: the same request sent again makes no second order', async () => {
    const variant = await insertVariant(app().store, { stock: 9 });
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }], { send_confirmation_email: true });
    const send = () => app().client.orders.create(payload, { headers: { 'Idempotency-Key': `"order-${variant.id}"` } });
    const made = await Promise.all([send(), send(), send()]);
    assert.equal(new Set(made.map(({ id }) => id)).size, 1);
    assert.equal(await stockOf(variant.id), 8);
    assert.equal((await mailsTo(payload.customer.email)).length, 1);
  });

  test('O17: a change of status tells the customer nothing', async () => {
    const variant = await insertVariant(app().store);
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }]);
    const { id } = await create(payload);
    for (const status of ['processing', 'shipped', 'delivered', 'cancelled'] as const)
      await app().client.orders.update_status(id, { status });
    assert.deepEqual(await mailsTo(payload.customer.email), []);
  });

  test('PH3: stock is taken with a movement; the same variant twice is one line', async () => {
    const variant = await insertVariant(app().store, { stock: 9, price_cents: 100 });
    const other = await insertVariant(app().store, { track_stock: 0, stock: 0 });
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

  test('PH3: what the stock does not cover is refused whole, unless it may be ordered back', async () => {
    const product = await insertProduct(app().store);
    const short = await insertVariant(app().store, { product_id: product.id, stock: 1 });
    const enough = await insertVariant(app().store, { stock: 10 });
    const backorder = await insertVariant(app().store, { stock: 0, allow_backorder: 1 });
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

  test('PH3: unknown and inactive variants and quantities out of range are named', async () => {
    const inactive = await insertVariant(app().store, { active: 0 });
    const archived = await insertVariant(app().store, { product_id: (await insertProduct(app().store, { status: 'archived' })).id });
    const variant = await insertVariant(app().store, { allow_backorder: 1 });
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
    const dear = await insertVariant(app().store, { price_cents: Number.MAX_SAFE_INTEGER, track_stock: 0 });
    await refused(app().client.orders.create(phoneOrder([{ variant_id: dear.id, quantity: 2 }])), 422, 'out_of_range');
  });

  test('PH3: fields of a product are kept on the line; a required one must be filled', async () => {
    const custom_fields = JSON.stringify([
      { field_name: 'Engraving', required: true },
      { field_name: 'Card', required: false },
    ]);
    const product = await insertProduct(app().store, { custom_fields });
    const variant = await insertVariant(app().store, { product_id: product.id });
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

  test('PH4: sent by a method, picked up, or taken along', async () => {
    const { store, client } = app();
    const variant = await insertVariant(store);
    const items = [{ variant_id: variant.id, quantity: 1 }];
    const method = await insertShippingMethod(store, { name: 'Post', price_cents: 590, countries: '["BE","NL"]' });
    const sent = { shipping: { kind: 'configured' as const, method_id: method.id }, shipping_address: ghent };
    const order = await create(phoneOrder(items, sent));
    assert.deepEqual([order.shipping_method, order.shipping_cost, order.total], ['Post', 590, 1590]);
    const abroad = phoneOrder(items, { ...sent, shipping_address: { ...ghent, country: 'AT' } });
    const error = await refused(client.orders.create(abroad), 422, 'country_not_served');
    assert.equal(error.errors[0]?.pointer, '/shipping_address/country');
    await refused(client.orders.preview(phoneOrder(items, { ...sent, shipping_address: null })), 422, 'required');
    const closed = await insertShippingMethod(store, { active: 0 });
    for (const method_id of [closed.id, 999_999]) {
      await refused(
        client.orders.preview(phoneOrder(items, { ...sent, shipping: { kind: 'configured', method_id } })),
        422,
        'shipping_method_not_found',
      );
    }

    const shop = await insertPickupLocation(store, { name: 'Main street' });
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
    const taken = await create(phoneOrder(items, { shipping: { kind: 'none', method_id: 999_999 } }));
    assert.deepEqual([taken.shipping_method, taken.shipping_cost, taken.pickup_location_id], ['', 0, null]);
    const body = { ...phoneOrder(items), shipping: { kind: 'drone', method_id: 1 } };
    assert.equal((await app().request({ method: 'POST', path: '/admin/api/orders', body })).status, 422);
  });

  test('PH6: none, pending and paid are taken, none is the default; paid is told', async () => {
    const variant = await insertVariant(app().store);
    const { payment_status: _, ...payload } = phoneOrder([{ variant_id: variant.id, quantity: 1 }]);
    const { body } = await app().request({ method: 'POST', path: '/admin/api/orders/preview', body: payload });
    assert.equal((body as { resulting_payment_status: string }).resulting_payment_status, 'none');
    for (const payment_status of ['refunded', 'failed', 'unknown']) {
      const { status } = await app().request({ method: 'POST', path: '/admin/api/orders', body: { ...payload, payment_status } });
      assert.equal(status, 422);
    }
    const { id, payment_provider } = await create({ ...payload, payment_status: 'paid' });
    assert.equal(payment_provider, 'manual');
    assert.deepEqual(await eventsOf(id), ['order.created', 'order.paid']);
    await app().client.orders.update_payment_status(id, { payment_status: 'pending' });
    await app().client.orders.update_payment_status(id, { payment_status: 'paid' });
    assert.deepEqual(await eventsOf(id), ['order.created', 'order.paid'], 'once');
  });

  test('AG8: an order of total 0 counts as bought when it is made', async () => {
    const variant = await insertVariant(app().store, { price_cents: 0 });
    const { id, payment_status, payment_progress } = await create(phoneOrder([{ variant_id: variant.id, quantity: 1 }]));
    assert.deepEqual([payment_status, payment_progress], ['none', 'paid']);
    assert.deepEqual(await eventsOf(id), ['order.created', 'order.paid']);
  });

  test('PH8: what may be left out may also be null; countries and dates are real', async () => {
    const variant = await insertVariant(app().store);
    const bare = phoneOrder([{ variant_id: variant.id, quantity: 1 }]);
    const order = await create({
      ...bare,
      billing_address: null,
      shipping_address: null,
      delivery_date: null,
      notes: null,
      voucher_code: null,
      discount: null,
    });
    assert.deepEqual([order.billing_address, order.notes, order.delivery_date], [null, '', null]);
    const preview = (values: Partial<PhoneOrderPayload>) => app().client.orders.preview({ ...bare, ...values });
    await refused(preview({ delivery_date: '2026-02-30' }), 422, 'invalid_date');
    await refused(preview({ shipping_address: { ...ghent, country: 'be' } }), 422, 'invalid_value');
    await refused(preview({ billing_address: { line1: '', city: 'G', postal_code: '', country: 'BE' } }), 422, 'blank');
  });

  test('PH10: crossing the threshold of low stock is told once', async () => {
    const product = await insertProduct(app().store, { low_stock_threshold: 3 });
    const variant = await insertVariant(app().store, { product_id: product.id, stock: 5 });
    for (const quantity of [1, 1, 1]) await create(phoneOrder([{ variant_id: variant.id, quantity }]));
    const notes = await app().store.reader.selectFrom('notifications').select('metadata').where('type', '=', 'low_stock').execute();
    const ours = notes.map(({ metadata }) => JSON.parse(metadata ?? '')).filter(({ product_id }) => product_id === product.id);
    assert.deepEqual(ours, [{ product_id: product.id, stock: 3 }]);
  });

  test('§2 Dry run: another total than the one expected is refused, and nothing is made', async () => {
    const variant = await insertVariant(app().store, { price_cents: 1000 });
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }]);
    const { total_cents } = await app().client.orders.preview({ ...payload, expected_total_cents: 1 });
    await app().store.write((db) => db.updateTable('variants').set({ price_cents: 1100 }).where('id', '=', variant.id).execute());
    const before = [await count('orders'), await stockOf(variant.id)];
    const error = await refused(app().client.orders.create({ ...payload, expected_total_cents: total_cents }), 409, 'total_changed');
    assert.equal(error.problem?.['total_cents'], 1100);
    assert.deepEqual([await count('orders'), await stockOf(variant.id)], before);
    assert.equal((await create({ ...payload, expected_total_cents: 1100 })).total, 1100);
  });

  test('PH3: 16 orders at once for 10 pieces: ten are made, none is lost', async () => {
    const variant = await insertVariant(app().store, { stock: 10 });
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

  async function eventsOf(orderId: number): Promise<string[]> {
    const rows = await app().store.reader.selectFrom('domain_events').select(['type', 'data']).orderBy('id').execute();
    return rows
      .filter(({ type, data }) => /^order\.(created|paid)$/.test(type) && JSON.parse(data).order_id === orderId)
      .map(({ type }) => type);
  }
});
