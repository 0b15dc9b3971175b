import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

const SOURCE = `export default async function main() {
  // await admin.orders.update_status(0, { status: 'shipped' });
  const { data } = await admin.orders.list({ status: 'pending', per_page: 3 });
  for (const { id } of data) {
    await admin.orders.update_status(id, { status: 'cancelled' });
  }
}
`;

let shop: Console;
let taskId: number;
before(async () => {
  shop = await openConsole({ orders: 30, runner: true });
  const permissions = ['admin_api.orders.write'] as const;
  const made = await shop.client.ai_tasks.create({
    ...{ name: 'Cancel unpaid', description: '', source_code: SOURCE },
    ...{ permissions: [...permissions], parameters: [{ name: 'days', kind: 'number', default: 7 }] },
  });
  taskId = made.task_id;
});
after(() => shop.close());

async function openEditor(options: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
  const page = await shop.open({ path: `/tasks/${taskId}/editor`, ...options });
  await page.locator('.cm-content').waitFor();
  return page;
}

const tab = (page: OpenPage, name: string) => page.getByRole('navigation', { name: 'Beside the source' }).getByRole('button', { name });
const isInWindow = (page: OpenPage, selector: string): Promise<boolean> =>
  page.evaluate(`(() => {
    const { top, bottom, height } = document.querySelector('${selector}').getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= innerHeight;
  })()`);

test('the plan of a dry run opens beside the source, in sight at 1440 × 900, and leads to the line that made a change', async () => {
  const page = await openEditor({ width: 1440, height: 900 });
  await page.keyboard.press('Control+Enter');
  const plan = page.getByRole('region', { name: 'Dry run' });
  await plan.getByText(/It would make \d+ change/).waitFor();
  assert.equal(await tab(page, 'Plan').getAttribute('aria-current'), 'page');
  assert.deepEqual([await isInWindow(page, '.plan-head'), await isInWindow(page, '.plan-groups')], [true, true]);
  assert.equal(await page.evaluate('document.scrollingElement.scrollTop'), 0);
  const [source, dock] = await Promise.all(['.editor-host', '.dock'].map((part) => page.locator(part).boundingBox()));
  assert.ok(source && dock && dock.x > source.x + source.width && dock.y === source.y, 'the plan is at the right of the source');
  // The comment names the call, too, but nothing runs of it.
  assert.deepEqual(await plan.getByRole('button', { name: /^line/ }).allTextContents(), ['line 5']);
  await plan.getByRole('button', { name: 'line 5' }).click();
  await page.keyboard.insertText('/* here */');
  await page.locator('.cm-line', { hasText: '/* here */    await admin.orders.update_status(id' }).waitFor();
  await shoot(page, 'editor-beside');
  await page.done();
});

test('the width beside the source is drawn, moved by keys, and kept in this browser; the address keeps what is open', async () => {
  const page = await openEditor({ width: 1440, height: 900 });
  const edge = page.getByRole('separator', { name: 'Width beside the source' });
  const widthOf = async (): Promise<number> => Math.round((await page.locator('.dock').boundingBox())?.width ?? 0);
  const usual = await widthOf();
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await widthOf(), usual + 32);
  const box = await edge.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 100, box.y + 140, { steps: 4 });
  await page.mouse.up();
  assert.equal(await widthOf(), usual + 132);
  assert.equal(await edge.getAttribute('aria-valuenow'), String(usual + 132));
  await tab(page, 'Parameters').click();
  await page.waitForURL(/beside=parameters/);
  await page.reload();
  await page.locator('.cm-content').waitFor();
  assert.deepEqual([await widthOf(), await tab(page, 'Parameters').getAttribute('aria-current')], [usual + 132, 'page']);
  await edge.dblclick();
  assert.equal(await widthOf(), usual);
  await page.done();
});

test('the reference is opened by key, searched, and Enter inserts the call at the cursor, with the offer to declare what it needs', async () => {
  const page = await openEditor({ width: 1440, height: 900 });
  await page.locator('.cm-line', { hasText: 'update_status(id' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+e');
  const search = page.getByRole('combobox', { name: /Search calls/ });
  await search.waitFor();
  assert.ok(await search.evaluate((field) => field === field.ownerDocument.activeElement));
  await page.keyboard.insertText('note customer create');
  const first = page.getByRole('option').first();
  await first.getByText('admin.customers.create_note').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  const entry = page.getByRole('region', { name: 'admin.customers.create_note' });
  await entry.getByText('needs “Change customers” not declared yet').waitFor();
  await entry.getByText('create_note(id: number, body: ').waitFor();
  await shoot(page, 'editor-reference');
  await page.keyboard.press('Enter');
  const lines = await page.locator('.cm-line').allTextContents();
  assert.equal(
    lines[lines.findIndex((line) => line.includes('update_status(id')) + 1],
    "    await admin.customers.create_note(1, { body: '…' });",
  );
  await page.locator('.lock-note').getByText('needs “Change customers”').waitFor();
  // The cursor is behind what was inserted.
  await page.keyboard.insertText(' // noted');
  await page.locator('.cm-line', { hasText: "create_note(1, { body: '…' }); // noted" }).waitFor();
  await page.keyboard.press('Control+e');
  await search.fill('llm');
  await page.getByRole('region', { name: 'llm.complete' }).getByText("Asks the shop's language model").waitFor();
  await search.fill('no such thing');
  await page.getByText('Nothing has these words.').waitFor();
  await page.done();
});

test('an example is looked at beside the source, and replaces the draft with all that it declares; edited work is asked about', async () => {
  const page = await openEditor({ width: 1440, height: 900 });
  await tab(page, 'Examples').click();
  await page.getByRole('searchbox', { name: 'Search examples' }).fill('unpaid');
  await page.getByRole('button', { name: 'Cancel unpaid orders' }).click();
  await page.getByRole('heading', { name: 'Cancel unpaid orders' }).waitFor();
  await page.getByRole('button', { name: 'Replace the draft' }).click();
  await page.locator('.cm-line', { hasText: 'DAY_MS = 86_400_000' }).waitFor();
  await page.getByText('Edited, kept in this browser').waitFor();
  await page.getByRole('button', { name: 'Replace the draft' }).click();
  await page.getByRole('dialog').getByText('The source comes back with undo.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await tab(page, 'Parameters').click();
  await page.getByText('max', { exact: true }).first().waitFor();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+z');
  await page.locator('.cm-line', { hasText: 'update_status(id' }).waitFor();
  await page.done();
});

test('axe-core finds nothing on any tab, and each fits, at 2,560, 1,100 and 390 pixels', async () => {
  for (const width of [2560, 1100, 390]) {
    for (const beside of ['plan', 'parameters', 'reference', 'examples']) {
      const page = await openEditor({ path: `/tasks/${taskId}/editor?beside=${beside}`, width });
      if (beside === 'reference') await page.getByRole('option').first().waitFor();
      if (beside === 'examples') await page.locator('.shelf').waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], `${beside} ${width}`);
      assert.equal(await isTooWide(page), false, `${beside} ${width}`);
      await shoot(page, `editor-${beside}-${width}`);
      await page.done();
    }
  }
});
