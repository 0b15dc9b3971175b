import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('internal order statuses', (app) => {
  test('OS1: a status is added at the end or at its sort_order; the list shows the number of orders', async () => {
    const packing = await app().client.order_statuses.create({ name: '  Packing ' });
    const waiting = await app().client.order_statuses.create({ name: 'Waiting', color: '#ff8800' });
    const first = await app().client.order_statuses.create({ name: 'First', sort_order: -5 });
    assert.deepEqual(packing, { id: packing.id, name: 'Packing', color: '#808080', sort_order: packing.sort_order, order_count: 0 });
    assert.ok(waiting.sort_order > packing.sort_order);
    await makeOrder(app(), { internal_status_id: waiting.id });
    await makeOrder(app(), { internal_status_id: waiting.id });
    const { data, total } = await app().client.order_statuses.list();
    assert.equal(total, 3);
    assert.deepEqual(data, [first, packing, { ...waiting, order_count: 2 }]);
    assert.deepEqual((await app().client.order_statuses.list({ search: 'PACK' })).data, [packing]);
  });

  test('OS1: a name is unique regardless of case', async () => {
    await app().client.order_statuses.create({ name: 'Straße' });
    const error = await refused(app().client.order_statuses.create({ name: 'STRASSE' }), 422, 'duplicate');
    assert.equal(error.errors[0]?.pointer, '/name');
    const twins = await Promise.allSettled([1, 2, 3].map(() => app().client.order_statuses.create({ name: 'Twin' })));
    assert.deepEqual(twins.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
  });

  test('R2: a blank name and a colour other than #rrggbb are refused', async () => {
    await refused(app().client.order_statuses.create({ name: ' ' }), 422, 'blank');
    await refused(app().client.order_statuses.create({ name: 'Red', color: 'red' }), 422, 'invalid_value');
  });

  test('OS1: a status is read, renamed and recoloured; a name of another status is refused', async () => {
    const { order_statuses: statuses } = app().client;
    const status = await statuses.create({ name: 'On hold' });
    await statuses.create({ name: 'Taken' });
    const renamed = await statuses.update(status.id, { name: 'Held', color: '#112233' });
    assert.deepEqual(renamed, { ...status, name: 'Held', color: '#112233' });
    assert.deepEqual(await statuses.get(status.id), renamed);
    await refused(statuses.update(status.id, { name: 'TAKEN' }), 422, 'duplicate');
    assert.equal((await statuses.update(status.id, { name: 'HELD' })).name, 'HELD');
    await refused(statuses.get(999_999), 404, 'not_found');
    await refused(statuses.update(999_999, { name: 'x' }), 404, 'not_found');
  });

  test('OS1: a status with orders is deleted only with reassign_to or clear', async () => {
    const { order_statuses: statuses, orders } = app().client;
    const [old, next] = [await statuses.create({ name: 'Old' }), await statuses.create({ name: 'Next' })];
    const order = await makeOrder(app(), { internal_status_id: old.id });
    const error = await refused(statuses.delete(old.id), 409, 'in_use');
    assert.match(error.detail, /reassign_to=<id>.*clear=true/);
    const unknown = await refused(statuses.delete(old.id, { reassign_to: 999_999 }), 422, 'internal_status_not_found');
    assert.equal(unknown.errors[0]?.parameter, 'reassign_to');
    await refused(statuses.delete(old.id, { reassign_to: old.id }), 422, 'invalid_value');
    await refused(statuses.delete(old.id, { reassign_to: next.id, clear: true }), 422, 'invalid_value');
    assert.equal((await orders.get(order.id)).internal_status_id, old.id, 'the order has not changed');

    await statuses.delete(old.id, { reassign_to: next.id });
    const moved = await app().request({ path: `/admin/api/orders/${order.id}` });
    assert.equal((await orders.get(order.id)).internal_status_id, next.id);
    assert.equal(moved.headers['etag'], `"order-${order.id}-3"`, 'created, set to the first status, reassigned to the second');
    assert.equal((await statuses.get(next.id)).order_count, 1);
    await refused(statuses.get(old.id), 404, 'not_found');

    await statuses.delete(next.id, { clear: true });
    assert.equal((await orders.get(order.id)).internal_status_id, null);
    const unused = await statuses.create({ name: 'Unused' });
    await statuses.delete(unused.id);
    await refused(statuses.delete(unused.id), 404, 'not_found');
  });
});
