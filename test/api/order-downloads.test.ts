import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeFile, makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { storeFileOfGoods } from '../helpers/stored-rows/shop.ts';

onBothStores('downloads of an order', (app) => {
  const downloadsOf = async (id: number) => (await app().client.orders.get(id)).downloads;
  const setStatus = (id: number, status: 'pending' | 'shipped' | 'delivered' | 'cancelled') =>
    app().client.orders.update_status(id, { status });

  /** An order of a book of two files and of a mug. */
  async function orderOfABook() {
    const product = await makeProduct(app(), { kind: 'digital' });
    const files = [];
    for (const name of ['book.epub', 'book.pdf']) {
      files.push(await makeFile(app(), { product_id: product.id, original_filename: name }));
    }
    const book = await makeVariant(app(), { product_id: product.id, track_stock: false });
    const mug = await makeVariant(app());
    await storeFileOfGoods(app().store, { product_id: mug.product_id, file_id: (await makeFile(app())).id });
    const order = await makeOrder(app(), { status: 'processing' }, [
      { variant: mug, quantity: 1 },
      { variant: book, quantity: 3 },
    ]);
    return { order, product, files };
  }

  test('O15: delivered makes one link for each file of each digital line, once', async () => {
    const { order, product, files } = await orderOfABook();
    assert.deepEqual(await downloadsOf(order.id), []);
    await setStatus(order.id, 'delivered');
    const downloads = await downloadsOf(order.id);
    assert.deepEqual(
      downloads.map(({ token: _, url: __, ...rest }) => rest),
      files.map(({ id, original_filename: filename }) => ({
        product_id: product.id,
        file_id: id,
        filename,
        expires_at: null,
        remaining: 10,
      })),
    );
    for (const { token, url } of downloads) {
      assert.match(token, /^[0-9A-Za-z]{43}$/);
      assert.equal(url, `/downloads/${token}`);
    }
    const before = (await app().request({ path: `/admin/api/orders/${order.id}` })).headers['etag'];
    await setStatus(order.id, 'delivered');
    assert.deepEqual(await downloadsOf(order.id), downloads);
    assert.equal((await app().request({ path: `/admin/api/orders/${order.id}` })).headers['etag'], before, 'nothing has changed');
    await setStatus(order.id, 'shipped');
    await setStatus(order.id, 'delivered');
    assert.deepEqual(await downloadsOf(order.id), downloads);
  });

  test('O15: a cancellation takes the links away, the next delivery gives the same ones again', async () => {
    const { order } = await orderOfABook();
    await app().client.orders.update_shipping(order.id, { tracking_number: '', status: 'delivered' });
    const downloads = await downloadsOf(order.id);
    assert.equal(downloads.length, 2);
    await setStatus(order.id, 'cancelled');
    assert.deepEqual(await downloadsOf(order.id), []);
    await setStatus(order.id, 'pending');
    assert.deepEqual(await downloadsOf(order.id), []);
    await setStatus(order.id, 'delivered');
    assert.deepEqual(await downloadsOf(order.id), downloads);
  });

  test('O15: a file added after the delivery gets its link when delivered is said again', async () => {
    const { order, product } = await orderOfABook();
    await setStatus(order.id, 'delivered');
    const { headers } = await app().request({ path: `/admin/api/orders/${order.id}` });
    const added = await makeFile(app(), { product_id: product.id });
    await setStatus(order.id, 'delivered');
    const answer = await app().request({ path: `/admin/api/orders/${order.id}` });
    assert.notEqual(answer.headers['etag'], headers['etag']);
    assert.deepEqual((await downloadsOf(order.id)).map(({ file_id }) => file_id).at(-1), added.id);
  });
});
