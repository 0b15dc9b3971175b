import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { assetsNamedIn, consoleSizes } from '../../tools/console-sizes.ts';
import { type Console, openConsole } from './open-console.ts';

const folder = fileURLToPath(new URL('../../dist/console', import.meta.url));
const index = readFileSync(join(folder, 'index.html'), 'utf8');

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

async function get(path: string, accept: string, encoding = 'identity', method: 'GET' | 'POST' = 'GET') {
  const answer = await request(`${shop.url}${path}`, { method, headers: { accept, 'accept-encoding': encoding } });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

test('a browser gets the console at / and at the path of a page, with a policy that lets nothing in from elsewhere', async () => {
  for (const path of ['/', '/orders', '/orders?open=1', '/no-such-page']) {
    const { status, headers, text } = await get(path, 'text/html,*/*');
    assert.equal(status, 200, path);
    assert.equal(text, index, path);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; style-src 'self'; /);
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'; require-trusted-types-for 'script'/);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    // Files of an installed package all have one time, and those of its next version may be as large.
    assert.equal(headers.etag, `W/"${createHash('sha256').update(index).digest('base64url').slice(0, 22)}"`);
    const again = await request(`${shop.url}${path}`, { headers: { accept: 'text/html', 'if-none-match': headers.etag } });
    assert.deepEqual([again.statusCode, await again.body.text()], [304, '']);
  }
});

test('files are sent as they were compressed, and kept for good; one that is missing is 404', async () => {
  const [script = ''] = assetsNamedIn(index).filter((path) => path.endsWith('.js'));
  for (const [encoding, ending] of [
    ['br', '.br'],
    ['gzip', '.gz'],
    ['identity', ''],
  ] as const) {
    const { status, headers } = await get(script, '*/*', encoding);
    assert.equal(status, 200);
    assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
    assert.equal(Number(headers['content-length']), statSync(join(folder, `${script}${ending}`)).size);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(headers['content-type']), /javascript/);
  }
  for (const path of ['/assets/gone.js', '/assets/../../../package.json', '/assets/%2e%2e/%2e%2e/package.json', '/media/nothing.png']) {
    const { status, headers } = await get(path, 'text/html,*/*');
    assert.equal(status, 404, path);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8', path);
  }
});

test('whoever asks for something else than a page gets the 404 of the API', async () => {
  for (const [path, accept] of [
    ['/', 'application/json'],
    ['/orders', '*/*'],
    ['/admin', 'text/html'],
    ['/docs/x', '*/*'],
  ] as const) {
    const { status, headers } = await get(path, accept);
    assert.equal(status, 404, path);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  }
  assert.equal((await get('/orders', 'text/html', 'identity', 'POST')).status, 404);
});

test('the first load is at most 200 kB of scripts and styles, and 53 kB of fonts; a page adds at most 25 kB', () => {
  const sizes = consoleSizes();
  const filesOf = (wanted: string): number =>
    sizes.filter(({ part }) => part === wanted).reduce((count, { file }) => count + file.split(' ').length, 0);
  assert.ok(filesOf('first load') >= 2);
  assert.equal(filesOf('fonts'), 2);
  // The parser is a file of its own, because the review shows sources in colours, too.
  assert.deepEqual([filesOf('editor'), filesOf('parser'), filesOf('text editor'), filesOf('worker')], [2, 1, 1, 1]);
  assert.ok(filesOf('page') > 10);
  assert.deepEqual(
    sizes.filter(({ bytes, most }) => bytes > most),
    [],
  );
});
