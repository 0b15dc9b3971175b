import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole();
});
after(() => shop.close());

async function openList(options: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
  const page = await shop.open({ path: '/orders', width: 1440, ...options });
  await page.getByRole('row').nth(9).waitFor();
  return page;
}

const box = (page: OpenPage, row: number) => page.getByRole('checkbox').nth(row);
const ticked = (page: OpenPage) => page.locator('tbody input:checked').count();
const background = (page: OpenPage, row: number) =>
  page
    .getByRole('row')
    .nth(row)
    .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor);

test('no row moves when one is selected or taken out, so a second click at the same place is of the same row', async () => {
  for (const width of [1440, 390]) {
    const page = await openList({ width });
    const row = page.getByRole('row').nth(3);
    const at = await row.boundingBox();
    const tick = await box(page, 3).boundingBox();
    assert.ok(at && tick);
    await page.mouse.click(tick.x + 8, tick.y + 8);
    await page.getByText('1 selected').waitFor();
    assert.deepEqual(await row.boundingBox(), at);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false);
    await shoot(page, `list-selection-${width}`);
    await page.mouse.click(tick.x + 8, tick.y + 8);
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    assert.deepEqual(await row.boundingBox(), at);
    // At the end of the list, too, and there the bar covers no row.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const last = page.locator('tbody tr').last();
    const end = await last.boundingBox();
    await last.getByRole('checkbox').check();
    const bar = await page.getByRole('region', { name: '1 selected' }).boundingBox();
    assert.ok(end && bar);
    assert.ok(end.y + end.height <= bar.y, `the last row ends at ${end.y + end.height}, the bar begins at ${bar.y}`);
    await last.getByRole('checkbox').uncheck();
    assert.deepEqual(await last.boundingBox(), end);
    assert.doesNotMatch(page.url(), /open=/);
    await page.done();
  }
});

test('a click with Shift selects all rows from the last one, and takes them out as well', async () => {
  const page = await openList();
  await box(page, 2).click();
  await box(page, 6).click({ modifiers: ['Shift'] });
  await page.getByText('5 selected').waitFor();
  await page
    .getByRole('row')
    .nth(8)
    .click({ modifiers: ['Shift'] });
  await page.getByText('7 selected').waitFor();
  assert.equal(await ticked(page), 7);
  await box(page, 4).click();
  await box(page, 2).click({ modifiers: ['Shift'] });
  await page.getByText('4 selected').waitFor();
  assert.equal(await ticked(page), 4);
  assert.doesNotMatch(page.url(), /open=/);
  await page.done();
});

test('an open row, a selected one and one that is both look different', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const page = await openList({ theme });
    await page.getByRole('row').nth(2).click();
    await page.getByRole('table', { name: 'Totals' }).waitFor();
    await box(page, 4).check();
    await page.mouse.move(0, 0);
    const [open, selected, plain] = [await background(page, 2), await background(page, 4), await background(page, 6)];
    assert.equal(new Set([open, selected, plain]).size, 3, `${theme}: ${open}, ${selected}, ${plain}`);
    await shoot(page, `list-open-and-selected-${theme}`);
    await page.done();
  }
});

test('J, K and X act from anywhere in the page, and are letters in a field', async () => {
  const page = await openList();
  const focused = () => page.locator('tbody tr:focus').getAttribute('data-id');
  const idAt = (row: number) => page.getByRole('row').nth(row).getAttribute('data-id');
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('j');
  assert.equal(await focused(), await idAt(1));
  await page.keyboard.press('j');
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  assert.equal(await box(page, 2).isChecked(), true);
  await page.getByRole('button', { name: 'Set status' }).focus();
  await page.keyboard.press('k');
  assert.equal(await focused(), await idAt(1));
  await page.getByRole('row').nth(5).click();
  await page.getByRole('complementary').getByRole('button', { name: 'Timeline' }).click();
  await page.keyboard.press('j');
  assert.equal(await focused(), await idAt(6));
  await page.getByPlaceholder('Name, email or #number').focus();
  await page.keyboard.type('xjk');
  assert.equal(await page.getByPlaceholder('Name, email or #number').inputValue(), 'xjk');
  assert.equal(await page.getByText('1 selected').count(), 1);
  await page.done();
});
