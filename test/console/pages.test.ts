import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

const LONG = 'Verbraucherstreitbeilegungsgesetzinformationspflicht megszentségteleníthetetlenségeskedéseitekért';

async function makePage(title: string, content: string): Promise<number> {
  const slug = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const { id } = await shop.client.pages.create({ slug, title });
  await shop.client.pages.update(id, { content });
  return id;
}

test('by keyboard alone: a new page, its template seen before it is saved, published, deleted', async () => {
  const page = await shop.open({ path: '/pages' });
  await page.getByRole('button', { name: 'New page' }).first().waitFor();
  await page.keyboard.press('n');
  await page.getByRole('complementary', { name: 'New page' }).waitFor();
  await page.keyboard.type('Our story');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Our story', level: 1 }).waitFor();
  const [made] = await shop.client.pages.list({ search: 'Our story' });
  assert.deepEqual({ slug: made?.slug, published: made?.published }, { slug: 'our-story', published: false });
  await page.getByRole('button', { name: 'Source' }).press('Enter');
  await page.getByRole('textbox', { name: 'Content' }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('<h1>{{ page.title }}</h1><p>Unsaved words</p>');
  const frame = page.frameLocator('iframe');
  await frame.getByText('Unsaved words').waitFor();
  await frame.getByRole('heading', { name: 'Our story' }).waitFor();
  assert.doesNotMatch((await shop.client.pages.get(made?.id ?? 0)).content, /Unsaved words/);
  await page.getByLabel('Published').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+s');
  for (const name of ['Page', 'Address and visibility'])
    await page.getByRole('form', { name, exact: true }).getByText('Saved', { exact: true }).waitFor();
  const saved = await shop.client.pages.get(made?.id ?? 0);
  assert.match(saved.content, /Unsaved words/);
  assert.equal(saved.published, true);
  await page.getByRole('button', { name: 'Delete…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('heading', { name: 'Pages', level: 1 }).waitFor();
  assert.deepEqual(await shop.client.pages.list({ search: 'Our story' }), []);
  await page.done();
});

test('a template cannot run scripts in its preview, nor ask anything of another host; its styles are shown', async () => {
  const asked: (string | undefined)[] = [];
  const foreign = createServer((req, res) => {
    asked.push(req.url);
    res.end();
  }).listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  const address = foreign.address();
  assert.ok(typeof address === 'object' && address !== null);
  const host = `http://127.0.0.1:${address.port}`;
  const id = await makePage(
    'Hostile',
    `<html><head>
      <meta http-equiv="refresh" content="0; url=${host}/refresh"><base href="${host}/">
      <link rel="preconnect" href="${host}"><link rel="stylesheet" href="${host}/style.css">
      <style>h1 { color: rgb(1, 2, 3); }</style>
      <script>document.documentElement.dataset.ran = 'inline';</script><script src="${host}/script.js"></script>
    </head><body><h1>Hostile</h1>
      <img src="${host}/image.png" onerror="document.documentElement.dataset.ran = 'handler'">
      <iframe src="${host}/frame"></iframe><a href="${host}/link">Leave</a>
    </body></html>`,
  );
  const page = await shop.open({ path: '/pages' });
  const isRefused = page.waitForEvent('console', (message) => /policy: img-src/.test(message.text()));
  await page.goto(`${shop.url}/pages/${id}`);
  const heading = page.frameLocator('iframe').getByRole('heading', { name: 'Hostile' });
  await heading.waitFor();
  await isRefused;
  assert.equal(await heading.evaluate('getComputedStyle(document.querySelector("h1")).color'), 'rgb(1, 2, 3)');
  assert.equal(await heading.evaluate('document.documentElement.dataset.ran ?? "nothing"'), 'nothing');
  assert.equal(await heading.evaluate('origin'), 'null');
  await page.frameLocator('iframe').getByRole('link', { name: 'Leave' }).click();
  await heading.waitFor();
  assert.deepEqual(asked, []);
  await page.context().close();
  foreign.close();
});

test('the preview has a policy of its own: no origin, no foreign host, in frames of this server alone', async () => {
  const { headers, statusCode, body } = await request(`${shop.url}/preview.html`, { headers: { accept: 'text/html' } });
  await body.dump();
  assert.equal(statusCode, 200);
  assert.equal(
    headers['content-security-policy'],
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
      "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  );
});

test('a fault of a template is told with its place while it is typed, and after it is saved', async () => {
  const id = await makePage('Faulty', '<p>Fine</p>');
  const page = await shop.open({ path: `/pages/${id}?text=source` });
  await page.frameLocator('iframe').getByText('Fine').waitFor();
  await page.getByRole('textbox', { name: 'Content' }).fill('<p>One</p>\n{% if %}');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Line 2, column').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('form', { name: 'Page' }).getByText('Line 2, column').first().waitFor();
  assert.equal((await shop.client.pages.get(id)).content, '<p>One</p>\n{% if %}');
  await page.done();
});

test('an address that another page has is refused at its field; translations of an unknown language at theirs', async () => {
  await makePage('Taken', '');
  const id = await makePage('Other', '');
  const page = await shop.open({ path: `/pages/${id}` });
  const form = page.getByRole('form', { name: 'Address and visibility' });
  await form.getByLabel('Address').fill('taken');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByLabel('Address').and(page.locator(':focus')).waitFor();
  await form.getByRole('button', { name: 'Discard' }).click();
  const translations = page.getByRole('form', { name: 'Translations' });
  await translations.getByRole('button', { name: 'Add a translation' }).click();
  await translations.getByLabel('Language').fill('no language!');
  await translations.getByLabel('Translation', { exact: true }).fill('Über uns');
  await translations.getByRole('button', { name: 'Save' }).click();
  await translations.getByLabel('Language').and(page.locator(':focus')).waitFor();
  await translations.getByLabel('Language').fill('de-AT');
  await translations.getByRole('button', { name: 'Save' }).click();
  await translations.getByText('Saved').waitFor();
  assert.deepEqual(await shop.client.pages.list_translations(id), [{ field: 'meta_title', locale: 'de-AT', value: 'Über uns' }]);
  await page.done();
});

test('two people change a page: what only the other changed is kept, what both changed is asked', async () => {
  const id = await makePage('Both', '<p>Old</p>');
  const page = await shop.open({ path: `/pages/${id}` });
  const form = page.getByRole('form', { name: 'Page' });
  await form.getByLabel('Title', { exact: true }).fill('Mine');
  await shop.client.pages.update(id, { title: 'Theirs', content: '<p>New</p>' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('button', { name: 'Mine: Mine' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  const { title, content } = await shop.client.pages.get(id);
  assert.deepEqual({ title, content }, { title: 'Mine', content: '<p>New</p>' });
  await page.done();
});

test('a theme is made, its templates written and seen in a page, then it is used; the one in use cannot be deleted', async () => {
  const pageId = await makePage('Framed', '<p>Inside</p>');
  const page = await shop.open({ path: '/themes?new=true' });
  await page.getByRole('form', { name: 'New theme' }).getByLabel('Name').fill('Winter');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Winter', level: 1 }).waitFor();
  await page.getByText('There is no template yet.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /Winter/ }).click();
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByLabel('Path').fill('Not A Path');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.locator('.field.wrong', { hasText: 'must be the path of a template: lower-case letters' }).waitFor();
  await page.getByLabel('Path').fill('parts/menu');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('textbox', { name: 'parts/menu' }).fill('<nav>Menu of {{ shop.name }}</nav>');
  await page.frameLocator('iframe').getByText('Menu of').waitFor();
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const theme = (await shop.client.themes.list({ search: 'Winter' })).data[0];
  assert.ok(theme);
  assert.equal((await shop.client.themes.get_template(theme.id, 'parts/menu')).content, '<nav>Menu of {{ shop.name }}</nav>');
  await page.getByRole('button', { name: 'Use this theme' }).click();
  await page.getByText('In use').waitFor();
  await page.getByRole('button', { name: 'templates/page.framed', exact: true }).click();
  assert.equal((await shop.client.themes.get(theme.id)).active, true);
  assert.ok((await shop.client.pages.get(pageId)).content.length > 0);
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('The theme is active').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.done();
});

test('by keyboard alone: a theme is made, a template written, and the theme deleted', async () => {
  const page = await shop.open({ path: '/themes' });
  await page.getByRole('button', { name: 'New theme' }).first().waitFor();
  await page.keyboard.press('n');
  await page.getByRole('form', { name: 'New theme' }).waitFor();
  await page.keyboard.type('Typed');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Typed', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'New template' }).press('Enter');
  await page.getByLabel('Path').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Not A Path');
  await page.keyboard.press('Enter');
  await page.locator('.field.wrong', { hasText: 'must be the path of a template' }).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('parts/foot');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'parts/foot' }).focus();
  await page.keyboard.type('<p>Foot</p>');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  const theme = (await shop.client.themes.list({ search: 'Typed' })).data[0];
  assert.ok(theme);
  assert.equal((await shop.client.themes.get_template(theme.id, 'parts/foot')).content, '<p>Foot</p>');
  await page.getByRole('button', { name: 'Delete…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('heading', { name: 'Themes', level: 1 }).waitFor();
  assert.deepEqual((await shop.client.themes.list({ search: 'Typed' })).data, []);
  await page.done();
});

test(`axe-core finds nothing on pages and themes in light and dark colours, at 360 and at 2,560 pixels, with long names`, async () => {
  const { id } = await shop.client.pages.create({ slug: `long`, title: LONG });
  await shop.client.pages.replace_translations(id, { entries: [{ field: 'meta_title', locale: 'hu', value: LONG }] });
  const made = await shop.client.themes.create({ name: `${LONG}` });
  await shop.client.themes.save_template(made.id, 'parts/menu', { content: `<nav>${LONG}</nav>` });
  const page = await shop.open({ path: '/pages' });
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 1000 });
    for (const [name, path, ready] of [
      ['pages', '/pages', page.getByRole('row').nth(1)],
      ['page', `/pages/${id}`, page.frameLocator('iframe').getByText(LONG).first()],
      ['themes', '/themes', page.getByRole('row').nth(1)],
      ['theme', `/themes/${made.id}?template=parts/menu`, page.frameLocator('iframe').getByText(LONG)],
    ] as const) {
      await page.goto(`${shop.url}${path}`);
      await ready.waitFor();
      await shoot(page, `${name}-${width}`);
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await isTooWide(page), false, `${name} at ${width}`);
    }
  }
  await page.done();
});
