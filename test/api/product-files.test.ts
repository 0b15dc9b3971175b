import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeFile } from '../helpers/builders.ts';
import { png } from '../helpers/images.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('images and files of products', (app) => {
  const image = async () => (await app().client.media.create({ file: { filename: 'a.png', content: png(1, 1) } })).id;
  const file = async () => (await makeFile(app())).id;
  let made = 0;
  const slug = () => `product-with-files-${++made}`;

  test('PD6: a product shows its images and files in the order sent, without repeats', async () => {
    const [a, b, c] = [await image(), await image(), await image()];
    const [f, g] = [await file(), await file()];
    const product = await app().client.products.create({
      slug: slug(),
      name: 'Book',
      kind: 'digital',
      media_ids: [b, a, b],
      file_ids: [g, f],
    });
    assert.deepEqual(
      [product.media_ids, product.file_ids],
      [
        [b, a],
        [g, f],
      ],
    );
    assert.deepEqual(await app().client.products.get(product.id), product);
    const changed = await app().client.products.update(product.id, { media_ids: [c, a] });
    assert.deepEqual(
      [changed.media_ids, changed.file_ids],
      [
        [c, a],
        [g, f],
      ],
    );
    assert.deepEqual(
      (await app().client.products.list({ search: 'Book' })).data.find(({ id }) => id === product.id),
      changed,
    );
    const cleared = await app().client.products.update(product.id, { media_ids: [], file_ids: [] });
    assert.deepEqual([cleared.media_ids, cleared.file_ids], [[], []]);
  });

  test('ET1: other images raise the version of the product; the same images do not', async () => {
    const [a, b] = [await image(), await image()];
    const { id } = await app().client.products.create({ slug: slug(), name: 'Mug', media_ids: [a] });
    const etag = async () => (await app().request({ path: `/admin/api/products/${id}` })).headers['etag'];
    const before = await etag();
    await app().client.products.update(id, { media_ids: [a] });
    assert.equal(await etag(), before);
    await app().client.products.update(id, { media_ids: [b, a] });
    assert.notEqual(await etag(), before);
  });

  test('PD6: an unknown image or file is refused with its place, and nothing changes', async () => {
    const known = await image();
    const { total } = await app().client.products.list();
    const create = app().client.products.create({ slug: slug(), name: 'x', media_ids: [known, 999_999] });
    const unknownImage = await refused(create, 422, 'media_not_found');
    assert.deepEqual(
      unknownImage.errors.map(({ pointer }) => pointer),
      ['/media_ids/1'],
    );
    assert.equal((await app().client.products.list()).total, total);
    const { id } = await app().client.products.create({ slug: slug(), name: 'x', kind: 'digital' });
    const unknownFile = await refused(app().client.products.update(id, { name: 'y', file_ids: [999_999] }), 422, 'file_not_found');
    assert.deepEqual(
      unknownFile.errors.map(({ pointer }) => pointer),
      ['/file_ids/0'],
    );
    assert.equal((await app().client.products.get(id)).name, 'x');
  });

  test('PD6: only a digital product has files', async () => {
    const f = await file();
    await refused(app().client.products.create({ slug: slug(), name: 'x', file_ids: [f] }), 422, 'invalid_value');
    const { id } = await app().client.products.create({ slug: slug(), name: 'x', kind: 'digital', file_ids: [f] });
    const error = await refused(app().client.products.update(id, { kind: 'physical' }), 422, 'invalid_value');
    assert.deepEqual(
      error.errors.map(({ pointer }) => pointer),
      ['/kind'],
    );
    await app().client.products.update(id, { kind: 'physical', file_ids: [] });
  });

  test('ME3, FI3: an image or file of a product cannot be deleted before the product', async () => {
    const [a, f] = [await image(), await file()];
    const { id } = await app().client.products.create({ slug: slug(), name: 'x', kind: 'digital', media_ids: [a], file_ids: [f] });
    await refused(app().client.media.delete(a), 409, 'in_use');
    await refused(app().client.files.delete(f), 409, 'in_use');
    await app().client.products.delete(id);
    await app().client.media.delete(a);
    await app().client.files.delete(f);
  });
});
