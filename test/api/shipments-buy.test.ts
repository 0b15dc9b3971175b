import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf } from '../helpers/runs.ts';

onBothStores('shipments with the built-in courier', (app) => {
  const orders = () => app().client.orders;
  const etagOf = async (id: number) => (await app().request({ path: `/admin/api/orders/${id}` })).headers['etag'] ?? '';
  const opened = async (values: Parameters<typeof makeOrder>[1] = {}) => {
    const order = await makeOrder(app(), values);
    return { order, ...(await orders().create_shipment(order.id)) };
  };
  const buy = { courier_id: 'express', courier_name: 'whatever the client calls it' };
  const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
    app().request({ method: 'POST', path: `/admin/api${path}`, ...(body ? { body } : {}), headers });

  test('SH3: a label is bought at the price and courier name of the stored offer', async () => {
    const { order, shipment } = await opened();
    const bought = await orders().buy_label(order.id, shipment.id, buy);
    assert.match(bought.tracking_number ?? '', /^BR[0-9A-F]{12}$/);
    assert.match(bought.label_url ?? '', /^\/labels\/br_[0-9a-f]{36}\.pdf$/);
    const { tracking_number, label_url } = bought;
    const expected = { courier_id: 'express', courier_name: 'Express', cost_cents: 1290, status: 'label_purchased' };
    assert.deepEqual(bought, { ...shipment, ...expected, tracking_number, label_url });
    assert.deepEqual(await orders().list_shipments(order.id), [bought]);
  });

  test('SH1: the label is a PDF of the server, served by its address without a token, and not before it is bought', async () => {
    const { order, shipment } = await opened();
    const { provider_key: key } = await app()
      .store.reader.selectFrom('shipments')
      .select('provider_key')
      .where('id', '=', shipment.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(codeOf(await app().request({ path: `/labels/${key}.pdf`, token: null })), [404, 'not_found']);
    const { label_url: url, tracking_number: tracking } = await orders().buy_label(order.id, shipment.id, buy);
    const label = await app().request({ path: url ?? '', token: null });
    assert.deepEqual([label.status, label.headers['content-type']], [200, 'application/pdf']);
    assert.match(label.text, /^%PDF-1\.\d/);
    assert.match(label.text, new RegExp(`Express ${tracking}`));
    assert.match(label.text, /%%EOF\s*$/);
    assert.ok(Number(label.headers['content-length']) > 1000);
    for (const path of [`/labels/br_${'0'.repeat(36)}.pdf`, '/labels/x', `${url}.pdf`]) {
      assert.deepEqual(codeOf(await app().request({ path, token: null })), [404, 'not_found'], path);
    }
    await orders().delete_shipment(order.id, shipment.id);
    assert.equal((await app().request({ path: url ?? '', token: null })).status, 404);
  });

  test('SH1: the rate card decides the price by weight, the weight limit and the countries', async () => {
    const rate = { courier_name: 'By weight', cost_cents: 300, per_kg_cents: 50, max_weight_grams: 5000, delivery_estimate: 'a week' };
    await app().client.settings.update({
      courier: {
        rate_card: [
          { ...rate, courier_id: 'kilo', countries: ['AT', 'DE'] },
          { ...rate, courier_id: 'light', max_weight_grams: 1000, countries: [] },
          { ...rate, courier_id: 'french', countries: ['FR'] },
        ],
        default_weight_grams: 100,
      },
    });
    const [heavy, weightless] = [await makeVariant(app(), { weight_grams: 1000 }), await makeVariant(app(), { weight_grams: 0 })];
    const offersTo = async (shipping_country: string, quantity: number) => {
      const lines = [
        { variant: heavy, quantity },
        { variant: weightless, quantity: 1 },
      ];
      const { id } = await makeOrder(app(), { shipping_country }, lines);
      await until('the settings are seen', async () => (await app().client.settings.get()).courier.rate_card.length === 3);
      const { courier_options: options } = await orders().create_shipment(id);
      return options.map(({ courier_id, cost }) => `${courier_id} ${cost}`);
    };
    assert.deepEqual(await offersTo('AT', 2), ['kilo 450']);
    assert.deepEqual(await offersTo('FR', 4), ['french 550']);
    assert.deepEqual(await offersTo('US', 6), []);
    await app().client.settings.update({
      courier: {
        rate_card: [{ ...rate, courier_id: 'express', courier_name: 'Express', cost_cents: 1290, per_kg_cents: 0, countries: [] }],
      },
    });
  });

  test('SH3: a courier that was not offered is 422, and nothing is bought', async () => {
    const { order, shipment } = await opened();
    const error = await refused(orders().buy_label(order.id, shipment.id, { ...buy, courier_id: 'dragon' }), 422, 'courier_not_offered');
    assert.match(error.message, /express/);
    assert.deepEqual(await orders().list_shipments(order.id), [shipment]);
    for (const [body, code] of [
      [{ courier_name: 'x' }, 'required'],
      [{ courier_id: '', courier_name: 'x' }, 'blank'],
      [{ courier_id: 5, courier_name: 'x' }, 'invalid_type'],
      [{ courier_id: 'express' }, 'required'],
    ] as const) {
      assert.deepEqual(codeOf(await post(`/orders/${order.id}/shipments/${shipment.id}/buy-label`, body)), [422, code]);
    }
  });

  test('SH3: a second purchase is 409 label_already_purchased', async () => {
    const { order, shipment } = await opened();
    const bought = await orders().buy_label(order.id, shipment.id, buy);
    await refused(orders().buy_label(order.id, shipment.id, buy), 409, 'label_already_purchased');
    assert.deepEqual(await orders().list_shipments(order.id), [bought]);
  });

  test('SH4: of eight simultaneous purchases one succeeds, seven are refused', async () => {
    const { order, shipment } = await opened();
    const path = `/orders/${order.id}/shipments/${shipment.id}/buy-label`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(path, buy)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)]);
  });

  test('IK4: eight purchases with one key are one purchase with one answer', async () => {
    const { order, shipment } = await opened();
    const path = `/orders/${order.id}/shipments/${shipment.id}/buy-label`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(path, buy, { 'idempotency-key': 'label' })));
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(answers[0]?.status, 200);
    assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 7);
    assert.deepEqual(codeOf(await post(path, { ...buy, courier_name: 'other' }, { 'idempotency-key': 'label' })), [
      422,
      'idempotency_key_reused',
    ]);
  });

  test('SH5: an order without a tracking number gets that of the label; its status stays, its version rises', async () => {
    const { order, shipment } = await opened({ status: 'processing' });
    const before = await etagOf(order.id);
    const answer = await post(`/orders/${order.id}/shipments/${shipment.id}/buy-label`, buy);
    const { tracking_number: tracking, status } = await orders().get(order.id);
    const [bought] = await orders().list_shipments(order.id);
    assert.deepEqual([tracking, status], [bought?.tracking_number, 'processing']);
    assert.equal(answer.headers['etag'], await etagOf(order.id));
    assert.notEqual(answer.headers['etag'], before);
    const second = await orders().create_shipment(order.id);
    await orders().buy_label(order.id, second.shipment.id, buy);
    assert.equal((await orders().get(order.id)).tracking_number, tracking);
  });

  test('SH6: refresh without a label is 409 no_label; a label of the built-in courier stays unchanged', async () => {
    const { order, shipment } = await opened();
    await refused(orders().refresh_shipment(order.id, shipment.id), 409, 'no_label');
    const bought = await orders().buy_label(order.id, shipment.id, buy);
    assert.deepEqual(await orders().refresh_shipment(order.id, shipment.id), bought);
  });

  test('SH8: a shipment without a label is deleted without a refund', async () => {
    const { order, shipment } = await opened();
    await orders().delete_shipment(order.id, shipment.id);
    assert.deepEqual(await orders().list_shipments(order.id), []);
    await refused(orders().delete_shipment(order.id, shipment.id), 404, 'not_found');
    const refunds = await app().store.reader.selectFrom('label_refunds').selectAll().where('order_id', '=', order.id).execute();
    assert.deepEqual(refunds, []);
  });

  test('SH8: deleting a shipment with a label requests a refund, and answers the ETag of the order (ET5)', async () => {
    const { order, shipment } = await opened();
    await orders().buy_label(order.id, shipment.id, buy);
    const path = `/admin/api/orders/${order.id}/shipments/${shipment.id}`;
    assert.deepEqual(codeOf(await app().request({ method: 'DELETE', path, headers: { 'if-match': '"order-1-0"' } })), [
      412,
      'precondition_failed',
    ]);
    const answer = await app().request({ method: 'DELETE', path });
    assert.deepEqual([answer.status, answer.headers['etag']], [204, await etagOf(order.id)]);
    await until('the refund is done', async () => {
      const refund = await app()
        .store.reader.selectFrom('label_refunds')
        .select('status')
        .where('order_id', '=', order.id)
        .executeTakeFirstOrThrow();
      return refund.status === 'done';
    });
  });

  test('SH9: a locker shipment is stored with its parcel number; the answer is its id', async () => {
    const { id } = await makeOrder(app());
    const made = await orders().create_locker_shipment(id, 'box-net_1', { provider_shipment_id: ' P-77 ' });
    assert.deepEqual(Object.keys(made), ['id']);
    const [shipment] = await orders().list_shipments(id);
    assert.deepEqual(
      { ...shipment, created_at: '' },
      {
        id: made.id,
        order_id: id,
        status: 'created',
        courier_id: 'box-net_1',
        courier_name: null,
        tracking_number: 'P-77',
        label_url: null,
        cost_cents: null,
        created_at: '',
        tracking_events: [],
      },
    );
  });

  test('SH9: an order with a shipment gets no locker shipment (409 shipment_exists); of simultaneous ones one succeeds', async () => {
    const { order } = await opened();
    await refused(orders().create_locker_shipment(order.id, 'net', { provider_shipment_id: 'P' }), 409, 'shipment_exists');
    const { id } = await makeOrder(app());
    const path = `/orders/${id}/shipments/net`;
    const answers = await Promise.all([1, 2, 3, 4].map((n) => post(path, { provider_shipment_id: `P${n}` })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    assert.equal((await orders().list_shipments(id)).length, 1);
  });

  test('SH9: an empty or missing parcel number is 422', async () => {
    const { id } = await makeOrder(app());
    for (const [body, code] of [
      [{ provider_shipment_id: ' ' }, 'blank'],
      [{}, 'required'],
      [{ provider_shipment_id: null }, 'invalid_type'],
    ] as const) {
      assert.deepEqual(codeOf(await post(`/orders/${id}/shipments/net`, body)), [422, code]);
    }
  });

  test('SH3, SH6: for a locker shipment no label can be bought (409), and a refresh changes nothing', async () => {
    const { id } = await makeOrder(app());
    const { id: sid } = await orders().create_locker_shipment(id, 'net', { provider_shipment_id: 'P' });
    await refused(orders().buy_label(id, sid, buy), 409, 'label_already_purchased');
    assert.deepEqual([await orders().refresh_shipment(id, sid)], await orders().list_shipments(id));
  });

  test('C11: a malformed network name is 404, and so is one that the settings do not list, if they list any', async () => {
    const { id } = await makeOrder(app());
    for (const name of ['UPPER', '-net', 'a'.repeat(33), 'net.work']) {
      assert.equal((await post(`/orders/${id}/shipments/${name}`, { provider_shipment_id: 'P' })).status, 404, name);
    }
    await app().client.settings.update({ locker_networks: ['known'] });
    assert.deepEqual(codeOf(await post(`/orders/${id}/shipments/unknown`, { provider_shipment_id: 'P' })), [404, 'not_found']);
    assert.equal((await post(`/orders/${id}/shipments/known`, { provider_shipment_id: 'P' })).status, 201);
    await app().client.settings.update({ locker_networks: [] });
    assert.equal((await post(`/orders/999999/shipments/net`, { provider_shipment_id: 'P' })).status, 404);
  });

  test('SH10: a shipment under another order is 404', async () => {
    const [mine, other] = [await opened(), await opened()];
    const { id } = mine.order;
    const sid = other.shipment.id;
    await refused(orders().buy_label(id, sid, buy), 404, 'not_found');
    await refused(orders().refresh_shipment(id, sid), 404, 'not_found');
    await refused(orders().delete_shipment(id, sid), 404, 'not_found');
    assert.equal((await orders().list_shipments(other.order.id)).length, 1);
  });
});
