import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { insertOrder } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('internal order statuses', (app) => {
  test('§3: a status is created after the last, or where it is told, and listed in that order with its orders', async () => {
    const packing = await app().client.order_statuses.create({ name: '  Packing ' });
    const waiting = await app().client.order_statuses.create({ name: 'Waiting', color: '#ff8800' });
    const first = await app().client.order_statuses.create({ name: 'First', sort_order: -5 });
    assert.deepEqual(packing, { id: packing.id, name: 'Packing', color: '#808080', sort_order: packing.sort_order, order_count: 0 });
    assert.ok(waiting.sort_order > packing.sort_order);
    await insertOrder(app().store, { internal_status_id: waiting.id });
    await insertOrder(app().store, { internal_status_id: waiting.id });
    const { data, total } = await app().client.order_statuses.list();
    assert.equal(total, 3);
    assert.deepEqual(data, [first, packing, { ...waiting, order_count: 2 }]);
    assert.deepEqual((await app().client.order_statuses.list({ search: 'PACK' })).data, [packing]);
  });

  test('§3: a name is unique, whatever its case', async () => {
    await app().client.order_statuses.create({ name: 'Straße' });
    const error = await refused(app().client.order_statuses.create({ name: 'STRASSE' }), 422, 'duplicate');
    assert.equal(error.errors[0]?.pointer, '/name');
    const twins = await Promise.allSettled([1, 2, 3].map(() => app().client.order_statuses.create({ name: 'Twin' })));
    assert.deepEqual(twins.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
  });

  test('R2: a name is not blank, a colour is #rrggbb', async () => {
    await refused(app().client.order_statuses.create({ name: ' ' }), 422, 'blank');
    await refused(app().client.order_statuses.create({ name: 'Red', color: 'red' }), 422, 'invalid_value');
  });
});
