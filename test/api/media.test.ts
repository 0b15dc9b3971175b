import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { avif, gif, jpeg, png, webp } from '../helpers/images.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('media', (app) => {
  const upload = (content: Buffer | string, filename = 'picture.png', alt = '') =>
    app().client.media.create({ file: { filename, content, content_type: 'application/x-whatever' }, alt });
  const fetchPublic = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app().request({ method, path, headers, token: null });

  test('ME1: the type and size of an image are read from its content, not its name', async () => {
    const images = {
      'image/png': png(40, 30),
      'image/jpeg': jpeg(640, 480),
      'image/gif': gif(7, 9),
      'image/webp': webp(300, 200),
      'image/avif': avif(1920, 1080),
    };
    const sizes = [];
    for (const [type, content] of Object.entries(images)) {
      const media = await upload(content, 'picture.exe');
      assert.deepEqual([media.content_type, media.size_bytes, media.filename], [type, content.length, 'picture.exe']);
      sizes.push([media.width, media.height]);
      assert.deepEqual(await app().client.media.get(media.id), media);
      const shown = await fetch(app().url + media.url);
      assert.equal(shown.headers.get('content-type'), type);
      assert.deepEqual(Buffer.from(await shown.arrayBuffer()), content);
    }
    assert.deepEqual(sizes, [
      [40, 30],
      [640, 480],
      [7, 9],
      [300, 200],
      [1920, 1080],
    ]);
  });

  test('ME1: a file that is not a supported image is refused, SVG included, and not stored', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>';
    const { total } = await app().client.media.list();
    for (const content of [
      svg,
      'GIF89',
      png(40, 30).subarray(0, 20),
      png(0, 30),
      jpeg(1, 1).subarray(0, 10),
      '',
      'BM123456789012345678901234567890',
    ]) {
      const error = await refused(upload(content), 422, 'not_an_image');
      assert.deepEqual(
        error.errors.map(({ pointer }) => pointer),
        ['/file'],
      );
    }
    assert.equal((await app().client.media.list()).total, total);
  });

  test('ME2: /media serves files without a token, as immutable, with a policy that forbids scripts', async () => {
    const { url } = await upload(png(2, 2));
    const { status, headers } = await fetchPublic(url);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['content-security-policy'], "default-src 'none'");
    assert.equal((await fetchPublic(url, { 'if-none-match': String(headers['etag']) })).status, 304);
    const head = await fetchPublic(url, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, String(png(2, 2).length), '']);
    assert.equal((await fetchPublic(url, {}, 'POST')).status, 405);
    for (const path of ['/media/', '/media/x', `${url}0`, '/media/..%2f..%2fbackroom.db', '/media/a/b', '/nowhere/x']) {
      assert.equal((await fetchPublic(path)).status, 404, path);
    }
  });

  test('ME1: images are listed, searched, changed and deleted', async () => {
    const tree = await upload(png(1, 1), 'tree.png', '  An old Őszi tree ');
    assert.equal(tree.alt, 'An old Őszi tree');
    await upload(png(1, 1), 'house.png');
    const { data } = await app().client.media.list({ search: 'ŐSZI' });
    assert.deepEqual(data, [tree]);
    assert.deepEqual(
      (await app().client.media.list({ search: 'HOUSE.' })).data.map(({ filename }) => filename),
      ['house.png'],
    );
    const changed = await app().client.media.update(tree.id, { alt: 'A tree' });
    assert.deepEqual(changed, { ...tree, alt: 'A tree' });
    assert.deepEqual(await app().client.media.update(tree.id, {}), changed);
    assert.deepEqual(await app().client.media.get(tree.id), changed);
    await refused(app().client.media.update(tree.id, { alt: 'x'.repeat(1001) }), 422, 'too_long');
    await refused(upload(png(1, 1), 'x.png', 'x'.repeat(1001)), 422, 'too_long');
    await app().client.media.delete(tree.id);
    await refused(app().client.media.get(tree.id), 404, 'not_found');
    await refused(app().client.media.delete(tree.id), 404, 'not_found');
    assert.equal((await fetchPublic(tree.url)).status, 404);
  });

  test('ET2: a change with a stale If-Match is refused', async () => {
    const { id } = await upload(png(1, 1));
    const path = `/admin/api/media/${id}`;
    const { headers } = await app().request({ path });
    assert.match(String(headers['etag']), new RegExp(`^"media-${id}-1"$`));
    const ifMatch = { 'if-match': String(headers['etag']) };
    assert.equal((await app().request({ method: 'PATCH', path, body: { alt: 'new' }, headers: ifMatch })).status, 200);
    assert.equal((await app().request({ method: 'PATCH', path, body: { alt: 'newer' }, headers: ifMatch })).status, 412);
  });
});
