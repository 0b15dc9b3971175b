import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder } from '../helpers/builders.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: null });
});
after(() => shop.close());

const step = (page: OpenPage, name: string) => page.locator('.first-steps li').filter({ has: page.getByText(name, { exact: true }) });
const names = ['Name and currency', 'First product', 'Parcels', 'Mail', 'A second person', 'First task'];

/** Leads to where a step is done, does it there by `work`, and comes back to a list on which it is ticked. */
async function take(page: OpenPage, name: string, act: string, work: () => Promise<void>): Promise<void> {
  await step(page, name).getByRole('link', { name: act }).click();
  await work();
  await page.getByRole('link', { name: 'Overview' }).click();
}

test('the overview of an empty shop is a list of first steps; each is ticked once it is done, and with the last one the list is gone', async () => {
  const page = await shop.open({ width: 1440 });
  await page.getByText('0 of 6 done').waitFor();
  assert.deepEqual(await page.locator('.first-steps .status').allTextContents(), names);
  for (const none of ['.figures', '.trend', '.overview-cards', '.periods', '.needs'])
    assert.equal(await page.locator(none).count(), 0, none);
  await shoot(page, 'first-steps');
  assert.deepEqual(await accessibilityFaults(page), []);

  await take(page, 'Name and currency', 'Name the shop', async () => {
    await page.locator('[data-pointer="/shop_name"]:focus').fill('Kiln & Clay');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved').waitFor();
  });
  await step(page, 'Name and currency').getByText('Done').waitFor();
  await take(page, 'First product', 'New product', async () => {
    await page.getByRole('complementary').getByLabel('Name').fill('Bowl');
    await page.keyboard.press('ControlOrMeta+s');
    await page.waitForURL(/\/products\/\d+/);
  });
  await step(page, 'First product').getByText('Done').waitFor();
  await take(page, 'Parcels', 'Set the sender', async () => {
    await page.locator('[data-pointer="/courier/hasSender"]:focus').check();
    const sender = page.getByRole('group', { name: 'Sender' });
    for (const [label, value] of [
      ['Name', 'Kiln & Clay'],
      ['Street', 'Hauptplatz 1'],
      ['Postal code', '1010'],
      ['City', 'Wien'],
    ] as const)
      await sender.getByLabel(label, { exact: true }).fill(value);
    await sender.getByLabel('Country').fill('Austria');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved').waitFor();
  });
  await step(page, 'Parcels').getByText('Done').waitFor();
  await page.getByText('3 of 6 done').waitFor();
  await shoot(page, 'first-steps-half');
  await take(page, 'Mail', 'Set up mail', async () => {
    await page.locator('[data-pointer="/smtp/isOn"]:focus').check();
    await page.getByLabel('Mail server').fill('smtp.example.org');
    await page.getByLabel('From', { exact: true }).fill('shop@example.org');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved').waitFor();
  });
  await step(page, 'Mail').getByText('Done').waitFor();
  await take(page, 'A second person', 'Invite a person', async () => {
    await page.getByRole('complementary').getByLabel('Email').fill('eszter@example.org');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByRole('button', { name: 'Done' }).click();
  });
  await step(page, 'A second person').getByText('Done').waitFor();
  await take(page, 'First task', 'See the examples', async () => {
    await page.getByRole('link', { name: 'Low-stock report' }).click();
    await page.getByRole('button', { name: /^Start from this/ }).click();
    await page.waitForURL(/\/tasks\/\d+/);
  });
  await page.getByText('Revenue by day').waitFor();
  assert.equal(await page.locator('.first-steps').count(), 0);
  await page.done();
});

test('who hides the list sees the usual overview from then on; it can be had back at once, and stays with everybody else', async () => {
  await shop.client.settings.update({ smtp: null });
  const { token } = await shop.admin('Hider');
  const page = await shop.open({ token });
  await step(page, 'Mail').getByRole('link', { name: 'Set up mail' }).waitFor();
  const hide = page.getByRole('button', { name: 'Hide the list' });
  await hide.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Revenue by day').waitFor();
  await page.getByRole('heading', { name: 'Today' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('u');
  await page.getByText('The first steps are shown again.').waitFor();
  await hide.click();
  await page.getByText('Revenue by day').waitFor();
  await page.reload();
  await page.getByText('Revenue by day').waitFor();
  assert.equal(await page.locator('.first-steps').count(), 0);
  await page.done();
  const other = await shop.open();
  await step(other, 'Mail').waitFor();
  await other.done();
});

test('an admin is shown what they may do alone; beside the first orders the list stands above their figures', async () => {
  const { token } = await shop.admin('Maker', ['admin_api.dashboard.read', 'admin_api.products.write', 'admin_api.settings.write']);
  await shop.client.settings.update({ courier: { sender: null } });
  const page = await shop.open({ token });
  await page.getByText('2 of 3 done').waitFor();
  assert.deepEqual(await page.locator('.first-steps .status').allTextContents(), names.slice(0, 3));
  await makeOrder(shop);
  await page.getByText('Newest orders').waitFor();
  await page.getByText('2 of 3 done').waitFor();
  assert.deepEqual(await page.locator('.first-steps .status').allTextContents(), ['Parcels']);
  await page.getByRole('button', { name: '90 days' }).waitFor();
  await shoot(page, 'first-steps-orders');
  await page.done();
});

test('a shop that has sold for a while has no first steps', async () => {
  const grown = await openConsole({ orders: 20 });
  const page = await grown.open();
  await page.getByText('Revenue by day').waitFor();
  assert.equal(await page.locator('.first-steps').count(), 0);
  await page.done();
  await grown.close();
});

for (const width of [360, 390, 1440]) {
  test(`at ${width} pixels the list is whole, in both colours and in the longest language`, async () => {
    const { token, client } = await shop.admin(`Reader${width === 360 ? 'a' : width === 390 ? 'b' : 'c'}`);
    await client.me.update({ console: { language: 'fr' } });
    const page = await shop.open({ token, width, height: width < 1000 ? 844 : 900 });
    await page.getByText('Premiers pas').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false);
    await shoot(page, `first-steps-fr-${width}`);
    await page.done();
  });
}
