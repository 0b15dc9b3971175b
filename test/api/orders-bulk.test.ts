import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { makeVoucher } from '../helpers/terms.ts';

onBothStores('orders, many at once and with a voucher', (app) => {
  const stockOf = async (id: number) => (await app().client.products.get_variant(id)).stock;
  const statusOf = async (id: number) => (await app().client.orders.get(id)).status;

  test('§2 Bulk: each order has its own outcome, in the order of the ids; one that is refused stays as it was', async () => {
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

  test('§2 Bulk: 250 orders at most, each once; none of them is fine too', async () => {
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

  test('§2 Bulk: two that overlap, and cancel what the other reopens, lose no stock', async () => {
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

  test('O16, §3: a cancelled order gives its voucher back and takes it again when it lives again', async () => {
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
    await app().client.orders.update_status(id, { status: 'pending' });
    assert.equal(await uses(), 2, 'also beyond the limit: it is the same sale');
    assert.equal((await app().client.orders.get(id)).discount_amount, 100);
    await app().client.orders.bulk_status({ ids: [id, other.id], status: 'cancelled' });
    assert.equal(await uses(), 0);
  });
});
