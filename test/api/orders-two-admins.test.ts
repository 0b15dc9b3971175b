import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdminApi } from '../../contract/calls.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('two admins edit one order', (app) => {
  async function twoAdmins(): Promise<[AdminApi, AdminApi]> {
    const permissions = ['admin_api.orders.write'] as const;
    const [first, second] = [
      await person(app(), { permissions: [...permissions] }),
      await person(app(), { permissions: [...permissions] }),
    ];
    return [app().clientFor(first.token), app().clientFor(second.token)];
  }

  async function anOrder() {
    const variant = await makeVariant(app(), { stock: 100 });
    const order = await makeOrder(app(), {}, [{ variant, quantity: 2 }]);
    const seen = await app().request({ path: `/admin/api/orders/${order.id}` });
    const detail = await app().client.orders.get(order.id);
    return {
      id: order.id,
      variant,
      detail,
      lineId: detail.items[0]?.id ?? 0,
      unchanged: { headers: { 'If-Match': seen.headers['etag'] ?? '' } },
    };
  }

  const stockOf = async (id: number) => (await app().client.products.get_variant(id)).stock;
  const rowsOf = async (orderId: number) => {
    const db = app().store.reader;
    return {
      order: await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirst(),
      items: await db.selectFrom('order_items').selectAll().where('order_id', '=', orderId).orderBy('id').execute(),
      edits: await db.selectFrom('order_edits').selectAll().where('order_id', '=', orderId).execute(),
      payments: await db.selectFrom('payments').selectAll().where('order_id', '=', orderId).execute(),
      movements: await db.selectFrom('stock_movements').selectAll().where('order_id', '=', orderId).execute(),
      mails: await db.selectFrom('mails').select('id').execute(),
    };
  };

  test('ED18: an edit with a stale If-Match is 412 and changes nothing; repeated with the current ETag it keeps both edits', async () => {
    const [ann, ben] = await twoAdmins();
    const { id, lineId, variant, unchanged } = await anOrder();
    const edited = await ann.orders.edit(id, { items: [{ id: lineId, quantity: 5 }], internal_notes: 'by Ann' }, unchanged);
    const afterAnn = await rowsOf(id);

    const late = { items: [{ id: lineId, quantity: 1 }], shipping: { cost_cents: 700 }, notify_customer: true };
    const error = await refused(ben.orders.edit(id, late, unchanged), 412, 'precondition_failed');
    assert.deepEqual(await rowsOf(id), afterAnn, 'a refused edit leaves no trace');
    assert.equal(await stockOf(variant.id), 95);

    const current = String(error.problem?.['current_etag']);
    const fresh = await app().request({ path: `/admin/api/orders/${id}` });
    assert.equal(current, fresh.headers['etag'], 'the refusal has the current ETag');
    const both = await ben.orders.edit(id, { shipping: { cost_cents: 700 } }, { headers: { 'If-Match': current } });
    assert.equal(both.items[0]?.quantity, 5, "Ann's edit is still there");
    assert.equal(both.internal_notes, 'by Ann');
    assert.equal(both.shipping_cost, 700);
    assert.equal(both.total, edited.total + 700);
    const edits = await app().client.orders.list_edits(id);
    assert.deepEqual(
      edits.map(({ total_before_cents, total_after_cents }) => [total_before_cents, total_after_cents]),
      [
        [edited.total, both.total],
        [edited.edit.total_before_cents, edited.total],
      ],
    );
  });

  test('ED18: of two simultaneous edits with the same If-Match one succeeds', async () => {
    const [ann, ben] = await twoAdmins();
    for (let round = 0; round < 10; round++) {
      const { id, lineId, variant, unchanged } = await anOrder();
      const edit = (api: AdminApi, quantity: number) => api.orders.edit(id, { items: [{ id: lineId, quantity }] }, unchanged);
      const results = await Promise.allSettled([edit(ann, 7), edit(ben, 11)]);
      const done = results.filter((result) => result.status === 'fulfilled');
      const late = results.filter((result) => result.status === 'rejected');
      assert.equal(done.length, 1);
      assert.equal(late[0]?.reason.status, 412, String(late[0]?.reason));
      const order = await app().client.orders.get(id);
      assert.equal(order.items[0]?.quantity, done[0]?.value.items[0]?.quantity);
      assert.equal(await stockOf(variant.id), 100 - (order.items[0]?.quantity ?? 0));
      assert.equal((await app().client.orders.list_edits(id)).length, 1);
    }
  });

  test('ET2: after any change of the order an edit with the old ETag is refused', async () => {
    const [ann, ben] = await twoAdmins();
    const changes: ((id: number, lineId: number) => Promise<unknown>)[] = [
      (id) => ann.orders.update_status(id, { status: 'processing' }),
      (id) => ann.orders.update_shipping(id, { tracking_number: 'AT1' }),
      (id) => ann.orders.create_payment(id, { label: 'Deposit', amount_cents: 100, paid: true }),
      (id, lineId) => ann.orders.edit(id, { items: [{ id: lineId, quantity: 3 }] }),
    ];
    for (const change of changes) {
      const { id, lineId, unchanged } = await anOrder();
      await change(id, lineId);
      const before = await rowsOf(id);
      await refused(ben.orders.edit(id, { items: [{ id: lineId, quantity: 9 }] }, unchanged), 412, 'precondition_failed');
      await refused(ben.orders.update_status(id, { status: 'cancelled' }, unchanged), 412, 'precondition_failed');
      assert.deepEqual(await rowsOf(id), before);
    }
  });
});
