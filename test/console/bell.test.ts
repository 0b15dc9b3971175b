import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeProduct } from '../helpers/builders.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

type Sender = Awaited<ReturnType<Console['admin']>>['client'];
const tell = (client: Sender, title: string, more: object = {}) => client.notifications.create({ title, body: `About ${title}.`, ...more });

test('the bell counts what is new, live; what is seen in its panel is read at once, what is below is not', async () => {
  const { client } = await shop.admin('Teller');
  const { token, client: reader } = await shop.admin('Reader');
  await reader.notifications.mark_all_read();
  for (let n = 1; n <= 15; n++) await tell(client, `News ${n}`, n === 15 ? { link: '/orders?status=pending', severity: 'warning' } : {});
  const page = await shop.open({ token });
  const bell = page.getByRole('button', { name: '15 new notifications' });
  await bell.waitFor();
  await tell(client, 'News 16');
  await page.getByRole('button', { name: '16 new notifications' }).click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await panel.getByRole('link', { name: 'News 15' }).waitFor();
  await page.waitForFunction(`/^[1-9] new notification/.test(document.querySelector('.bell').title)`);
  const { unread_count: below, notifications } = await reader.notifications.list();
  assert.ok(below > 0 && below < 16, String(below));
  assert.deepEqual(
    notifications.slice(0, 16).map(({ read }) => read),
    Array.from({ length: 16 }, (_, at) => at < 16 - below),
    'the newest are read, those below are not',
  );
  assert.equal(await panel.locator('.told.new').count(), 16, 'what was new still looks so while the panel is open');
  for (let n = below; n >= 1; n--) {
    await panel.getByText(`News ${n}`, { exact: true }).scrollIntoViewIfNeeded();
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
  }
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  await panel.getByRole('link', { name: 'News 15' }).click();
  await page.waitForURL(/\/orders\?status=pending/);
  await panel.waitFor({ state: 'detached' });
  assert.equal((await reader.notifications.list()).unread_count, 0);
  await page.done();
});

test('by keyboard alone: B opens and closes the panel, the keys of the page rest meanwhile, and all are marked at once', async () => {
  const { client } = await shop.admin('Sender');
  const { token, client: reader } = await shop.admin('Typist');
  await reader.notifications.mark_all_read();
  for (let n = 1; n <= 22; n++) await tell(client, `Note ${n}`);
  const page = await shop.open({ token, path: '/orders', height: 700 });
  await page.getByRole('table').waitFor();
  await page.getByRole('button', { name: '22 new notifications' }).waitFor();
  await page.keyboard.press('b');
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await panel.getByText('Note 22', { exact: true }).waitFor();
  await page.keyboard.press('n');
  await page.keyboard.press('j');
  assert.match(page.url(), /\/orders$/);
  await panel.getByRole('button', { name: 'Mark all as read' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  await page.keyboard.press('b');
  await panel.waitFor({ state: 'detached' });
  await page.keyboard.press('b');
  await panel.waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.locator('.bell:focus').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('The newest notifications; close them').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await panel.getByRole('link', { name: 'All notifications' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/activity\/notifications/);
  assert.equal((await reader.notifications.list()).unread_count, 0);
  await page.done();
});

test('a notification of low stock leads to its product', async () => {
  const product = await makeProduct(shop, { name: 'Oolong', low_stock_threshold: 5 });
  const variant = await shop.client.products.create_variant(product.id, { sku: 'OOLONG', price_cents: 100, stock: 9, track_stock: true });
  await shop.client.products.change_stock(variant.id, { delta: -7, reason: 'counted' });
  const page = await shop.open();
  await page.locator('.bell').click();
  await page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: /low/i }).first().click();
  await page.waitForURL(new RegExp(`/products/${product.id}$`));
  await page.done();
});

test('axe-core finds nothing in the panel in light and dark colours, at 360 and 2,560 pixels', async () => {
  for (const width of [360, 2560]) {
    const page = await shop.open({ width });
    await page.locator('.bell').click();
    await page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem').first().waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false);
    await shoot(page, `bell-${width}`);
    await page.done();
  }
});
