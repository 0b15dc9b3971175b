import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { z } from 'zod';
import { buildDocs } from '../../ops/missing-builds.ts';
import { type Console, faultsIn, openConsole } from './open-console.ts';

/** The documentation as the server serves it. It is built here, and by no other file beside, where it was not built of the present texts yet. */

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

/**
 * Marks each text whose looks were not met before, and returns how many there are. Looks depend on the names and classes of an element and
 * of those that it is in; to compute the contrast of each text on each page would take minutes.
 */
const MARK_NEW = (seen: readonly string[]): string => `(() => {
  const seen = new Set(${JSON.stringify(seen)});
  const lookOf = (element) => {
    // Each page has a class of its own, of which no style knows.
    const classes = [...element.classList].filter((name) => !name.startsWith('_docs_')).sort();
    const own = element.localName + '.' + classes.join('.') + (element.ariaCurrent ?? '') + (element.ariaSelected ?? '');
    return element.parentElement === null ? own : lookOf(element.parentElement) + '>' + own;
  };
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const look = lookOf(element);
    if (seen.has(look) || ![...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim() !== '')) return [];
    seen.add(look);
    element.setAttribute('data-new-look', '');
    return [look];
  });
})()`;

test('axe-core finds nothing on any page in light and dark colours, and no page breaks the content policy', async () => {
  const page = await shop.open({ path: '/docs/', token: null });
  const wrong: string[] = [];
  const seen: string[] = [];
  const check = async (path: string): Promise<void> => {
    const faults: string[] = [];
    const looks = z.array(z.string()).parse(await page.evaluate(MARK_NEW(seen)));
    seen.push(...looks);
    for (const theme of looks.length > 0 ? ['light', 'dark'] : []) {
      await page.evaluate(`document.documentElement.classList.toggle('dark', ${theme === 'dark'})`);
      const faint = await faultsIn(page, { runOnly: ['color-contrast'] }, '[data-new-look]');
      faults.push(...faint.map((fault) => `in ${theme} colours: ${fault}`));
    }
    await page.evaluate(`document.documentElement.classList.remove('dark')`);
    // The colours of code are most of the elements, and nothing but contrast depends on them.
    await page.evaluate(`for (const code of document.querySelectorAll('pre code')) code.textContent = code.textContent`);
    faults.push(...(await faultsIn(page, { rules: { 'color-contrast': { enabled: false } } })));
    wrong.push(...faults.map((fault) => `${path}: ${fault}`));
  };
  await page.locator('html.ready').waitFor();
  for (const path of pages) {
    // As a reader goes on: to load each page anew, and axe with it, would take twice as long.
    await page.evaluate(`document.body.append(Object.assign(document.createElement('a'), { id: 'go', href: ${JSON.stringify(path)} }));
      document.querySelector('#go').click(); document.querySelector('#go').remove()`);
    await page.locator(`.vp-doc.${path.replaceAll('/', '_')}`).waitFor();
    await check(path);
  }
  await page.goto(`${shop.url}/docs/nothing`);
  await page.getByRole('heading', { name: 'This page is not there' }).waitFor();
  await check('/docs/nothing');
  await page.goto(`${shop.url}/docs/`);
  await page.locator('html.ready').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('approval');
  await page.getByRole('option').first().waitFor();
  await check('the search');
  assert.deepEqual(wrong, []);
  assert.ok(seen.length > 100, `${seen.length} looks`);
  await page.done();
});

/** What somebody types, and the page that is expected to be found first or second. */
const WORDS: Readonly<Record<string, string>> = {
  approval: 'concepts/approval',
  aprovall: 'concepts/approval',
  'exactly once': 'concepts/exactly-once',
  'dry run': 'concepts/plans',
  sandbox: 'concepts/sandbox',
  replay: 'concepts/replay',
  schedule: 'concepts/time',
  checkpoint: 'tasks',
  state: 'tasks',
  stripe: 'stripe',
  smtp: 'mail',
  webhook: 'webhooks',
  theme: 'pages',
  mcp: 'agents',
  assistant: 'assistant',
  postgresql: 'scale',
  helm: 'deploy',
  upgrade: 'operations',
  'db backup': 'cli',
  DATABASE_URL: 'environment',
  vulnerability: 'security',
  'access group': 'spec/access-groups',
};

test('the search finds the page that one expects, by keys alone', async () => {
  const page = await shop.open({ path: '/docs/', token: null });
  const wrong: string[] = [];
  await page.locator('html.ready').waitFor();
  await page.keyboard.press('Control+k');
  for (const [words, expected] of Object.entries(WORDS)) {
    await page.getByRole('combobox').fill(words);
    await page
      .locator('#found[data-words]')
      .and(page.locator(`[data-words=${JSON.stringify(words)}]`))
      .waitFor();
    const found = await page.getByRole('option').evaluateAll((options) => options.map((option) => option.getAttribute('data-page')));
    const firstPages = [...new Set(found.map((id) => id?.replace(/#.*$/, '')))].slice(0, 2);
    if (!firstPages.includes(`/docs/${expected}`)) wrong.push(`${words}: ${firstPages.join(', ')}`);
  }
  assert.deepEqual(wrong, []);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Access groups' }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.keyboard.press('/');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.done();
});

test('code names the reader’s own address, what is copied too, and the file that a block is', async () => {
  const page = await shop.open({ path: '/docs/operations', token: null });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: shop.url });
  const withAddress: string[] = [];
  for (const path of pages)
    if ((await get(`${path.replace(/\/$/, '/index')}.md`)).text.includes('http://127.0.0.1:8787')) withAddress.push(path);
  let shown = 0;
  for (const path of withAddress) {
    await page.goto(`${shop.url}${path}`);
    await page.locator('html.ready').waitFor();
    const code = await page.locator('.vp-doc code').allTextContents();
    assert.deepEqual(
      code.filter((text) => text.includes('127.0.0.1:8787')),
      [],
    );
    shown += code.filter((text) => text.includes(shop.url)).length;
  }
  assert.ok(shown > 1, `${shown} addresses`);
  await page.goto(`${shop.url}/docs/mail`);
  const block = page.locator('.vp-doc div[class*="language-"]', { hasText: shop.url }).first();
  await block.hover();
  await block.getByRole('button', { name: 'Copy Code' }).click();
  await block.locator('button.copied').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(copied, new RegExp(`^curl .*${shop.url}/`, 's'));
  await page.goto(`${shop.url}/docs/concepts/resume`);
  await page.locator('figure', { hasText: 'checkpoint' }).getByText('greet-customers.ts', { exact: true }).first().waitFor();
  await page.done();
});

test('the colours follow the system until the reader chooses others, which stay', async () => {
  const page = await shop.open({ path: '/docs/', token: null, theme: 'dark' });
  const isDark = () => page.evaluate(`document.documentElement.classList.contains('dark')`);
  await page.locator('html.ready').waitFor();
  assert.equal(await isDark(), true);
  await page.getByRole('switch').first().click();
  assert.equal(await isDark(), false);
  await page.goto(`${shop.url}/docs/tasks`);
  assert.equal(await isDark(), false);
  await page.done();
});

/** A page with a command that needs a token. */
const WITH_TOKEN = '/docs/mail';
const OFFER = 'Copy with a one-time token';

test('who is signed in copies an example with the address of the shop and a token that is good for one request', async () => {
  const page = await shop.open({ path: WITH_TOKEN });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: OFFER }).click();
  await page.getByText('Copied. Its token is good for one request, within 10 minutes.').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(copied, new RegExp(`${shop.url}/admin/api/`));
  const [token = ''] = /pat_\w+/.exec(copied) ?? [];
  const ask = async () => {
    const answer = await request(`${shop.url}/admin/api/me`, { headers: { authorization: `Bearer ${token}` } });
    await answer.body.dump();
    return answer.statusCode;
  };
  assert.deepEqual([await ask(), await ask()], [200, 401]);
  await page.done();
});

test('it is said where a session has ended, and nothing is offered to whoever is not signed in', async () => {
  const guest = await shop.open({ path: WITH_TOKEN, token: null });
  await guest.locator('html.ready').waitFor();
  await guest.locator('.language-sh').first().waitFor();
  assert.equal(await guest.getByRole('button', { name: OFFER }).count(), 0);
  await guest.done();

  const { token, client } = await shop.admin('Ann', ['admin_api.orders.read']);
  // What makes a secret refuses such a token.
  const secret = await shop.open({ path: '/docs/webhooks', token });
  await secret.locator('html.ready .makes-secret').first().waitFor();
  assert.equal(await secret.getByRole('button', { name: OFFER }).count(), 0);
  await secret.done();
  const page = await shop.open({ path: WITH_TOKEN, token });
  await page.getByRole('button', { name: OFFER }).waitFor();
  const [{ id } = { id: 0 }] = await client.me.list_tokens();
  await client.me.revoke_token(id);
  await page.getByRole('button', { name: OFFER }).click();
  await page.getByText('Nothing was copied: sign in to the console again.').waitFor();
});
