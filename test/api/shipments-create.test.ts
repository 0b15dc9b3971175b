import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf, countRows } from '../helpers/runs.ts';

onBothStores('opening a shipment', (app) => {
  const shop = () => app().client.orders;
  const create = (id: number, headers: Record<string, string> = {}) =>
    app().request({ method: 'POST', path: `/admin/api/orders/${id}/shipments`, headers });
  const etagOf = async (id: number) => (await app().request({ path: `/admin/api/orders/${id}` })).headers['etag'];

  test('SH1, SH2: without credentials the built-in courier offers the two rates of its card', async () => {
    const { id } = await makeOrder(app());
    const { shipment, courier_options: options } = await shop().create_shipment(id);
    assert.deepEqual(options, [
      { courier_id: 'standard', courier_name: 'Standard', cost: 590, delivery_estimate: '2-4 working days' },
      { courier_id: 'express', courier_name: 'Express', cost: 1290, delivery_estimate: '1 working day' },
    ]);
    assert.deepEqual(
      { ...shipment, id: 0, created_at: '' },
      {
        id: 0,
        order_id: id,
        status: 'rates_fetched',
        courier_id: null,
        courier_name: null,
        tracking_number: null,
        label_url: null,
        cost_cents: null,
        created_at: '',
        tracking_events: [],
      },
    );
    assert.deepEqual(await shop().list_shipments(id), [shipment]);
  });

  test('SH2: an order may have several shipments, listed oldest first', async () => {
    const { id } = await makeOrder(app(), {}, [{ variant: await makeVariant(app(), { weight_grams: 300 }), quantity: 2 }]);
    const made = [await shop().create_shipment(id), await shop().create_shipment(id)];
    assert.deepEqual(
      await shop().list_shipments(id),
      made.map(({ shipment }) => shipment),
    );
  });

  test('SH2: a cancelled order is 409 order_cancelled, one without a shipping address 409 not_shippable', async () => {
    const cancelled = await makeOrder(app(), { status: 'cancelled' });
    const pickup = await makeOrder(app(), { shipping_country: null });
    await refused(shop().create_shipment(cancelled.id), 409, 'order_cancelled');
    const error = await refused(shop().create_shipment(pickup.id), 409, 'not_shippable');
    assert.match(error.message, /line1, city, country missing/);
    assert.deepEqual([await shop().list_shipments(cancelled.id), await shop().list_shipments(pickup.id)], [[], []]);
  });

  test('an unknown order is 404', async () => {
    await refused(shop().create_shipment(999_999), 404, 'not_found');
    await refused(shop().list_shipments(999_999), 404, 'not_found');
  });

  test('ET5: opening a shipment answers the ETag of the order, and If-Match checks it', async () => {
    const { id } = await makeOrder(app());
    const etag = (await etagOf(id)) ?? '';
    const made = await create(id, { 'if-match': etag });
    assert.deepEqual([made.status, made.headers['etag']], [201, await etagOf(id)]);
    assert.notEqual(made.headers['etag'], etag, 'a shipment has the version of its order, so each change of it raises that');
    assert.deepEqual(codeOf(await create(id, { 'if-match': etag })), [412, 'precondition_failed'], 'nobody makes a second one unseen');
    await shop().update_test_flag(id, { is_test: true });
    assert.deepEqual(codeOf(await create(id, { 'if-match': etag })), [412, 'precondition_failed']);
    assert.equal((await shop().list_shipments(id)).length, 1);
  });

  test('IK2: a repeat gets the stored answer and opens no shipment', async () => {
    const { id } = await makeOrder(app());
    const first = await create(id, { 'idempotency-key': 'open' });
    const rows = await countRows(app());
    const second = await create(id, { 'idempotency-key': 'open' });
    assert.deepEqual([second.status, second.text, second.headers['idempotency-replayed']], [201, first.text, 'true']);
    assert.equal(second.headers['etag'], first.headers['etag']);
    assert.deepEqual(await countRows(app()), rows);
    assert.equal((await shop().list_shipments(id)).length, 1);
  });

  test('IK4: of simultaneous requests with one key one opens a shipment, the others get its answer', async () => {
    const { id } = await makeOrder(app());
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(id, { 'idempotency-key': 'at-once' })));
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 5);
    assert.equal((await shop().list_shipments(id)).length, 1);
  });

  test('IK5: a refused request can be repeated with its key', async () => {
    const { id } = await makeOrder(app(), { status: 'cancelled' });
    assert.deepEqual(codeOf(await create(id, { 'idempotency-key': 'later' })), [409, 'order_cancelled']);
    await shop().update_status(id, { status: 'pending' });
    assert.equal((await create(id, { 'idempotency-key': 'later' })).status, 201);
  });

  test('AL1, LG2: opening a shipment is in the audit log and in the admin log', async () => {
    const { id } = await makeOrder(app());
    const { shipment } = await shop().create_shipment(id);
    const { data } = await app().client.audit_log.list({ resource_type: 'shipment', resource_id: shipment.id });
    assert.deepEqual(
      data.map(({ action, changes }) => [action, changes]),
      [['orders.create_shipment', { status: [null, 'rates_fetched'] }]],
    );
    const [entry] = (await app().client.logs.list()).logs;
    assert.deepEqual(
      [entry?.action, entry?.summary],
      ['admin.orders.create_shipment', `Order ${id}: shipment ${shipment.id} opened, 2 offers of couriers`],
    );
  });
});
