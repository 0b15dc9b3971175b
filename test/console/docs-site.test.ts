import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { buildDocs } from '../../ops/missing-builds.ts';
import { type Console, faultsIn, openConsole } from './open-console.ts';

/** The documentation as the server serves it. It is built here where it was not built of the present texts yet. */

let shop: Console;
let pages: readonly string[];
before(async () => {
  assert.equal(await buildDocs(['--if-changed']), 0);
  shop = await openConsole({ orders: 20 });
  const { text } = await get('/llms.txt');
  pages = [...text.matchAll(/\]\((\/docs\/[^)]+)\.md\)/g)].map(([, path = '']) => path.replace(/(^|\/)index$/, '$1'));
  assert.ok(pages.length >= 50, `${pages.length} pages`);
});
after(() => shop.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await request(`${shop.url}${path}`, { headers: { accept: 'text/html,*/*', ...headers } });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

test('a page is there as HTML and as Markdown, packed or not, and is asked for again by its ETag', async () => {
  for (const path of ['/docs/', '/docs/tasks', '/docs/tasks.html', '/docs/spec/', '/docs/spec/http']) {
    const { status, headers } = await get(path);
    assert.deepEqual([status, headers['content-type'], headers['cache-control']], [200, 'text/html; charset=utf-8', 'no-cache'], path);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; style-src 'self'; /);
    assert.equal((await get(path, { 'if-none-match': String(headers['etag']) })).status, 304);
    const packed = await get(path, { 'accept-encoding': 'gzip' });
    assert.deepEqual([packed.headers['content-encoding'], packed.headers['vary']], ['gzip', 'Accept-Encoding']);
  }
  const markdown = await get('/docs/tasks.md');
  assert.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8');
  assert.match(markdown.text, /^# Tasks and runs\n/);
  const asset = /(\/docs\/assets\/app\.[\w-]+\.js)"/.exec((await get('/docs/')).text)?.[1] ?? assert.fail('no script');
  assert.equal((await get(asset)).headers['cache-control'], 'public, max-age=31536000, immutable');
});

test('a folder without its slash leads to its page; what is not there is 404, for a browser as a page', async () => {
  for (const [path, to] of [
    ['/docs', '/docs/'],
    ['/docs/spec', '/docs/spec/'],
    ['/api', '/docs/api/'],
  ] as const) {
    const { status, headers } = await get(path);
    assert.deepEqual([status, headers['location']], [308, to]);
  }
  for (const path of [
    '/docs/nothing',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e%2f%2e%2e%2fpackage.json',
    '/docs/.digest',
    '/docs//tasks',
  ]) {
    const { status, headers } = await get(path);
    assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], path);
    assert.equal((await get(path, { accept: '*/*' })).headers['content-type'], 'application/json; charset=utf-8');
  }
});

test('no page has a script or a style within, and none loads anything from elsewhere', async () => {
  for (const path of [...pages, '/docs/nothing']) {
    const { text } = await get(path);
    assert.doesNotMatch(text, /<script(?![^>]* src="\/docs\/)[^>]*>|<style|<[^>]+ style="|<[^>]+ on\w+="/, path);
    assert.doesNotMatch(text, /<(?:script|link|img|source)[^>]* (?:src|href|srcset)="(?!\/docs\/)/, path);
  }
});

test('every link, anchor and image of every page is there', async () => {
  const texts = new Map<string, Promise<{ status: number; text: string }>>();
  const read = (path: string) => texts.get(path) ?? texts.set(path, get(path)).get(path);
  const wrong: string[] = [];
  for (const page of pages) {
    const { text } = (await read(page)) ?? assert.fail();
    for (const [, written = ''] of text.matchAll(/<(?:a|img|link|script)\b[^>]* (?:href|src)="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(written.replaceAll('&amp;', '&'), `${shop.url}${page}`);
      if (origin !== shop.url) continue;
      const { status, text: target } = (await read(pathname)) ?? assert.fail();
      if (status !== 200) wrong.push(`${page}: ${written} is ${status}`);
      else if (hash !== '' && !target.includes(` id="${decodeURIComponent(hash.slice(1))}"`))
        wrong.push(`${page}: ${written} has no such place`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('llms.txt lists each page with a line about it, llms-full.txt has all of their texts, and the links within the Markdown answer', async () => {
  const [list, full] = [await get('/llms.txt'), await get('/llms-full.txt')];
  assert.match(list.text, /^# Backroom\n\n> \S/);
  const wrong: string[] = [];
  for (const page of pages) {
    const path = `${page.replace(/\/$/, '/index')}.md`;
    const { status, text } = await get(path);
    assert.equal(status, 200, path);
    assert.ok(full.text.includes(text.trim()), path);
    for (const [, target = ''] of text.matchAll(/(?<!`)\]\(([^()\s#:]+)(?:#[^()\s]*)?\)/g)) {
      const { pathname } = new URL(target, `${shop.url}${path}`);
      if ((await get(pathname)).status !== 200) wrong.push(`${path}: ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    list.text.split('\n').filter((line) => line.startsWith('- ') && !/^- \[[^\]]+\]\(\/docs\/[^)]+\.md\): \S/.test(line)),
    [],
  );
});

test('axe-core finds nothing on any page in light and dark colours, and no page breaks the content policy', async () => {
  const page = await shop.open({ path: '/docs/', token: null });
  const wrong: string[] = [];
  for (const path of [...pages, '/docs/nothing']) {
    await page.goto(`${shop.url}${path}`);
    await page.locator('html.ready').waitFor();
    const faults = await faultsIn(page, {});
    await page.evaluate(`document.documentElement.classList.add('dark')`);
    faults.push(...(await faultsIn(page, { runOnly: ['color-contrast'] })).map((fault) => `in dark colours: ${fault}`));
    wrong.push(...faults.map((fault) => `${path}: ${fault}`));
  }
  assert.deepEqual(wrong, []);
  await page.done();
});
