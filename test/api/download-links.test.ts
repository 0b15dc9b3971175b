import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { expireDownload } from '../helpers/stored-rows/passed-time.ts';

onBothStores('download links', (app) => {
  const CONTENT = 'the whole book';

  /** A delivered order of one book: its link. */
  async function boughtBook(filename = 'book.epub') {
    const product = await makeProduct(app(), { kind: 'digital' });
    const variant = await makeVariant(app(), { product_id: product.id, track_stock: false });
    const file = await app().client.files.create({ file: { filename, content: CONTENT, content_type: 'application/epub+zip' } });
    await app().client.products.update(product.id, { file_ids: [file.id] });
    const { id } = await makeOrder(app(), {}, [{ variant, quantity: 1 }]);
    await app().client.orders.update_status(id, { status: 'delivered' });
    const [download] = (await app().client.orders.get(id)).downloads;
    return { orderId: id, fileId: file.id, url: String(download?.url), token: String(download?.token) };
  }

  const get = (path: string, method = 'GET') => app().request({ path, method, token: null });
  const remaining = async (orderId: number) => (await app().client.orders.get(orderId)).downloads[0]?.remaining;
  const reasonOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    Reflect.get(Object(body), 'code'),
    Reflect.get(Object(body), 'reason'),
  ];

  test('O15: a link gives the file to whoever has it, under its own name, and counts', async () => {
    const { url, orderId } = await boughtBook('Őszi "mese".epub');
    const { status, text, headers } = await get(url);
    assert.deepEqual([status, text], [200, CONTENT]);
    assert.equal(headers['content-type'], 'application/epub+zip');
    assert.equal(headers['content-length'], String(CONTENT.length));
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-disposition'], `attachment; filename="_szi _mese_.epub"; filename*=UTF-8''%C5%90szi%20%22mese%22.epub`);
    assert.equal(await remaining(orderId), 9);
    const head = await get(url, 'HEAD');
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, String(CONTENT.length), '']);
    assert.equal(await remaining(orderId), 9, 'a look at it is no fetch');
  });

  test('O15: of many fetches at once only as many succeed as are left', async () => {
    await app().client.settings.update({ download_limit: 3 });
    const { url, orderId } = await boughtBook();
    await app().client.settings.update({ download_limit: 10 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(url)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    assert.deepEqual(reasonOf(await get(url)), [410, 'download_ended', 'exhausted']);
    assert.equal(await remaining(orderId), 0);
  });

  test('O15: a link ends with its time', async () => {
    await app().client.settings.update({ download_days: 7, download_limit: null });
    const { url, orderId, token } = await boughtBook();
    await app().client.settings.update({ download_days: null, download_limit: 10 });
    const [download] = (await app().client.orders.get(orderId)).downloads;
    assert.equal(download?.remaining, null);
    const days = (Date.parse(String(download?.expires_at)) - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7, `${days} days`);
    assert.equal((await get(url)).status, 200);
    const past = new Date(Date.now() - 1000).toISOString();
    await expireDownload(app().store, token, past);
    const ended = await get(url);
    assert.deepEqual(reasonOf(ended), [410, 'download_ended', 'expired']);
    assert.ok(ended.text.includes(past));
  });

  test('O16: a cancelled order gives nothing, the next delivery opens it anew', async () => {
    const { url, orderId } = await boughtBook();
    await get(url);
    await app().client.orders.update_status(orderId, { status: 'cancelled' });
    assert.deepEqual(reasonOf(await get(url)), [410, 'download_ended', 'revoked']);
    await app().client.orders.update_status(orderId, { status: 'delivered' });
    assert.equal(await remaining(orderId), 10);
    assert.equal((await get(url)).text, CONTENT);
  });

  test('R3: what is no link is not found, and other methods are not allowed', async () => {
    const { url } = await boughtBook();
    for (const path of [
      '/downloads/x',
      `${url}x`,
      url.slice(0, -1),
      '/downloads/',
      '/downloads',
      `${url}/`,
      '/downloads/%00',
      '/downloads/%zz',
    ]) {
      assert.equal((await get(path)).status, 404, path);
    }
    assert.equal((await get(url, 'POST')).status, 405);
  });
});
