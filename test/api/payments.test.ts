import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf, countRows, field } from '../helpers/runs.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';

onBothStores('partial payments', (app) => {
  const orders = () => app().client.orders;
  const statusOf = async (id: number) => (await orders().get(id)).payment_status;
  const moneyOf = async (id: number) => {
    const { payment_status, paid_total_cents, balance_due_cents, payment_progress } = await orders().get(id);
    return [payment_status, paid_total_cents, balance_due_cents, payment_progress];
  };
  const etagOf = async (id: number) => (await app().request({ path: `/admin/api/orders/${id}` })).headers['etag'] ?? '';
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    app().request({ method, path: `/admin/api${path}`, ...(body ? { body } : {}), headers });

  test('PP1: creating, changing and deleting a payment recomputes the payment status and paid total of the order (C3)', async () => {
    const { id } = await makeOrder(app(), { total: 1000, payment_status: 'pending' });
    const deposit = await orders().create_payment(id, { label: 'Deposit', amount_cents: 400, paid: true });
    assert.deepEqual(await moneyOf(id), ['pending', 400, 600, 'partial']);
    const rest = await orders().create_payment(id, { label: 'Rest', amount_cents: 600 });
    assert.deepEqual(await moneyOf(id), ['pending', 400, 600, 'partial']);
    await orders().update_payment(id, rest.id, { paid: true });
    assert.deepEqual(await moneyOf(id), ['paid', 1000, 0, 'paid']);
    await orders().update_payment(id, rest.id, { amount_cents: 700 });
    assert.deepEqual(await moneyOf(id), ['paid', 1100, -100, 'overpaid']);
    await orders().delete_payment(id, deposit.id);
    assert.deepEqual(await moneyOf(id), ['pending', 700, 300, 'partial']);
    await orders().delete_payment(id, rest.id);
    assert.deepEqual(await moneyOf(id), ['pending', 0, 1000, 'unpaid']);
  });

  test('PP1: without payments an order is again none or pending as before its first payment; any other status becomes none', async () => {
    for (const [before, after] of [
      ['none', 'none'],
      ['pending', 'pending'],
      ['paid', 'none'],
      ['failed', 'none'],
      ['refunded', 'none'],
    ] as const) {
      const { id } = await makeOrder(app(), { payment_status: before });
      const { id: paymentId } = await orders().create_payment(id, { label: 'x', amount_cents: 1 });
      assert.equal(await statusOf(id), 'pending');
      await orders().delete_payment(id, paymentId);
      assert.equal(await statusOf(id), after, before);
    }
  });

  test('PP2: an order of total 0 is paid with its first payment; a new payment replaces the status refunded', async () => {
    const free = await makeOrder(app(), { total: 0 });
    await orders().create_payment(free.id, { label: 'x', amount_cents: 5 });
    assert.deepEqual(await moneyOf(free.id), ['paid', 0, 0, 'paid']);
    const { id } = await makeOrder(app(), { total: 500 });
    await orders().create_payment(id, { label: 'x', amount_cents: 500, paid: true });
    await orders().update_payment_status(id, { payment_status: 'refunded' });
    await orders().create_payment(id, { label: 'y', amount_cents: 1 });
    assert.equal(await statusOf(id), 'paid');
  });

  test('O18: after a status set by hand is changed back, the paid total is again that of the payments', async () => {
    const { id } = await makeOrder(app(), { total: 1000 });
    await orders().create_payment(id, { label: 'Deposit', amount_cents: 300, paid: true });
    await orders().create_payment(id, { label: 'Rest', amount_cents: 700 });
    for (const [payment_status, money] of [
      ['paid', [1000, 0, 'paid']],
      ['pending', [300, 700, 'partial']],
      ['refunded', [0, 1000, 'unpaid']],
      ['failed', [300, 700, 'partial']],
      ['none', [300, 700, 'partial']],
    ] as const) {
      await orders().update_payment_status(id, { payment_status });
      assert.deepEqual(await moneyOf(id), [payment_status, ...money]);
    }
  });

  test('PP3: an order created as paid becomes pending with its first smaller payment', async () => {
    const { id } = await makeOrder(app(), { total: 1000, payment_status: 'paid' });
    await orders().create_payment(id, { label: 'x', amount_cents: 10, paid: true });
    assert.deepEqual(await moneyOf(id), ['pending', 10, 990, 'partial']);
  });

  test('PP1: becoming paid through payments makes one event order.paid', async () => {
    const { id } = await makeOrder(app(), { total: 100 });
    const payment = await orders().create_payment(id, { label: 'x', amount_cents: 100, paid: true });
    await orders().update_payment(id, payment.id, { paid: false });
    await orders().update_payment(id, payment.id, { paid: true });
    const events = await app().store.reader.selectFrom('domain_events').select(['type', 'data']).where('type', '=', 'order.paid').execute();
    assert.equal(events.filter(({ data }) => JSON.parse(data).order_id === id).length, 1);
  });

  test('PP4: an order of a payment provider takes no manual payments (409 not_manual_payment); an unknown order is 404', async () => {
    const { id } = await storeOrder(app().store, { payment_provider: 'stripe' });
    await refused(orders().create_payment(id, { label: 'x', amount_cents: 1 }), 409, 'not_manual_payment');
    assert.deepEqual(await orders().list_payments(id), []);
    await refused(orders().list_payments(999_999), 404, 'not_found');
    await refused(orders().create_payment(999_999, { label: 'x', amount_cents: 1 }), 404, 'not_found');
    await refused(orders().reorder_payments(999_999, { items: [] }), 404, 'not_found');
  });

  test('PP5: by default a payment is unpaid, without a note and last; payments are listed by sort_order, then id', async () => {
    const { id } = await makeOrder(app());
    const first = await orders().create_payment(id, { label: ' First ', amount_cents: 1 });
    const second = await orders().create_payment(id, { label: 'Second', amount_cents: 2, sort_order: -5 });
    const third = await orders().create_payment(id, { label: 'Third', amount_cents: 3 });
    const fourth = await orders().create_payment(id, { label: 'Fourth', amount_cents: 4, sort_order: -5 });
    assert.deepEqual(
      { ...first, id: 0, created_at: '', updated_at: '' },
      {
        id: 0,
        order_id: id,
        label: 'First',
        amount_cents: 1,
        paid: false,
        paid_at: null,
        note: null,
        sort_order: 1,
        created_at: '',
        updated_at: '',
      },
    );
    assert.equal(third.sort_order, 2);
    assert.deepEqual(await orders().list_payments(id), [second, fourth, first, third]);
  });

  test('PP5: a wrong value is refused with its field, and nothing is written', async () => {
    const { id } = await makeOrder(app());
    const rows = await countRows(app());
    for (const [body, code, pointer] of [
      [{ amount_cents: 1 }, 'required', '/label'],
      [{ label: '  ', amount_cents: 1 }, 'blank', '/label'],
      [{ label: 'x' }, 'required', '/amount_cents'],
      [{ label: 'x', amount_cents: 0 }, 'out_of_range', '/amount_cents'],
      [{ label: 'x', amount_cents: -5 }, 'out_of_range', '/amount_cents'],
      [{ label: 'x', amount_cents: 1.5 }, 'invalid_type', '/amount_cents'],
      [{ label: 'x', amount_cents: '1' }, 'invalid_type', '/amount_cents'],
      [{ label: 'x', amount_cents: 1, paid: 1 }, 'invalid_type', '/paid'],
      [{ label: 'x', amount_cents: 1, sort_order: 'a' }, 'invalid_type', '/sort_order'],
    ] as const) {
      const answer = await send('POST', `/orders/${id}/payments`, body);
      assert.deepEqual(codeOf(answer), [422, code]);
      assert.match(answer.text, new RegExp(`"pointer":"${pointer}"`));
    }
    assert.deepEqual(await countRows(app()), rows);
    assert.deepEqual(await orders().list_payments(id), []);
  });

  test('PP5: amounts whose sum is not a safe integer are refused', async () => {
    const { id } = await makeOrder(app());
    await orders().create_payment(id, { label: 'x', amount_cents: Number.MAX_SAFE_INTEGER, sort_order: Number.MAX_SAFE_INTEGER });
    await refused(orders().create_payment(id, { label: 'y', amount_cents: 1 }), 422, 'out_of_range');
    assert.equal((await orders().list_payments(id)).length, 1);
  });

  test('PP6: paid_at is the time of becoming paid, stays while paid, and is null while unpaid', async () => {
    const { id } = await makeOrder(app());
    const { id: paymentId, paid_at, created_at } = await orders().create_payment(id, { label: 'x', amount_cents: 1, paid: true });
    assert.equal(paid_at, created_at);
    assert.equal((await orders().update_payment(id, paymentId, { paid: true, label: 'y' })).paid_at, paid_at);
    assert.equal((await orders().update_payment(id, paymentId, { paid: false })).paid_at, null);
    const again = await orders().update_payment(id, paymentId, { paid: true });
    assert.equal(again.paid_at, again.updated_at);
  });

  test('PP7: omitted fields stay, a null note clears it, other nulls are 422', async () => {
    const { id } = await makeOrder(app());
    const made = await orders().create_payment(id, { label: 'x', amount_cents: 10, note: 'by bank', sort_order: 7 });
    const renamed = await orders().update_payment(id, made.id, { label: 'y' });
    assert.deepEqual({ ...renamed, updated_at: '' }, { ...made, label: 'y', updated_at: '' });
    assert.equal((await orders().update_payment(id, made.id, { note: null })).note, null);
    for (const name of ['label', 'amount_cents', 'paid', 'sort_order']) {
      assert.deepEqual(codeOf(await send('PATCH', `/orders/${id}/payments/${made.id}`, { [name]: null })), [422, 'invalid_type'], name);
    }
    const [stored] = await orders().list_payments(id);
    assert.deepEqual([stored?.label, stored?.note, stored?.sort_order], ['y', null, 7]);
  });

  test('PP7: a PATCH without a change leaves the payment and the order’s ETag as they are', async () => {
    const { id } = await makeOrder(app());
    const made = await orders().create_payment(id, { label: 'x', amount_cents: 10 });
    const etag = await etagOf(id);
    assert.deepEqual(await orders().update_payment(id, made.id, {}), made);
    assert.deepEqual(await orders().update_payment(id, made.id, { label: 'x', paid: false }), made);
    assert.equal(await etagOf(id), etag);
  });

  test('an unknown payment and one of another order are 404', async () => {
    const [a, b] = [await makeOrder(app()), await makeOrder(app())];
    const { id } = await orders().create_payment(a.id, { label: 'x', amount_cents: 1 });
    await refused(orders().update_payment(b.id, id, { label: 'y' }), 404, 'not_found');
    await refused(orders().delete_payment(b.id, id), 404, 'not_found');
    await orders().delete_payment(a.id, id);
    await refused(orders().delete_payment(a.id, id), 404, 'not_found');
  });

  test('PP8: reorder needs every payment of the order once, takes any integers and recomputes no status', async () => {
    const { id } = await makeOrder(app(), { total: 10 });
    const [a, b] = [
      await orders().create_payment(id, { label: 'a', amount_cents: 10, paid: true }),
      await orders().create_payment(id, { label: 'b', amount_cents: 1 }),
    ];
    await orders().update_payment_status(id, { payment_status: 'failed' });
    await orders().reorder_payments(id, {
      items: [
        { id: a.id, sort_order: 100 },
        { id: b.id, sort_order: -100 },
      ],
    });
    assert.deepEqual(
      (await orders().list_payments(id)).map(({ label }) => label),
      ['b', 'a'],
    );
    assert.equal(await statusOf(id), 'failed');
    const foreign = await orders().create_payment((await makeOrder(app())).id, { label: 'c', amount_cents: 1 });
    for (const ids of [[a.id], [a.id, a.id], [a.id, b.id, b.id], [a.id, foreign.id], [a.id, b.id, foreign.id], []]) {
      const items = ids.map((one) => ({ id: one, sort_order: 1 }));
      const error = await refused(orders().reorder_payments(id, { items }), 422, 'list_mismatch');
      assert.match(error.message, new RegExp(`${b.id}, ${a.id}`));
    }
    assert.deepEqual(
      (await orders().list_payments(id)).map(({ sort_order }) => sort_order),
      [-100, 100],
    );
  });

  test('ET5: every write of a payment raises the order’s version and answers its ETag, a deletion too', async () => {
    const { id } = await makeOrder(app());
    const path = `/orders/${id}/payments`;
    const before = await etagOf(id);
    const made = await send('POST', path, { label: 'x', amount_cents: 1 }, { 'if-match': before });
    const paymentId = Number(field(made.body, 'id'));
    const seen = [before, made.headers['etag']];
    for (const [method, at, body] of [
      ['PATCH', `${path}/${paymentId}`, { label: 'y' }],
      ['POST', `${path}/reorder`, { items: [{ id: paymentId, sort_order: 9 }] }],
      ['DELETE', `${path}/${paymentId}`, undefined],
    ] as const) {
      assert.deepEqual(codeOf(await send(method, at, body, { 'if-match': before })), [412, 'precondition_failed']);
      const answer = await send(method, at, body, { 'if-match': seen.at(-1) ?? '' });
      assert.ok(answer.status < 300, answer.text);
      assert.equal(answer.headers['etag'], await etagOf(id));
      seen.push(answer.headers['etag']);
    }
    assert.equal(new Set(seen).size, 5);
  });

  test('IK2: a payment sent twice with one key is created once', async () => {
    const { id } = await makeOrder(app(), { total: 100 });
    const pay = () => send('POST', `/orders/${id}/payments`, { label: 'x', amount_cents: 60, paid: true }, { 'idempotency-key': 'pay' });
    const [first, second] = [await pay(), await pay()];
    assert.deepEqual([second.text, second.headers['idempotency-replayed']], [first.text, 'true']);
    assert.deepEqual(await moneyOf(id), ['pending', 60, 40, 'partial']);
  });

  test('32 simultaneous payments are all stored, and the status is that of their sum', async () => {
    const { id } = await makeOrder(app(), { total: 320 });
    await Promise.all(
      Array.from({ length: 32 }, (_, n) => orders().create_payment(id, { label: `part ${n}`, amount_cents: 10, paid: true })),
    );
    assert.deepEqual(await moneyOf(id), ['paid', 320, 0, 'paid']);
    assert.equal(new Set((await orders().list_payments(id)).map(({ sort_order }) => sort_order)).size, 32);
  });
});
