import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormData } from 'undici';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('digital files', (app) => {
  const upload = (filename: string, content: Buffer | string = 'content', content_type?: string) =>
    app().client.files.create({ file: { filename, content, ...(content_type === undefined ? {} : { content_type }) } });

  test('FI1: a file is uploaded, read, listed, renamed and deleted', async () => {
    const answer = await app().request({
      method: 'POST',
      path: '/admin/api/files',
      form: formOf('notes.txt', 'hello', 'text/plain; charset=utf-8'),
    });
    assert.equal(answer.status, 201);
    const file = await app().client.files.get(Number(String(answer.headers['location']).split('/').at(-1)));
    assert.deepEqual(answer.body, file);
    const { id: _, storage_key, created_at, ...rest } = file;
    const content_type = 'text/plain; charset=utf-8';
    assert.deepEqual(rest, { original_filename: 'notes.txt', file_size: 5, content_type, uploaded_by: 1 });
    assert.match(storage_key, /^[0-9a-f]{40}$/);
    assert.match(created_at, /Z$/);
    assert.equal(answer.headers['etag'], `"file-${file.id}-1"`);
    await upload('Őszi mese.epub');
    const { data } = await app().client.files.list({ search: 'ŐSZI' });
    assert.deepEqual(
      data.map(({ original_filename }) => original_filename),
      ['Őszi mese.epub'],
    );
    const renamed = await app().client.files.update(file.id, { original_filename: 'better.txt' });
    assert.deepEqual(renamed, { ...file, original_filename: 'better.txt' });
    assert.deepEqual(await app().client.files.get(file.id), renamed);
    await refused(app().client.files.update(file.id, { original_filename: ' ' }), 422, 'blank');
    await app().client.files.delete(file.id);
    await refused(app().client.files.get(file.id), 404, 'not_found');
  });

  test('FI1: a file is downloaded byte for byte, and only with a token', async () => {
    // The content is full of what looks like the beginning of a multipart boundary.
    const content = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `\r\n--${'-'.repeat(i % 29)}form${i}`).join(''));
    const { id } = await upload('data.bin', content);
    const path = `/admin/api/files/${id}/content`;
    const answer = await fetch(app().url + path, { headers: { authorization: 'Bearer owner-token-of-the-tests-0123456789' } });
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="data.bin"; filename*=UTF-8''data.bin`);
    assert.equal(answer.headers.get('content-length'), String(content.length));
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.ok(content.equals(Buffer.from(await answer.arrayBuffer())));
    assert.equal((await app().request({ path, token: null })).status, 401);
    assert.equal((await app().request({ path: '/admin/api/files/999999/content' })).status, 404);
    assert.equal((await app().request({ path, method: 'HEAD' })).headers['content-length'], String(content.length));
  });

  test('FI3: a file that a product sells or that buyers can download is in use; clear deletes it with the download links', async () => {
    const product = await makeProduct(app(), { kind: 'digital' });
    const variant = await makeVariant(app(), { product_id: product.id, track_stock: false });
    const { id } = await upload('book.pdf');
    await app().client.products.update(product.id, { file_ids: [id] });
    await refused(app().client.files.delete(id), 409, 'in_use');
    const order = await makeOrder(app(), {}, [{ variant, quantity: 1 }]);
    await app().client.orders.update_status(order.id, { status: 'delivered' });
    await app().client.products.update(product.id, { file_ids: [] });
    const error = await refused(app().client.files.delete(id), 409, 'in_use');
    assert.equal(error.problem?.['downloads'], 1);
    const [download] = (await app().client.orders.get(order.id)).downloads;
    await app().client.files.delete(id, { clear: true });
    assert.deepEqual((await app().client.orders.get(order.id)).downloads, []);
    assert.equal((await app().request({ path: String(download?.url), token: null })).status, 404);
  });

  test('CU5: file names lose folders and control characters; an invalid content type becomes application/octet-stream', async () => {
    const names = [
      ['../../etc/passwd', 'passwd'],
      ['C:\\dir\\x.txt', 'x.txt'],
      ['..', 'file'],
      ['  a\u0007b.txt ', 'ab.txt'],
      ['árvíztűrő "tükör".pdf', 'árvíztűrő "tükör".pdf'],
      [`${'é'.repeat(300)}.pdf`, `${'é'.repeat(251)}.pdf`],
    ] as const;
    for (const [sent, kept] of names) {
      const body = rawForm([`Content-Disposition: form-data; name="file"; filename="${sent.replaceAll(/["\\]/g, '\\$&')}"`], 'x');
      const answer = await app().request({ method: 'POST', path: '/admin/api/files', ...body });
      assert.deepEqual([answer.status, Reflect.get(Object(answer.body), 'original_filename')], [201, kept]);
      assert.equal(Reflect.get(Object(answer.body), 'content_type'), 'application/octet-stream');
    }
    const extended = rawForm(
      [`Content-Disposition: form-data; name="file"; filename="x"; filename*=UTF-8''na%C3%AFve.txt`, 'Content-Type: nonsense'],
      '',
    );
    const answer = await app().request({ method: 'POST', path: '/admin/api/files', ...extended });
    const { original_filename, content_type, file_size } = await app().client.files.get(Number(Reflect.get(Object(answer.body), 'id')));
    assert.deepEqual(
      [original_filename, content_type, file_size],
      ['naïve.txt', 'application/octet-stream', 0],
      'an empty file is accepted',
    );
  });
});

function formOf(filename: string, content: string, type: string) {
  const form = new FormData();
  form.append('file', new Blob([content], { type }), filename);
  return form;
}

function rawForm(headers: readonly string[], content: string) {
  const raw = Buffer.from(`--XX\r\n${headers.join('\r\n')}\r\n\r\n${content}\r\n--XX--\r\n`);
  return { raw, headers: { 'content-type': 'multipart/form-data; boundary=XX' } };
}
