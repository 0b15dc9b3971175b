import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PhoneOrderPayload } from '../../contract/order-edits.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeProduct, makeVariant } from '../helpers/builders.ts';
import { ghent, ordersAt, phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('phone orders', (app) => {
  const count = async (table: 'orders' | 'customers' | 'mails' | 'stock_movements' | 'domain_events') =>
    (await app().store.reader.selectFrom(table).select('id').execute()).length;
  const { stockOf, create, mailsTo } = ordersAt(app);

  test('POST /orders answers 201 with id, public_id, Location and ETag', async () => {
    const variant = await makeVariant(app());
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

  test('PH7: the order has the totals of its preview, and its status follows the payment status', async () => {
    const variant = await makeVariant(app(), { price_cents: 1234 });
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
        lines: [
          {
            id: null,
            product_id: variant.product_id,
            variant_id: variant.id,
            product_name: (await app().client.products.get(variant.product_id)).name,
            variant_label: variant.label,
            quantity: 3,
            unit_price: 1234,
            subtotal: 3702,
            tax_amount: 0,
          },
        ],
        resulting_status: status,
        resulting_payment_status: payment_status,
        prices_include_tax: false,
      });
      const order = await create(payload);
      assert.deepEqual([order.status, order.payment_status, order.total], [status, payment_status, 3702]);
      assert.deepEqual([order.paid_total_cents, order.balance_due_cents], payment_status === 'paid' ? [3702, 0] : [0, 3702]);
    }
  });

  test('O7, O13, PH8, PH9: the order stores all that was sent, and its lines as they were sold', async () => {
    const product = await makeProduct(app(), { name: 'Mug' });
    const variant = await makeVariant(app(), { product_id: product.id, label: 'Blue', price_cents: 900 });
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
    await app().client.products.update(product.id, { name: 'Cup' });
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

  test('PH1: the customer is found by email, whatever its case, or created; an existing customer keeps name and phone', async () => {
    const variant = await makeVariant(app());
    const items = [{ variant_id: variant.id, quantity: 1 }];
    const known = await makeCustomer(app(), { name: 'Zoë', email: 'Zoë@example.com', registered: false });
    const matched = await create(phoneOrder(items, { customer: { name: 'Zoe', email: '  ZOË@example.com ', phone: '1' } }));
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

  test('PH1: registering makes an account once and queues one mail for setting a password', async () => {
    const variant = await makeVariant(app());
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

  test('PH1: an order without an email has no customer; registering and mails need an email', async () => {
    const variant = await makeVariant(app());
    const walkIn = phoneOrder([{ variant_id: variant.id, quantity: 1 }], { customer: { name: 'Walk-in', email: '', phone: '' } });
    const before = await count('customers');
    const order = await create(walkIn);
    assert.deepEqual([order.customer_id, order.customer_email, await count('customers')], [null, '', before]);
    for (const flag of ['register_customer', 'send_confirmation_email']) {
      const error = await refused(app().client.orders.create({ ...walkIn, [flag]: true }), 422, 'blank');
      assert.equal(error.errors[0]?.pointer, '/customer/email');
    }
  });

  test('PH1: simultaneous orders with a new email create one customer', async () => {
    const variant = await makeVariant(app());
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }], {
      customer: { name: 'Race', email: 'race@example.com', phone: '' },
    });
    const orders = await Promise.all(Array.from({ length: 8 }, () => create(payload)));
    assert.equal(new Set(orders.map(({ customer_id }) => customer_id)).size, 1);
  });

  test('PH2: a preview writes nothing', async () => {
    const variant = await makeVariant(app(), { stock: 5 });
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

  test('PH10: the confirmation mail is queued with the order; a refused order queues none', async () => {
    const variant = await makeVariant(app(), { stock: 1 });
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

  test('IK2: a repeated request makes no second order', async () => {
    const variant = await makeVariant(app(), { stock: 9 });
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }], { send_confirmation_email: true });
    const send = () => app().client.orders.create(payload, { headers: { 'Idempotency-Key': `"order-${variant.id}"` } });
    const made = await Promise.all([send(), send(), send()]);
    assert.equal(new Set(made.map(({ id }) => id)).size, 1);
    assert.equal(await stockOf(variant.id), 8);
    assert.equal((await mailsTo(payload.customer.email)).length, 1);
  });

  test('O17: a changed status sends the customer no mail', async () => {
    const variant = await makeVariant(app());
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }]);
    const { id } = await create(payload);
    for (const status of ['processing', 'shipped', 'delivered', 'cancelled'] as const)
      await app().client.orders.update_status(id, { status });
    assert.deepEqual(await mailsTo(payload.customer.email), []);
  });

  test('PH6: an order is created as none (the default), pending or paid; paid makes the event order.paid', async () => {
    const variant = await makeVariant(app());
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
    assert.deepEqual(await eventsOf(id), ['order.created', 'order.paid'], 'order.paid once');
  });

  test('AG8: an order of total 0 makes order.paid when it is created', async () => {
    const variant = await makeVariant(app(), { price_cents: 0 });
    const { id, payment_status, payment_progress } = await create(phoneOrder([{ variant_id: variant.id, quantity: 1 }]));
    assert.deepEqual([payment_status, payment_progress], ['none', 'paid']);
    assert.deepEqual(await eventsOf(id), ['order.created', 'order.paid']);
  });

  test('PH8: an omissible field may be null; countries, dates and addresses are checked', async () => {
    const variant = await makeVariant(app());
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

  test('O25: an order with another total than expected_total_cents is refused, and nothing is created', async () => {
    const variant = await makeVariant(app(), { price_cents: 1000 });
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }]);
    const { total_cents } = await app().client.orders.preview({ ...payload, expected_total_cents: 1 });
    await app().client.products.update_variant(variant.id, { price_cents: 1100 });
    const before = [await count('orders'), await stockOf(variant.id)];
    const error = await refused(app().client.orders.create({ ...payload, expected_total_cents: total_cents }), 409, 'total_changed');
    assert.equal(error.problem?.['total_cents'], 1100);
    assert.deepEqual([await count('orders'), await stockOf(variant.id)], before);
    assert.equal((await create({ ...payload, expected_total_cents: 1100 })).total, 1100);
  });

  async function eventsOf(orderId: number): Promise<string[]> {
    const rows = await app().store.reader.selectFrom('domain_events').select(['type', 'data']).orderBy('id').execute();
    return rows
      .filter(({ type, data }) => /^order\.(created|paid)$/.test(type) && JSON.parse(data).order_id === orderId)
      .map(({ type }) => type);
  }
});
