import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { ApiError } from '../../contract/calls.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeProduct, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('stock movements below zero', (app) => {
  const stockOf = async (id: number) => (await app().client.products.get_variant(id)).stock;
  const change = (id: number, body: Parameters<ReturnType<typeof app>['client']['products']['change_stock']>[1]) =>
    app().client.products.change_stock(id, body);

  test('a delta below zero is refused with the number that is there, and changes nothing', async () => {
    const product = await makeProduct(app());
    const { id } = await makeVariant(app(), { product_id: product.id, stock: 3 });
    const error = await refused(change(id, { delta: -5, reason: 'broken' }), 409, 'insufficient_stock');
    assert.deepEqual(error.problem?.['stock_warnings'], [
      { product_id: product.id, variant_id: id, product_name: product.name, requested: 5, available: 3 },
    ]);
    assert.match(error.problem?.detail ?? '', /3.*-2.*"force": true/);
    assert.equal(await stockOf(id), 3);
    assert.equal((await app().client.products.list_stock_movements(id)).length, 1);
    assert.equal((await change(id, { delta: -3, reason: 'broken' })).stock, 0, 'all that is there can be taken');
    await refused(change(id, { delta: -1, reason: 'broken', force: false }), 409, 'insufficient_stock');
  });

  test('a stock set below zero is refused, too; a wrong expected_stock is told first', async () => {
    const { id } = await makeVariant(app(), { stock: 3 });
    const error = await refused(change(id, { stock: -2, expected_stock: 3 }), 409, 'insufficient_stock');
    assert.deepEqual(shortage(error), { requested: 5, available: 3 });
    await refused(change(id, { stock: -2, expected_stock: 4 }), 409, 'stock_stale');
    assert.equal(await stockOf(id), 3);
  });

  test('with force both are done; a stock below zero may rise, and is not lowered further without force', async () => {
    const { id } = await makeVariant(app(), { stock: 3 });
    assert.equal((await change(id, { delta: -5, reason: 'sold twice', force: true })).stock, -2);
    assert.equal((await change(id, { stock: -4, expected_stock: -2, force: true })).stock, -4);
    const error = await refused(change(id, { delta: -1, reason: 'broken' }), 409, 'insufficient_stock');
    assert.deepEqual(shortage(error), { requested: 1, available: 0 });
    assert.equal((await change(id, { delta: 1, reason: 'found' })).stock, -3);
    assert.equal((await change(id, { stock: -3, expected_stock: -3 })).stock, -3, 'the present stock is no change');
    assert.equal((await change(id, { stock: 7, expected_stock: -3, force: true })).stock, 7);
  });

  test('stock that may be ordered beyond, or is not counted, falls below zero without force', async () => {
    const backorder = await makeVariant(app(), { stock: 1, allow_backorder: true });
    const untracked = await makeVariant(app(), { stock: 1, track_stock: false });
    for (const { id } of [backorder, untracked]) assert.equal((await change(id, { delta: -3, reason: 'sold' })).stock, -2);
  });

  test('of simultaneous movements only those succeed that the stock covers', async () => {
    const { id } = await makeVariant(app(), { stock: 3 });
    const moves = await Promise.allSettled(Array.from({ length: 6 }, () => change(id, { delta: -1, reason: 'sold' })));
    assert.equal(moves.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.equal(await stockOf(id), 0);
  });

  test('force must be true or false', async () => {
    const { id } = await makeVariant(app(), { stock: 3 });
    const body = { delta: -5, reason: 'broken', force: 'yes' };
    const answer = await app().request({ method: 'POST', path: `/admin/api/variants/${id}/stock`, body });
    assert.equal(answer.status, 422);
  });
});

/** What the refusal says of the one variant. */
function shortage({ problem }: ApiError) {
  const [warning] = z.tuple([z.object({ requested: z.int(), available: z.int() })]).parse(problem?.['stock_warnings']);
  return warning;
}
