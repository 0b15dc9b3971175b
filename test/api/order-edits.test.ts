import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderEditPayload, PhoneOrderPayload } from '../../contract/order-edits.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeVariant } from '../helpers/builders.ts';
import { ghent, ordersAt, phoneOrder, previewed } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';
import { makeShippingMethod, makeVoucher } from '../helpers/terms.ts';

onBothStores('order edits', (app) => {
  const { stockOf, create, mailsTo } = ordersAt(app);
  const preview = (id: number, edit: OrderEditPayload) => app().client.orders.preview_edit(id, edit);
  const edit = (id: number, payload: OrderEditPayload) => app().client.orders.edit(id, payload);

  /** Makes an order of one line, 2 × 1000, of a new variant. */
  async function simpleOrder(values: Partial<PhoneOrderPayload> = {}, stock = 50) {
    const variant = await makeVariant(app(), { stock, price_cents: 1000 });
    const order = await create(phoneOrder([{ variant_id: variant.id, quantity: 2 }], values));
    const [line] = order.items;
    if (!line) throw new Error('an order without lines');
    return { order, line, variant };
  }

  test('ED1, ED10: the preview shows what the edit makes, and writes nothing', async () => {
    const { order, line, variant } = await simpleOrder();
    const payload = { items: [{ id: line.id, quantity: 5 }], discount_amount_cents: 700, shipping: { cost_cents: 300 } };
    const said = await preview(order.id, payload);
    assert.deepEqual(said, {
      totals_before: { subtotal: 2000, tax: 0, shipping: 0, discount: 0, total: 2000 },
      totals_after: { subtotal: 5000, tax: 0, shipping: 300, discount: 700, total: 4600 },
      lines_before: [previewed(line)],
      lines_after: [{ ...previewed(line), quantity: 5, subtotal: 5000 }],
      payment_delta_cents: 2600,
      stock_warnings: [],
      summary: `#${line.id} quantity 2→5; shipping 0→300; discount 0→700; total 2000→4600`,
      requires_warn_acknowledged: false,
      balance_due_cents: 4600,
    });
    assert.deepEqual(await app().client.orders.get(order.id), order);
    assert.equal(await stockOf(variant.id), 48);
    const made = await edit(order.id, payload);
    const { subtotal, tax_amount, shipping_cost, discount_amount, total } = made;
    assert.deepEqual({ subtotal, tax: tax_amount, shipping: shipping_cost, discount: discount_amount, total }, said.totals_after);
    assert.deepEqual(
      [made.edit.summary, made.edit.total_before_cents, made.edit.total_after_cents, made.edit.payment_delta_cents],
      [said.summary, 2000, 4600, 2600],
    );
    assert.equal(await stockOf(variant.id), 45);
  });

  test('ED2: preview and edit refuse the same wrong values, and nothing changes', async () => {
    const { order, line } = await simpleOrder();
    const other = await makeVariant(app());
    const inactive = await makeVariant(app(), { active: false });
    const foreign = await simpleOrder();
    const cases: [OrderEditPayload, string, string][] = [
      [{ items: [{ id: foreign.line.id, quantity: 1 }] }, 'item_not_found', '/items/0/id'],
      [{ items: [{ id: line.id }, { id: line.id }] }, 'duplicate', '/items/1/id'],
      [{ items: [{ variant_id: 999_999, quantity: 1 }] }, 'variant_not_found', '/items/0/variant_id'],
      [{ items: [{ id: line.id, variant_id: inactive.id }] }, 'variant_inactive', '/items/0/variant_id'],
      [{ items: [{ id: line.id, product_id: other.product_id }] }, 'invalid_value', '/items/0/product_id'],
      [{ items: [{ product_id: line.product_id, variant_id: other.id, quantity: 1 }] }, 'invalid_value', '/items/0/product_id'],
      [{ items: [{ id: line.id, quantity: 0 }] }, 'order_would_be_empty', '/items'],
      [{ items: [], items_mode: 'replace' }, 'order_would_be_empty', '/items'],
      [{ items: [{ id: line.id, quantity: 1_000_001 }] }, 'out_of_range', '/items/0/quantity'],
      [{ items: [{ id: line.id, quantity: 9, unit_price_override_cents: Number.MAX_SAFE_INTEGER }] }, 'out_of_range', '/items'],
      [{ voucher_code: 'NO SUCH' }, 'voucher_invalid', '/voucher_code'],
      [{ delivery_date: '2026-02-30' }, 'invalid_date', '/delivery_date'],
      [{ discount_amount_cents: -1 }, 'out_of_range', '/discount_amount_cents'],
    ];
    for (const [payload, code, pointer] of cases) {
      for (const call of [preview, edit]) {
        const error = await refused(call(order.id, payload), 422, code);
        assert.equal(error.errors[0]?.pointer, pointer);
      }
    }
    assert.deepEqual(await app().client.orders.get(order.id), order, 'nothing has changed');
    assert.deepEqual(await app().client.orders.list_edits(order.id), []);
  });

  test('ED2: preview and edit refuse a cancelled order, after checking the values', async () => {
    const { order } = await simpleOrder();
    await app().client.orders.update_status(order.id, { status: 'cancelled' });
    for (const call of [preview, edit]) await refused(call(order.id, {}), 409, 'order_cancelled');
    for (const call of [preview, edit]) await refused(call(order.id, { voucher_code: 'NO' }), 422, 'voucher_invalid');
  });

  test('ED3: an edit of a shipped or delivered order needs warn_acknowledged', async () => {
    for (const status of ['shipped', 'delivered'] as const) {
      const { order } = await simpleOrder();
      await app().client.orders.update_status(order.id, { status });
      assert.equal((await preview(order.id, {})).requires_warn_acknowledged, true);
      await refused(edit(order.id, { internal_notes: 'x' }), 409, 'warning_not_acknowledged');
      await refused(edit(order.id, { internal_notes: 'x', warn_acknowledged: false }), 409, 'warning_not_acknowledged');
      assert.equal((await edit(order.id, { internal_notes: 'x', warn_acknowledged: true })).internal_notes, 'x');
    }
  });

  test('ED7: omitted parts of customer, address and shipping stay, and the customer record does not change', async () => {
    const { order } = await simpleOrder({ customer: { name: 'Ann', email: 'ann.edits@example.com', phone: '1' }, shipping_address: ghent });
    const made = await edit(order.id, {
      customer: { phone: '2' },
      shipping_address: { city: 'Bruges' },
      shipping: { method: 'Bike' },
    });
    assert.deepEqual([made.customer_name, made.customer_email, made.customer_phone], ['Ann', 'ann.edits@example.com', '2']);
    assert.deepEqual(
      [made.shipping_line1, made.shipping_city, made.shipping_method, made.shipping_cost],
      ['High St 1', 'Bruges', 'Bike', 0],
    );
    assert.equal(made.edit.summary, 'customer phone; shipping address; shipping method none→Bike');
    const renamed = await edit(order.id, { customer: { name: 'Änne' }, shipping: { cost_cents: 450 } });
    assert.deepEqual([renamed.shipping_method, renamed.shipping_cost, renamed.total], ['Bike', 450, order.total + 450]);
    assert.equal((await app().client.customers.get(order.customer_id ?? 0)).name, 'Ann');
    assert.equal((await app().client.orders.list({ search: 'äNNe' })).total, 1, 'the order is found by the new name');
  });

  test('ED8: a voucher code is kept, removed or checked; its discount is added to the manual one, up to the subtotal', async () => {
    const tenth = await makeVoucher(app(), { percent_bps: 1000 });
    const fixed = await makeVoucher(app(), { kind: 'fixed', amount_cents: 300, min_subtotal_cents: 1500 });
    const uses = async (id: number) => (await app().client.vouchers.get(id)).used_count;
    const { order, line } = await simpleOrder({ voucher_code: tenth.code.toLowerCase() });
    assert.deepEqual([order.voucher_code, order.discount_amount, order.total, await uses(tenth.id)], [tenth.code, 200, 1800, 1]);
    const more = await edit(order.id, { items: [{ id: line.id, quantity: 3 }], discount_amount_cents: 50, discount_reason: 'Late' });
    assert.deepEqual([more.discount_amount, more.discount_reason, more.total], [350, 'Late', 2650], 'ten per cent of the larger subtotal');
    const kept = await edit(order.id, { voucher_code: tenth.code });
    assert.deepEqual([kept.edit.summary, await uses(tenth.id)], ['No changes', 1]);
    const other = await edit(order.id, { voucher_code: fixed.code });
    assert.deepEqual([other.voucher_code, other.discount_amount, await uses(tenth.id), await uses(fixed.id)], [fixed.code, 350, 0, 1]);
    assert.equal(other.edit.summary, `voucher ${tenth.code}→${fixed.code}`);
    const capped = await edit(order.id, { discount_amount_cents: 999_999 });
    assert.deepEqual([capped.discount_amount, capped.total], [3000, 0]);
    const none = await edit(order.id, { voucher_code: null, discount_amount_cents: 0, discount_reason: null });
    assert.deepEqual([none.voucher_code, none.discount_amount, none.discount_reason, await uses(fixed.id)], [null, 0, null, 0]);
    const below = await refused(
      edit(order.id, { items: [{ id: line.id, quantity: 1 }], voucher_code: fixed.code }),
      422,
      'voucher_invalid',
    );
    assert.equal(below.errors[0]?.reason, 'below_minimum');
    assert.equal((await app().client.orders.get(order.id)).total, none.total);
  });

  test('ED8: removing a voucher for free shipping brings the shipping cost back', async () => {
    const free = await makeVoucher(app(), { kind: 'free_shipping' });
    const method = await makeShippingMethod(app(), { price_cents: 590 });
    const { order } = await simpleOrder({
      shipping: { kind: 'configured', method_id: method.id },
      shipping_address: ghent,
      voucher_code: free.code,
    });
    assert.deepEqual([order.shipping_cost, order.discount_amount, order.total], [0, 0, 2000]);
    const without = await edit(order.id, { voucher_code: null });
    assert.deepEqual([without.shipping_cost, without.total], [590, 2590]);
    const again = await edit(order.id, { voucher_code: free.code });
    assert.deepEqual([again.shipping_cost, again.total], [0, 2000]);
  });

  test('ED9: payment_delta_cents is the change of the total, balance_due_cents what is still to pay', async () => {
    const { order, line } = await simpleOrder({ payment_status: 'paid' });
    const items = [{ id: line.id, quantity: 3 }];
    const said = await preview(order.id, { items });
    assert.deepEqual([said.payment_delta_cents, said.balance_due_cents], [1000, 1000]);
    const made = await edit(order.id, { items, payment_adjustment_note: 'Pays at the door' });
    assert.deepEqual([made.paid_total_cents, made.balance_due_cents, made.payment_progress], [2000, 1000, 'partial']);
    assert.equal(made.edit.payment_adjustment_note, 'Pays at the door');
    assert.equal(made.payment_status, 'paid', 'ED15: the order has no payment records');
    const fewer = await preview(order.id, { items: [{ id: line.id, quantity: 1 }] });
    assert.deepEqual([fewer.payment_delta_cents, fewer.balance_due_cents], [-2000, -1000]);
  });

  test('ED11, ED12: an empty edit changes nothing and is recorded; the answer is the order with `edit`', async () => {
    const { order } = await simpleOrder();
    const said = await preview(order.id, {});
    assert.deepEqual([said.payment_delta_cents, said.summary, said.totals_after], [0, 'No changes', said.totals_before]);
    const answer = await app().request({ method: 'PATCH', path: `/admin/api/orders/${order.id}/edit`, body: {} });
    assert.equal(answer.status, 200);
    const { edit: record, ...flat } = answer.body as { edit: Record<string, unknown> };
    assert.deepEqual(flat, order);
    const { id, edited_at, edited_by_shop_owner_id, ...rest } = record;
    assert.ok(typeof id === 'number' && typeof edited_by_shop_owner_id === 'number');
    assert.match(String(edited_at), /^\d{4}-.*Z$/);
    assert.deepEqual(rest, {
      order_id: order.id,
      edit_source: 'admin_api',
      summary: 'No changes',
      total_before_cents: 2000,
      total_after_cents: 2000,
      payment_delta_cents: 0,
      payment_adjustment_note: '',
      customer_notified: false,
      stock_override_used: false,
    });
    assert.equal(answer.headers['etag'], `"order-${order.id}-1"`);
  });

  test('ED11: an edit of the notes alone does not recompute the sums', async () => {
    const { id } = await storeOrder(app().store, { total: 1234, subtotal: 1000, tax_amount: 34, shipping_cost: 200 });
    const said = await preview(id, { internal_notes: 'seen' });
    assert.deepEqual(
      [said.totals_before, said.totals_after],
      Array(2).fill({ subtotal: 1000, tax: 34, shipping: 200, discount: 0, total: 1234 }),
    );
    assert.equal((await edit(id, { internal_notes: 'seen' })).total, 1234);
  });

  test('ED13: an edit by a run is recorded as `ai_task`', async () => {
    const { order, line } = await simpleOrder();
    const taskId = await makeTask(app(), { permissions: ['admin_api.orders.write'] });
    const run = await claimedRun(app(), {}, taskId);
    const answer = await run.call('PATCH', `/orders/${order.id}/edit`, { items: [{ id: line.id, quantity: 3 }] });
    assert.equal(answer.status, 200, answer.text);
    const [record] = await app().client.orders.list_edits(order.id);
    assert.deepEqual([record?.edit_source, record?.summary], ['ai_task', `#${line.id} quantity 2→3; total 2000→3000`]);
  });

  test('ED15: an edit recomputes the payment status from the payment records', async () => {
    const { order, line } = await simpleOrder();
    await app().client.orders.create_payment(order.id, { label: 'Cash', amount_cents: 2000, paid: true });
    assert.equal((await app().client.orders.get(order.id)).payment_status, 'paid');
    const more = await edit(order.id, { items: [{ id: line.id, quantity: 3 }] });
    assert.deepEqual([more.payment_status, more.balance_due_cents], ['pending', 1000]);
    const fewer = await edit(order.id, { items: [{ id: line.id, quantity: 1 }] });
    assert.deepEqual([fewer.payment_status, fewer.balance_due_cents, fewer.payment_progress], ['paid', -1000, 'overpaid']);
  });

  test('ED16: the customer gets one mail if the edit asks for it, at the email after the edit', async () => {
    const { order, line } = await simpleOrder({ customer: { name: 'Ed', email: 'ed.before@example.com', phone: '' } });
    await edit(order.id, { items: [{ id: line.id, quantity: 3 }] });
    const told = await edit(order.id, { customer: { email: 'ed.after@example.com' }, notify_customer: true });
    assert.equal(told.edit.customer_notified, true);
    assert.deepEqual(await mailsTo('ed.before@example.com'), []);
    const [mail, ...more] = await mailsTo('ed.after@example.com');
    assert.deepEqual([mail?.template, more], ['order_updated', []]);
    assert.ok(mail?.text_body.includes(order.public_id));
    const silent = await edit(order.id, { customer: { email: '' }, notify_customer: true });
    assert.equal(silent.edit.customer_notified, false);
    await refused(
      edit(order.id, { items: [{ id: line.id, quantity: 5000 }], notify_customer: true, customer: { email: 'ed.after@example.com' } }),
      409,
      'insufficient_stock',
    );
    assert.equal((await mailsTo('ed.after@example.com')).length, 1);
  });

  test('ED17: the event order.edited names added and removed products; an empty edit makes no event', async () => {
    const { order, line, variant } = await simpleOrder();
    const other = await makeVariant(app());
    await edit(order.id, {
      items: [
        { id: line.id, quantity: 0 },
        { variant_id: other.id, quantity: 1 },
      ],
    });
    await edit(order.id, {});
    const rows = await app().store.reader.selectFrom('domain_events').select('data').where('type', '=', 'order.edited').execute();
    const ours = rows.map(({ data }) => JSON.parse(data)).filter(({ order_id }) => order_id === order.id);
    assert.deepEqual(
      ours.map((data) => [data.previous_total, data.total, data.added_product_ids, data.removed_product_ids]),
      [[2000, 1000, [other.product_id], [variant.product_id]]],
    );
  });

  test('ED18: the edits of an order are listed newest first; an unknown order is 404', async () => {
    const { order, line } = await simpleOrder();
    const made = [];
    for (const quantity of [3, 4, 5]) made.push((await edit(order.id, { items: [{ id: line.id, quantity }] })).edit);
    assert.deepEqual(await app().client.orders.list_edits(order.id), made.reverse());
    await refused(app().client.orders.list_edits(999_999), 404, 'not_found');
    await refused(preview(999_999, {}), 404, 'not_found');
    await refused(edit(999_999, {}), 404, 'not_found');
  });

  test('ED18: of two edits with the same If-Match one succeeds; the other admin can repeat with the new version', async () => {
    const { order, line, variant } = await simpleOrder();
    const at = (version: number) => ({ headers: { 'If-Match': `"order-${order.id}-${version}"` } });
    const results = await Promise.allSettled(
      [3, 4].map((quantity) => app().client.orders.edit(order.id, { items: [{ id: line.id, quantity }] }, at(1))),
    );
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const error = await refused(app().client.orders.edit(order.id, { internal_notes: 'mine' }, at(1)), 412, 'precondition_failed');
    assert.equal(error.problem?.['current_etag'], `"order-${order.id}-2"`);
    const now = await app().client.orders.get(order.id);
    assert.equal(now.internal_notes, null);
    assert.equal(await stockOf(variant.id), 50 - (now.items[0]?.quantity ?? 0));
    assert.equal((await app().client.orders.edit(order.id, { internal_notes: 'mine' }, at(2))).internal_notes, 'mine');
  });

  test('O25: an edit with another total than expected_total_cents is refused', async () => {
    const { order, line } = await simpleOrder();
    const items = [{ id: line.id, quantity: 3 }];
    const error = await refused(edit(order.id, { items, expected_total_cents: 2999 }), 409, 'total_changed');
    assert.equal(error.problem?.['total_cents'], 3000);
    assert.equal((await edit(order.id, { items, expected_total_cents: 3000 })).total, 3000);
    assert.equal((await preview(order.id, { expected_total_cents: 1 })).payment_delta_cents, 0, 'a preview ignores expected_total_cents');
  });
});
