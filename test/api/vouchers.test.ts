import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VoucherReason } from '../../contract/vouchers.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeVariant } from '../helpers/builders.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';

const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2999-01-01T00:00:00.000Z';

onBothStores('vouchers', (app) => {
  test('VO1: a voucher needs a code, a kind and the value of its kind; everything else has a default', async () => {
    const { vouchers } = app().client;
    const made = await vouchers.create({ code: ' Spring 10 ', kind: 'percent', percent_bps: 1000 });
    assert.deepEqual(made, {
      id: made.id,
      code: 'Spring 10',
      kind: 'percent',
      percent_bps: 1000,
      amount_cents: null,
      min_subtotal_cents: 0,
      usage_limit: null,
      per_customer_limit: null,
      used_count: 0,
      valid_from: null,
      valid_to: null,
      active: true,
    });
    assert.deepEqual(await vouchers.get(made.id), made);
    const free = await vouchers.create({ code: 'FREE', kind: 'free_shipping' });
    assert.deepEqual((await vouchers.list()).data, [free, made], 'sorted by code');
    assert.deepEqual((await vouchers.list({ search: 'spring' })).data, [made]);
    const pointers = [
      await refused(vouchers.create({ code: 'A', kind: 'percent' }), 422, 'required'),
      await refused(vouchers.create({ code: 'A', kind: 'fixed' }), 422, 'required'),
      await refused(vouchers.create({ code: 'A', kind: 'fixed', amount_cents: 5, percent_bps: 5 }), 422, 'invalid_value'),
      await refused(vouchers.create({ code: 'A', kind: 'free_shipping', amount_cents: 5 }), 422, 'invalid_value'),
      await refused(vouchers.create({ code: 'A', kind: 'free_shipping', valid_from: FUTURE, valid_to: PAST }), 422, 'invalid_value'),
      await refused(vouchers.create({ code: 'A', kind: 'percent', percent_bps: 10_001 }), 422, 'out_of_range'),
      await refused(vouchers.create({ code: 'A', kind: 'free_shipping', usage_limit: 0 }), 422, 'out_of_range'),
      await refused(vouchers.create({ code: ' ', kind: 'free_shipping' }), 422, 'blank'),
    ].map(({ errors }) => errors[0]?.pointer);
    const expected = ['percent_bps', 'amount_cents', 'percent_bps', 'amount_cents', 'valid_to', 'percent_bps', 'usage_limit', 'code'];
    assert.deepEqual(
      pointers,
      expected.map((name) => `/${name}`),
    );
  });

  test('VO1: a code is unique regardless of case', async () => {
    const { vouchers } = app().client;
    await vouchers.create({ code: 'Straße', kind: 'free_shipping' });
    const error = await refused(vouchers.create({ code: 'STRASSE', kind: 'free_shipping' }), 422, 'duplicate');
    assert.equal(error.errors[0]?.pointer, '/code');
    const other = await vouchers.create({ code: 'WEG', kind: 'free_shipping' });
    await refused(vouchers.update(other.id, { code: 'strasse' }), 422, 'duplicate');
    assert.equal((await vouchers.update(other.id, { code: 'Weg' })).code, 'Weg', 'its own code is accepted');
    const twins = await Promise.allSettled([1, 2, 3].map(() => vouchers.create({ code: 'TWIN', kind: 'free_shipping' })));
    assert.deepEqual(twins.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
  });

  test('VO1: changing the kind needs the value of the new kind and clears that of the old one', async () => {
    const { vouchers } = app().client;
    const { id } = await vouchers.create({ code: 'TURNS', kind: 'percent', percent_bps: 500, usage_limit: 3 });
    await refused(vouchers.update(id, { kind: 'fixed' }), 422, 'required');
    const fixed = await vouchers.update(id, { kind: 'fixed', amount_cents: 700 });
    assert.deepEqual([fixed.kind, fixed.amount_cents, fixed.percent_bps, fixed.usage_limit], ['fixed', 700, null, 3]);
    await refused(vouchers.update(id, { amount_cents: null }), 422, 'required');
    const timed = await vouchers.update(id, { valid_to: '2030-01-01T01:00:00+01:00', active: false, usage_limit: null });
    assert.deepEqual([timed.valid_to, timed.active, timed.usage_limit], ['2030-01-01T00:00:00.000Z', false, null]);
    assert.deepEqual(await vouchers.get(id), timed);
    await refused(vouchers.update(999_999, { active: true }), 404, 'not_found');
  });

  test('VO2: an order with an unusable code is refused with the reason', async () => {
    const { vouchers, orders } = app().client;
    const variant = await makeVariant(app(), { price_cents: 1000 });
    const free = { kind: 'free_shipping' } as const;
    await vouchers.create({ code: 'INACTIVE', ...free, active: false });
    await vouchers.create({ code: 'EARLY', ...free, valid_from: FUTURE });
    await vouchers.create({ code: 'LATE', ...free, valid_to: PAST });
    await vouchers.create({ code: 'BIG', ...free, min_subtotal_cents: 2001 });
    const preview = (voucher_code: string, quantity = 2) =>
      orders.preview(phoneOrder([{ variant_id: variant.id, quantity }], { voucher_code }));
    const reasons: [code: string, reason: VoucherReason][] = [
      ['NOBODY', 'unknown'],
      ['inactive', 'inactive'],
      ['EARLY', 'not_started'],
      ['LATE', 'expired'],
      ['BIG', 'below_minimum'],
    ];
    for (const [code, reason] of reasons) {
      const error = await refused(preview(code), 422, 'voucher_invalid');
      assert.deepEqual([error.errors[0]?.pointer, error.errors[0]?.reason], ['/voucher_code', reason], code);
    }
    await preview(' big ', 3);
  });

  test('VO3, VO4: an order counts as a use of its voucher, which then cannot be deleted', async () => {
    const { vouchers, orders } = app().client;
    const variant = await makeVariant(app(), { price_cents: 1000 });
    const items = [{ variant_id: variant.id, quantity: 1 }];
    const voucher = await vouchers.create({ code: 'ONCE', kind: 'fixed', amount_cents: 300, usage_limit: 1 });
    const order = await orders.create(phoneOrder(items, { voucher_code: 'once' }));
    assert.equal((await vouchers.get(voucher.id)).used_count, 1);
    const second = await refused(orders.create(phoneOrder(items, { voucher_code: 'ONCE' })), 422, 'voucher_invalid');
    assert.equal(second.errors[0]?.reason, 'exhausted');
    await refused(vouchers.delete(voucher.id), 409, 'in_use');
    assert.equal((await orders.get(order.id)).voucher_code, 'ONCE');
    const unused = await vouchers.create({ code: 'UNUSED', kind: 'free_shipping' });
    await vouchers.delete(unused.id);
    await refused(vouchers.get(unused.id), 404, 'not_found');
  });

  test('VO3: per_customer_limit and usage_limit hold, also for simultaneous orders', async () => {
    const { vouchers, orders } = app().client;
    const variant = await makeVariant(app(), { price_cents: 1000 });
    const items = [{ variant_id: variant.id, quantity: 1 }];
    const { id } = await vouchers.create({ code: 'EACH', kind: 'percent', percent_bps: 1000, usage_limit: 5, per_customer_limit: 1 });
    const order = (email: string) =>
      orders.create(phoneOrder(items, { voucher_code: 'EACH', customer: { name: 'Ann', email, phone: '' } }));
    await order('ann@example.com');
    const again = await refused(order('ANN@example.com'), 422, 'voucher_invalid');
    assert.equal(again.errors[0]?.reason, 'exhausted');
    const rush = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => order(`rush-${n}@example.com`)));
    assert.equal(rush.filter(({ status }) => status === 'fulfilled').length, 4);
    for (const one of rush) if (one.status === 'rejected') assert.equal(one.reason.code, 'voucher_invalid');
    assert.equal((await vouchers.get(id)).used_count, 5);
  });
});
