import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { PhoneOrderPayload } from '../../contract/order-edits.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeProduct, makeVariant } from '../helpers/builders.ts';
import { ghent, phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { makeDiscountGroup, makeShippingMethod, makeTaxRate, makeVoucher } from '../helpers/terms.ts';

onBothStores('prices, taxes and discounts of orders', (app) => {
  const create = async (payload: PhoneOrderPayload) => app().client.orders.get((await app().client.orders.create(payload)).id);
  const preview = (payload: PhoneOrderPayload) => app().client.orders.preview(payload);
  const sold = async (price_cents: number, tax_rate_id: number | null = null) => {
    const product = await makeProduct(app(), { tax_rate_id });
    return makeVariant(app(), { product_id: product.id, price_cents });
  };
  const includeTax = async (prices_include_tax: boolean) => app().client.settings.update({ prices_include_tax });

  let reduced = 0;
  before(async () => {
    await makeTaxRate(app(), { rate_bps: 2700, is_default: true });
    reduced = (await makeTaxRate(app(), { rate_bps: 500 })).id;
  });

  test('O8, O9, O10: tax is added to net prices, each line at the rate of its product', async () => {
    const items = [
      { variant_id: (await sold(333)).id, quantity: 3 },
      { variant_id: (await sold(1010, reduced)).id, quantity: 1 },
    ];
    const order = await create(phoneOrder(items));
    assert.deepEqual(
      order.items.map(({ tax_rate, subtotal, tax_amount }) => [tax_rate, subtotal, tax_amount]),
      [
        [2700, 999, 270],
        [500, 1010, 51],
      ],
    );
    assert.deepEqual([order.prices_include_tax, order.subtotal, order.tax_amount, order.total], [false, 2009, 321, 2330]);
  });

  test('O9: with gross prices the tax is contained; an order keeps this when the setting changes', async () => {
    await includeTax(true);
    const variant = await sold(12_700);
    const said = await preview(phoneOrder([{ variant_id: variant.id, quantity: 1 }]));
    assert.deepEqual([said.prices_include_tax, said.tax_cents, said.total_cents], [true, 2700, 12_700]);
    const order = await create(phoneOrder([{ variant_id: variant.id, quantity: 1 }]));
    await includeTax(false);
    const edited = await app().client.orders.edit(order.id, { items: [{ id: order.items[0]?.id, quantity: 2 }] });
    assert.deepEqual([edited.prices_include_tax, edited.tax_amount, edited.total], [true, 5400, 25_400]);
  });

  test('O11, O12: a discount is spread over the lines before tax', async () => {
    const [a, b] = [await sold(1000), await sold(2000, reduced)];
    const order = await create(
      phoneOrder(
        [a, b].map(({ id }) => ({ variant_id: id, quantity: 1 })),
        { discount: { kind: 'fixed', amount_cents: 100 } },
      ),
    );
    assert.deepEqual(
      order.items.map(({ subtotal, tax_amount }) => [subtotal, tax_amount]),
      [
        [1000, 261],
        [2000, 97],
      ],
    );
    assert.deepEqual([order.discount_amount, order.tax_amount, order.total], [100, 358, 3258]);
  });

  test('O10: shipping is taxed at the rate of its method, also after an edit', async () => {
    const method = await makeShippingMethod(app(), { price_cents: 1000, tax_rate_id: reduced });
    const variant = await sold(1000);
    const order = await create(
      phoneOrder([{ variant_id: variant.id, quantity: 1 }], {
        shipping: { kind: 'configured', method_id: method.id },
        shipping_address: ghent,
      }),
    );
    assert.deepEqual([order.shipping_cost, order.tax_amount, order.total], [1000, 270 + 50, 2320]);
    const edited = await app().client.orders.edit(order.id, { shipping: { cost_cents: 2000 } });
    assert.deepEqual([edited.tax_amount, edited.total], [270 + 100, 3370]);
  });

  test('PH5: a discount is an amount or a percentage, computed after the voucher and capped at the rest', async () => {
    const voucher = await makeVoucher(app(), { percent_bps: 1000 });
    const items = [{ variant_id: (await sold(1005, reduced)).id, quantity: 1 }];
    const discounts = async (values: Partial<PhoneOrderPayload>) => {
      const { discount_cents } = await preview(phoneOrder(items, values));
      return discount_cents;
    };
    assert.equal(await discounts({ discount: { kind: 'percent', percent_bps: 5000 } }), 503);
    assert.equal(await discounts({ discount: { kind: 'percent', percent_bps: 5000 }, voucher_code: voucher.code }), 553);
    assert.equal(await discounts({ discount: { kind: 'fixed', amount_cents: 5000 }, voucher_code: voucher.code }), 1005);
    for (const discount of [
      { kind: 'percent', percent_bps: 10_001 },
      { kind: 'fixed', amount_cents: -1 },
      { kind: 'gift' },
      { kind: 'fixed' },
    ]) {
      const body = { ...phoneOrder(items), discount };
      assert.equal(
        (await app().request({ method: 'POST', path: '/admin/api/orders/preview', body })).status,
        422,
        JSON.stringify(discount),
      );
    }
  });

  test('O27: shipping is free from a subtotal after discounts; a voucher for free shipping is no discount', async () => {
    const method = await makeShippingMethod(app(), { price_cents: 590, free_over_cents: 2000 });
    const voucher = await makeVoucher(app(), { kind: 'free_shipping' });
    const variant = await sold(1000, reduced);
    const sent = (quantity: number, values: Partial<PhoneOrderPayload> = {}) =>
      preview(
        phoneOrder([{ variant_id: variant.id, quantity }], {
          shipping: { kind: 'configured', method_id: method.id },
          shipping_address: ghent,
          ...values,
        }),
      );
    assert.deepEqual([(await sent(1)).shipping_cents, (await sent(2)).shipping_cents], [590, 0]);
    assert.equal((await sent(2, { discount: { kind: 'fixed', amount_cents: 1 } })).shipping_cents, 590);
    const free = await sent(1, { voucher_code: voucher.code });
    assert.deepEqual([free.shipping_cents, free.discount_cents, free.total_cents], [0, 0, 1050]);
  });

  test('CU8: a business customer in a discount group gets its price per unit; other customers do not', async () => {
    const group = await makeDiscountGroup(app(), 1000);
    const business = await makeCustomer(app(), { is_b2b: true, discount_group_id: group.id });
    const former = await makeCustomer(app(), { is_b2b: false, discount_group_id: group.id });
    const items = [{ variant_id: (await sold(1015, reduced)).id, quantity: 3 }];
    const subtotal = async (email: string) =>
      (await preview(phoneOrder(items, { customer: { name: 'A', email, phone: '' } }))).subtotal_cents;
    assert.deepEqual(
      [await subtotal(business.email), await subtotal(former.email), await subtotal('stranger@example.com')],
      [3 * 914, 3045, 3045],
    );
    const order = await create(phoneOrder(items, { customer: { name: 'A', email: business.email, phone: '' } }));
    assert.deepEqual(
      order.items.map(({ unit_price }) => unit_price),
      [914],
    );
  });

  test('VO2: preview and creation refuse a code with the same reason', async () => {
    const { client } = app();
    const customer = await makeCustomer(app());
    const once = await makeVoucher(app(), { percent_bps: 100, per_customer_limit: 1 });
    const usedUp = await makeVoucher(app(), { percent_bps: 1, usage_limit: 1 });
    const items = [{ variant_id: (await sold(1000)).id, quantity: 1 }];
    const by = { customer: { name: 'A', email: customer.email, phone: '' } };
    await client.orders.create(phoneOrder(items, { ...by, voucher_code: once.code }));
    await client.orders.create(phoneOrder(items, { voucher_code: usedUp.code }));
    const cases: [string, string][] = [
      ['NO-SUCH-CODE', 'unknown'],
      [(await makeVoucher(app(), { percent_bps: 1, valid_to: '2020-01-01T00:00:00.000Z' })).code, 'expired'],
      [(await makeVoucher(app(), { percent_bps: 1, valid_from: '2999-01-01T00:00:00.000Z' })).code, 'not_started'],
      [usedUp.code, 'exhausted'],
      [once.code, 'exhausted'],
      [(await makeVoucher(app(), { percent_bps: 1, min_subtotal_cents: 1001 })).code, 'below_minimum'],
      [(await makeVoucher(app(), { percent_bps: 1, active: false })).code, 'inactive'],
    ];
    for (const [voucher_code, reason] of cases) {
      for (const call of [preview, create]) {
        const error = await refused(call(phoneOrder(items, { ...by, voucher_code })), 422, 'voucher_invalid');
        assert.deepEqual([error.errors[0]?.pointer, error.errors[0]?.reason], ['/voucher_code', reason]);
      }
    }
  });

  test('VO3: of simultaneous orders with a voucher’s last use one succeeds', async () => {
    const voucher = await makeVoucher(app(), { kind: 'fixed', amount_cents: 1, usage_limit: 1 });
    const items = [{ variant_id: (await sold(1000)).id, quantity: 1 }];
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => create(phoneOrder(items, { voucher_code: voucher.code }))));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await app().client.vouchers.get(voucher.id)).used_count, 1);
  });
});
