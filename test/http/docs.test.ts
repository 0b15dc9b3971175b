import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Router } from '@koa/router';
import Koa from 'koa';
import { request } from 'undici';
import { addDocs } from '../../server/http/docs.ts';
import type { WireState } from '../../server/http/wire.ts';

/** How a folder of built documentation is served (spec G25); test/console/docs-site.test.ts looks at the real one. */

async function serve(t: { after(end: () => void): void }, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-docs-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path.endsWith('.gz') ? gzipSync(text) : text);
  }
  const router = new Router<WireState>({ sensitive: true, strict: true });
  addDocs(router, folder);
  const app = new Koa<WireState>();
  app.silent = true;
  app.use(router.routes());
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  return async (path: string, headers: Record<string, string> = {}) => {
    const {
      statusCode: status,
      headers: got,
      body,
    } = await request(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html', ...headers } });
    return { status, headers: got, text: await body.text() };
  };
}

test('G25: without built documentation a browser is told how it is built', async (t) => {
  const get = await serve(t, {});
  const { status, headers, text } = await get('/docs/');
  assert.equal(status, 404);
  assert.match(text, /<code>npm run build:docs<\/code>/);
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
});

test('G25: a page that shares its name with a folder is the page; the folder’s own page has a slash behind it', async (t) => {
  const get = await serve(t, { 'growth.html.gz': 'a page', 'growth/index.html.gz': 'a folder', 'more/index.html.gz': 'more' });
  assert.equal((await get('/docs/growth')).text, 'a page');
  assert.equal((await get('/docs/growth/')).text, 'a folder');
  assert.deepEqual([(await get('/docs/more')).status, (await get('/docs/more')).headers['location']], [308, '/docs/more/']);
});

test('what is asked for again is answered 304 only while it is the same, in both forms', async (t) => {
  const get = await serve(t, { 'page.html.gz': 'one', 'picture.png': 'bytes' });
  for (const path of ['/docs/page', '/docs/picture.png']) {
    const { headers } = await get(path, { 'accept-encoding': 'gzip' });
    const tag = String(headers['etag']);
    assert.deepEqual(
      [(await get(path, { 'if-none-match': tag })).status, (await get(path, { 'if-none-match': 'W/"other"' })).status],
      [304, 200],
    );
  }
  assert.equal((await get('/docs/picture.png', { 'accept-encoding': 'gzip' })).headers['content-encoding'], undefined);
});
