import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeProduct, makeVariant } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('notifications', (app) => {
  test('NT1: notifications are newest first and paged; unread_count covers all pages', async () => {
    const { client } = app();
    await client.notifications.mark_all_read();
    const low = await tell(app(), 25);
    const first = await client.notifications.list();
    assert.equal(first.notifications.length, 20);
    assert.equal(first.unread_count, 25);
    const rest = await client.notifications.list({ offset: 20, limit: 5 });
    const ids = [...first.notifications, ...rest.notifications].map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    );
    assert.equal(new Set(ids).size, 25);
    const [newest] = first.notifications;
    assert.deepEqual([newest?.type, newest?.severity, newest?.metadata, newest?.read], ['low_stock', 'warning', low, false]);
  });

  test('NT1: a limit outside 1-100 and a negative offset are refused', async () => {
    const { client } = app();
    await refused(client.notifications.list({ limit: 0 }), 422, 'out_of_range');
    await refused(client.notifications.list({ limit: 101 }), 422, 'out_of_range');
    await refused(client.notifications.list({ offset: -1 }), 422, 'out_of_range');
  });

  test('NT2, C12: each admin has their own read marks; marking twice is no error', async () => {
    const { client } = app();
    const colleague = app().clientFor((await person(app())).token);
    await tell(app(), 2);
    const [newest] = (await client.notifications.list()).notifications;
    assert.ok(newest);
    const unread = (await client.notifications.list()).unread_count;
    await client.notifications.mark_read(newest.id);
    await client.notifications.mark_read(newest.id);
    const mine = await client.notifications.list();
    assert.equal(mine.unread_count, unread - 1);
    assert.equal(mine.notifications[0]?.read, true);
    const theirs = await colleague.notifications.list();
    assert.equal(theirs.notifications[0]?.id, newest.id);
    assert.equal(theirs.notifications[0]?.read, false);
    await refused(client.notifications.mark_read(999_999), 404, 'not_found');
  });

  test('NT2: read-all answers how many it marked, 0 the second time', async () => {
    const { client } = app();
    await tell(app(), 3);
    const { unread_count } = await client.notifications.list();
    assert.deepEqual(await client.notifications.mark_all_read(), { marked: unread_count });
    assert.deepEqual(await client.notifications.mark_all_read(), { marked: 0 });
    assert.equal((await client.notifications.list()).unread_count, 0);
  });

  test('NT2: simultaneous read-alls mark each notification once', async () => {
    const { client } = app();
    await client.notifications.mark_all_read();
    await tell(app(), 10);
    const marked = await Promise.all(Array.from({ length: 8 }, () => client.notifications.mark_all_read()));
    assert.equal(
      marked.reduce((sum, one) => sum + one.marked, 0),
      10,
    );
  });

  test('AU10: an admin without permissions can read notifications', async () => {
    const { token } = await person(app(), { permissions: [] });
    assert.ok((await app().clientFor(token).notifications.list()).notifications.length > 0);
  });
});

/** Makes so many low-stock notifications, by selling and restocking a product across its threshold. */
async function tell(app: TestApp, count: number): Promise<{ product_id: number; product_name: string; stock: number }> {
  const { id: product_id, name: product_name } = await makeProduct(app, { low_stock_threshold: 1 });
  const { id } = await makeVariant(app, { product_id, stock: 2 });
  for (let n = 0; n < count; n++) {
    await app.client.products.change_stock(id, { delta: -1, reason: 'sold' });
    await app.client.products.change_stock(id, { delta: 1, reason: 'bought' });
  }
  return { product_id, product_name, stock: 1 };
}
