import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VoucherInput } from '../../contract/vouchers.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { makeVoucher } from '../helpers/terms.ts';

onBothStores('bulk changes of orders, and their vouchers', (app) => {
  const stockOf = async (id: number) => (await app().client.products.get_variant(id)).stock;
  const statusOf = async (id: number) => (await app().client.orders.get(id)).status;

  test('O24: each order has its own result, in the order of the ids; a refused one does not change', async () => {
    const short = await makeVariant(app(), { stock: 2 });
    const plenty = await makeVariant(app(), { stock: 9 });
    const pending = await makeOrder(app());
    const refusedOne = await makeOrder(app(), { status: 'cancelled' }, [{ variant: short, quantity: 2 }]);
    await app().client.products.change_stock(short.id, { delta: -1, reason: 'broken' });
    const reopened = await makeOrder(app(), { status: 'cancelled' }, [{ variant: plenty, quantity: 2 }]);
    const ids = [reopened.id, 999_999, refusedOne.id, pending.id];
    assert.deepEqual(await app().client.orders.bulk_status({ ids, status: 'processing' }), {
      results: [
        { id: reopened.id, status: 'processing' },
        { id: 999_999, status: null, code: 'not_found' },
        { id: refusedOne.id, status: 'cancelled', code: 'insufficient_stock' },
        { id: pending.id, status: 'processing' },
      ],
    });
    assert.deepEqual(
      [await statusOf(reopened.id), await statusOf(refusedOne.id), await statusOf(pending.id)],
      ['processing', 'cancelled', 'processing'],
    );
    assert.deepEqual([await stockOf(plenty.id), await stockOf(short.id)], [7, 1]);
    const { data } = await app().client.audit_log.list({ action: 'orders.bulk_status' });
    assert.deepEqual(
      data.map(({ resource }) => resource.id),
      [pending.id, reopened.id],
    );
  });

  test('O24: at most 250 orders, none of them twice; an empty list is accepted', async () => {
    const bulk = (ids: number[]) => app().client.orders.bulk_status({ ids, status: 'shipped' });
    assert.deepEqual(await bulk([]), { results: [] });
    assert.deepEqual((await bulk([999_999])).results, [{ id: 999_999, status: null, code: 'not_found' }]);
    const error = await refused(bulk([1, 2, 1]), 422, 'duplicate');
    assert.equal(error.errors[0]?.pointer, '/ids/2');
    const many = Array.from({ length: 250 }, (_, n) => 1_000_000 + n);
    assert.equal((await bulk(many)).results.length, 250);
    await refused(bulk([...many, 5]), 422, 'too_long');
    const body = { ids: [1], status: 'returned' };
    assert.equal((await app().request({ method: 'POST', path: '/admin/api/orders/bulk-status', body })).status, 422);
  });

  test('O24: simultaneous bulk cancellations and reopenings of the same orders lose no stock', async () => {
    const variants = [await makeVariant(app(), { stock: 50 }), await makeVariant(app(), { stock: 50 })];
    const orders: number[] = [];
    for (let n = 0; n < 6; n++) {
      const lines = (n % 2 ? variants : variants.toReversed()).map((variant) => ({ variant, quantity: 1 }));
      orders.push((await makeOrder(app(), {}, lines)).id);
    }
    const rounds = Array.from({ length: 8 }, (_, n) =>
      app().client.orders.bulk_status({ ids: n % 2 ? orders : orders.toReversed(), status: n % 2 ? 'cancelled' : 'pending' }),
    );
    await Promise.all(rounds);
    await app().client.orders.bulk_status({ ids: orders, status: 'cancelled' });
    assert.deepEqual(await Promise.all(variants.map(({ id }) => stockOf(id))), [50, 50]);
  });

  test('O16, VO3: cancelling an order frees its voucher use, reopening takes it again', async () => {
    const voucher = await makeVoucher(app(), { kind: 'fixed', amount_cents: 100, usage_limit: 1 });
    const uses = async () => (await app().client.vouchers.get(voucher.id)).used_count;
    const variant = await makeVariant(app());
    const payload = () => phoneOrder([{ variant_id: variant.id, quantity: 1 }], { voucher_code: voucher.code });
    const { id } = await app().client.orders.create(payload());
    const spent = await refused(app().client.orders.create(payload()), 422, 'voucher_invalid');
    assert.equal(spent.errors[0]?.reason, 'exhausted');
    await app().client.orders.update_status(id, { status: 'shipped' });
    await app().client.orders.update_status(id, { status: 'cancelled' });
    assert.equal(await uses(), 0);
    await app().client.orders.update_status(id, { status: 'cancelled' });
    assert.equal(await uses(), 0);
    const other = await app().client.orders.create(payload());
    await app().client.orders.update_status(other.id, { status: 'cancelled' });
    await app().client.orders.update_status(id, { status: 'pending' });
    assert.equal(await uses(), 1);
    assert.equal((await app().client.orders.get(id)).discount_amount, 100);
    await app().client.orders.bulk_status({ ids: [id, other.id], status: 'cancelled' });
    assert.equal(await uses(), 0);
  });

  /** Orders with a voucher that may be used once, each cancelled before the next was made. */
  async function cancelledOrders(terms: Partial<VoucherInput>, count: number) {
    const voucher = await makeVoucher(app(), { kind: 'fixed', amount_cents: 100, ...terms });
    const variant = await makeVariant(app(), { stock: 50 });
    const payload = phoneOrder([{ variant_id: variant.id, quantity: 1 }], { voucher_code: voucher.code, register_customer: true });
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      const { id } = await app().client.orders.create(payload);
      await app().client.orders.update_status(id, { status: 'cancelled' });
      ids.push(id);
    }
    return { voucher, variant, ids };
  }

  for (const terms of [{ usage_limit: 1 }, { per_customer_limit: 1 }]) {
    test(`O16, VO3: reopening is refused where others have used up the voucher meanwhile (${Object.keys(terms)[0]})`, async () => {
      const { voucher, variant, ids } = await cancelledOrders(terms, 2);
      const [first = 0, second = 0] = ids;
      await app().client.orders.update_status(first, { status: 'pending' });
      const error = await refused(app().client.orders.update_status(second, { status: 'pending' }), 409, 'voucher_exhausted');
      assert.match(error.message, new RegExp(`"${voucher.code}".*raise the voucher's limit`));
      await refused(app().client.orders.update_shipping(second, { tracking_number: 'AT1', status: 'shipped' }), 409, 'voucher_exhausted');
      assert.deepEqual([await statusOf(second), await stockOf(variant.id)], ['cancelled', 49]);
      assert.equal((await app().client.orders.get(second)).tracking_number, '');
      assert.equal((await app().client.vouchers.get(voucher.id)).used_count, 1);
      await app().client.vouchers.update(voucher.id, { usage_limit: null, per_customer_limit: null });
      await app().client.orders.update_status(second, { status: 'pending' });
      assert.equal((await app().client.vouchers.get(voucher.id)).used_count, 2);
    });
  }

  test('O24, VO3: of orders that shared a voucher, as many are reopened as its limit allows', async () => {
    const { voucher, ids } = await cancelledOrders({ usage_limit: 2 }, 3);
    const { results } = await app().client.orders.bulk_status({ ids, status: 'processing' });
    assert.deepEqual(
      results.map(({ status, code }) => [status, code]),
      [
        ['processing', undefined],
        ['processing', undefined],
        ['cancelled', 'voucher_exhausted'],
      ],
    );
    assert.equal((await app().client.vouchers.get(voucher.id)).used_count, 2);
  });

  test('VO3: orders that are reopened at once do not exceed the limit of their voucher', async () => {
    const { voucher, ids } = await cancelledOrders({ usage_limit: 2 }, 6);
    const outcomes = await Promise.allSettled(ids.map((id) => app().client.orders.update_status(id, { status: 'pending' })));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2);
    assert.equal((await app().client.vouchers.get(voucher.id)).used_count, 2);
  });
});
