import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { png } from '../helpers/images.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

let pages = 0;
async function makePage(content: string, published = false): Promise<number> {
  pages += 1;
  const { id } = await shop.client.pages.create({ slug: `text-${pages}`, title: `Text ${pages}` });
  await shop.client.pages.update(id, { content, published });
  return id;
}

/** Saves what was edited. */
async function save(page: Page): Promise<void> {
  const status = page.getByRole('form', { name: 'Page' }).getByRole('status').last();
  await status.getByText('Edited').waitFor();
  await page.keyboard.press('Control+s');
  await status.getByText('Saved').waitFor();
}

const contentOf = async (id: number): Promise<string> => (await shop.client.pages.get(id)).content;

const RICH = `<!doctype html>
<html lang="{{ locale }}">
<head><title>{{ page.title | escape }}</title></head>
<body>
  <main class="story">
    <h1>{{ page.title | escape }}</h1>
    {% if page.published %}
    <p class="lead" id="top">We are a <b>small</b> shop in <a href="/delivery" rel="next">Ghent</a>, run by {{ shop.name }}.</p>
    {% endif %}
    <ul><li>Open on <em>weekdays</em></li><li>Closed on Sunday</li></ul>
    <table><thead><tr><th>Day</th><th>Hours</th></tr></thead><tbody><tr><td>Monday</td><td>9 to 5</td></tr></tbody></table>
    <svg width="1" height="1"><path d="M0 0{{ shop.name }}"/></svg>
    <script>console.log("</p>")</script>
    <!-- the end -->
  </main>
</body>
</html>
`;

test('a page is written as a text; what was not touched stays as it stood, and Liquid is a chip that can be moved and deleted', async () => {
  const id = await makePage(RICH);
  const page = await shop.open({ path: `/pages/${id}` });
  const text = page.getByRole('textbox', { name: 'Content' });
  await text.getByText('page.title | escape').waitFor();
  await shoot(page, 'page-text');
  await text.getByText('Closed on Sunday').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' & Monday');
  await page.frameLocator('iframe').getByText('Closed on Sunday & Monday').waitFor();
  await save(page);
  assert.equal(await contentOf(id), RICH.replace('Closed on Sunday', 'Closed on Sunday &amp; Monday'));
  await text.getByText('if page.published').click();
  await page.keyboard.press('Alt+ArrowDown');
  await save(page);
  const moved = await contentOf(id);
  assert.ok(moved.indexOf('{% if page.published %}') > moved.indexOf('class="lead"'));
  await text.getByText('if page.published').click();
  await page.keyboard.press('Delete');
  await save(page);
  assert.doesNotMatch(await contentOf(id), /if page\.published/);
  assert.match(await contentOf(id), /<p class="lead" id="top">We are a <b>small<\/b>.*\n\s*.*endif/);
  await page.done();
});

test('by keyboard alone: headings, marks, a list, a link to an own page, a table and Liquid are typed', async () => {
  const { slug } = await shop.client.pages.create({ slug: 'linked', title: 'Linked page' });
  const id = await makePage('<p>Start</p>');
  const page = await shop.open({ path: `/pages/${id}` });
  const text = page.getByRole('textbox', { name: 'Content' });
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Alt+2');
  await page.keyboard.type('Delivery');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Plain ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('bold');
  await page.keyboard.press('Control+b');
  await page.keyboard.type(' {{ shop.name }} <b>');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('word');
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('A page of the shop').fill('Linked');
  await page.locator('[role=option][data-active-item]', { hasText: 'Linked page' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog
    .getByLabel('Address')
    .and(page.locator(`[value="/${slug}"]`))
    .waitFor();
  await dialog.getByLabel('Address').press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await save(page);
  assert.equal(
    await contentOf(id),
    '<p>Start</p>\n<h2>Delivery</h2>\n<p>Plain <strong>bold</strong> {{ shop.name }} &lt;b&gt;</p>\n' +
      '<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>\n<p><a href="/linked">word</a></p>',
  );
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.done();
});

test('a new page is written at once, beneath its heading, and published from its head with what was typed', async () => {
  const page = await shop.open({ path: '/pages?new=true' });
  await page.getByRole('form', { name: 'New page' }).getByLabel('Title').fill('Our workshop');
  await page.getByRole('button', { name: 'Add' }).click();
  const text = page.getByRole('textbox', { name: 'Content' });
  await text.and(page.locator(':focus')).waitFor();
  await page.waitForURL((url) => url.search === '');
  await page.keyboard.type('We repair kettles.');
  await page.frameLocator('iframe').locator('p', { hasText: 'We repair kettles.' }).waitFor();
  await shoot(page, 'page-new');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Publish changes' }).and(page.locator(':disabled')).waitFor();
  const [made] = await shop.client.pages.list({ search: 'Our workshop' });
  assert.equal(made?.published, true);
  assert.match(await contentOf(made.id), /<h1>\{\{ page\.title \| escape \}\}<\/h1>\n\s*<p>We repair kettles\.<\/p>/);
  assert.equal(await page.getByRole('form', { name: 'Address and visibility' }).getByLabel('Published').isChecked(), true);
  await page.done();
});

test('a press beneath a text that ends with a heading or a table begins a paragraph', async () => {
  const id = await makePage('<main><p>Start</p>\n<h2>Hours</h2></main>');
  const page = await shop.open({ path: `/pages/${id}` });
  const text = page.getByRole('textbox', { name: 'Content' });
  await text.getByText('Hours').waitFor();
  const { height } = (await text.boundingBox()) ?? { height: 0 };
  await text.click({ position: { x: 60, y: height - 20 } });
  await page.keyboard.type('On Saturdays');
  await save(page);
  assert.match(await contentOf(id), /<h2>Hours<\/h2>\s*<p>On Saturdays<\/p>\s*<\/main>/);
  await page.done();
});

test('a source that would lose something is shown as it is, and says why; opening a page changes nothing', async () => {
  const source = '<p>One\n<div>{{ page.title }}</p>';
  const id = await makePage(source);
  const page = await shop.open({ path: `/pages/${id}` });
  await page.getByText('Line 2: <div> is never closed.').or(page.getByText('closes nothing')).waitFor();
  const field = page.getByRole('textbox', { name: 'Content' });
  assert.equal(await field.inputValue(), source);
  await field.fill('<p>One</p>');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.locator('.visual-text p', { hasText: 'One' }).waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('closes nothing').waitFor();
  assert.equal(await contentOf(id), source);
  await page.done();
});

test('what is pasted from Word and Google Docs is cleaned; scripts, styles and foreign images are left out', async () => {
  const id = await makePage('<p>Start</p>');
  const page = await shop.open({ path: `/pages/${id}` });
  const text = page.getByRole('textbox', { name: 'Content' });
  const paste = async (html: string): Promise<void> => {
    await text.press('Control+End');
    await page.evaluate(
      `(() => { const data = new DataTransfer(); data.setData('text/html', ${JSON.stringify(html)}); data.setData('text/plain', 'plain');
        document.querySelector('.visual-text').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); })()`,
    );
  };
  await paste(WORD);
  await text.getByText('Second level').waitFor();
  await text.press('Enter');
  await text.press('Enter');
  await text.press('Enter');
  await text.press('Enter');
  await paste(DOCS);
  await text.getByText('Signed').waitFor();
  await save(page);
  const saved = await contentOf(id);
  assert.doesNotMatch(saved, /mso|style=|class=|script|example\.com\/pixel|docs-internal|<span|<o:p/);
  assert.match(saved, /<h1>Offer<\/h1>/);
  assert.match(saved, /<ul>\s*<li>\s*<p>First point<\/p>|<ul>\s*<li>First point/);
  assert.match(saved, /<strong>Bold<\/strong> and <em>slanted<\/em>/);
  assert.match(saved, /<a href="https:\/\/example\.com\/terms">Terms<\/a>/);
  assert.match(saved, /<td>Price<\/td>/);
  await page.done();
});

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0} --></style></head><body lang=DE>
<!--StartFragment--><h1 style='mso-outline-level:1'>Offer<o:p></o:p></h1>
<p class=MsoNormal>A <b style='mso-bidi-font-weight:normal'><span lang=EN-US>line</span></b><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span
style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>First point<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='margin-left:72.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o&nbsp;</span><![endif]>Second level</p>
<!--EndFragment--></body></html>`;
const DOCS = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700">Bold</span><span> and </span>
<span style="font-style:italic">slanted</span> <a href="https://example.com/terms" style="color:red"><span>Terms</span></a> <a href="javascript:alert(1)">no</a></p>
<table><tbody><tr><td><p>Price</p></td><td><p>9</p></td></tr></tbody></table><script>alert(1)</script><img src="https://example.com/pixel.png"><p>Signed</p></b>`;

test('an image is chosen from the library, or pasted as a file; it is uploaded and shown', async () => {
  await shop.client.media.list();
  await shop.upload('/media', { name: 'shelf.png', content: Uint8Array.from(png(40, 20)), type: 'image/png' }, { alt: 'A shelf' });
  const id = await makePage('<p>Start</p>');
  const page = await shop.open({ path: `/pages/${id}` });
  const text = page.getByRole('textbox', { name: 'Content' });
  await text.press('Control+End');
  await page.getByRole('button', { name: 'Image', exact: true }).click();
  await page.getByRole('dialog').getByLabel('From the library').fill('shelf');
  await page.getByRole('option', { name: 'shelf.png' }).click();
  await text.getByAltText('A shelf').waitFor();
  await page.evaluate(
    `(() => { const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(${JSON.stringify([...png(8, 8)])})], 'pasted.png', { type: 'image/png' }));
      document.querySelector('.visual-text').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); })()`,
  );
  await text.locator('.page-image').nth(1).waitFor({ state: 'attached' });
  await save(page);
  assert.match(await contentOf(id), /<p>Start<img src="\/media\/\S+" alt="A shelf"><img src="\/media\/\S+" alt=""><\/p>/);
  assert.equal((await shop.client.media.list({ search: 'pasted.png' })).data.length, 1);
  await page.done();
});

test('a live page is changed as a draft, which the shop does not show before it is published; a draft is discarded', async () => {
  const id = await makePage('<p>Live words</p>', true);
  const page = await shop.open({ path: `/pages/${id}` });
  const text = page.getByRole('textbox', { name: 'Content' });
  await text.press('Control+End');
  await page.keyboard.type(' changed');
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Discard draft…' }).waitFor();
  assert.equal(await contentOf(id), '<p>Live words</p>');
  await page.frameLocator('iframe').getByText('Live words changed').waitFor();
  await shoot(page, 'page-draft');
  await page.getByRole('link', { name: 'All pages' }).click();
  await page.getByRole('row', { name: /Draft changes/ }).click();
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByRole('button', { name: 'Discard draft…' }).waitFor({ state: 'detached' });
  assert.equal(await contentOf(id), '<p>Live words changed</p>');
  await text.press('Control+End');
  await page.keyboard.type(' at once');
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal(await contentOf(id), '<p>Live words changed at once</p>');
  await text.press('Control+End');
  await page.keyboard.type(' and not');
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Discard draft…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Discard draft…' }).waitFor({ state: 'detached' });
  await text.getByText('Live words changed at once', { exact: true }).waitFor();
  assert.equal((await shop.client.pages.get_draft(id)).draft_updated_at, null);
  await page.done();
});

test('the preview has the width of a phone, a tablet and a desk, beside the text or alone', async () => {
  const id = await makePage(
    `<style>p { display: none }</style>${[390, 768, 1280].map((width) => `<style>@media (width: ${width}px) { .w${width} { display: block } }</style><p class="w${width}">${width} pixels</p>`).join('')}`,
  );
  const page = await shop.open({ path: `/pages/${id}` });
  const frame = page.frameLocator('iframe');
  for (const [name, width] of [
    ['Phone', 390],
    ['Tablet', 768],
    ['Desk', 1280],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click();
    await frame.getByText(`${width} pixels`).waitFor();
    assert.equal(await isTooWide(page), false);
  }
  await shoot(page, 'page-desk');
  await page.getByRole('button', { name: 'Preview alone' }).click();
  await page.getByRole('textbox', { name: 'Content' }).waitFor({ state: 'hidden' });
  await shoot(page, 'page-alone');
  await page.done();
});

test('axe-core finds nothing in the text of a page, with a table and its toolbar, in both themes, at 390 and 1440 pixels', async () => {
  const id = await makePage(RICH, true);
  const page = await shop.open({ path: `/pages/${id}` });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('textbox', { name: 'Content' }).getByText('Monday').click();
    await page.getByRole('button', { name: 'Add a row' }).waitFor();
    await shoot(page, `page-editor-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false);
  }
  await page.done();
});
