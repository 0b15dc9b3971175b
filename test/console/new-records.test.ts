import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { makeCustomer, makeProduct } from '../helpers/builders.ts';
import { picture } from '../helpers/images.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

/** The field has the focus, so that one types at once. */
const focused = (page: Page, field: Locator): Promise<void> => field.and(page.locator(':focus')).waitFor();

test('a sheet of something new takes the focus to its first field, whatever is made', async () => {
  const page = await shop.open({ path: '/library/vouchers' });
  for (const [area, path] of [
    ['voucher', 'vouchers'],
    ['discount group', 'discount-groups'],
    ['tax rate', 'tax-rates'],
    ['pickup location', 'pickup-locations'],
    ['shipping method', 'shipping-methods'],
    ['order status', 'order-statuses'],
    ['secret', 'secrets'],
    ['variable', 'variables'],
    ['image', 'media'],
    ['file', 'files'],
  ] as const) {
    await page.goto(`${shop.url}/library/${path}`);
    await page
      .getByRole('button', { name: `New ${area}` })
      .first()
      .click();
    const sheet = page.getByRole('complementary', { name: `New ${area}` });
    await focused(page, sheet.locator('input, textarea, select').first());
  }
  await page.done();
});

test('three variants of a product are typed one after the other, by keyboard alone', async () => {
  const product = await makeProduct(shop, { name: 'Apron' });
  const page = await shop.open({ path: `/products/${product.id}`, width: 1440 });
  await page.getByRole('button', { name: 'New variant' }).click();
  const sheet = page.getByRole('complementary', { name: 'New variant' });
  for (const [label, price, stock] of [
    ['Small', '29.90', '12'],
    ['Medium', '31.90', '20'],
  ] as const) {
    await focused(page, sheet.getByLabel('Label'));
    await page.keyboard.type(label);
    await page.keyboard.press('Tab');
    await page.keyboard.type(`APRON-${label}`);
    await page.keyboard.press('Tab');
    await page.keyboard.type(price);
    for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.type(stock);
    await sheet.getByRole('button', { name: 'Add and another' }).press('Enter');
    await page.getByRole('row', { name: new RegExp(label) }).waitFor();
  }
  await focused(page, sheet.getByLabel('Label'));
  await sheet.getByText('2 added').waitFor();
  await shoot(page, 'product-variants');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.type('Large');
  await sheet.getByRole('button', { name: 'Add and another' }).click();
  await focused(page, sheet.getByLabel('SKU'));
  await page.keyboard.type('APRON-L');
  await sheet.getByLabel('Price', { exact: true }).fill('33.90');
  await page.keyboard.press('Control+s');
  await sheet.waitFor({ state: 'detached' });
  const stored = await shop.client.products.list_variants(product.id);
  assert.deepEqual(
    stored.map(({ label, price_cents, stock, weight_grams }) => [label, price_cents, stock, weight_grams]),
    [
      ['Small', 2990, 12, 0],
      ['Medium', 3190, 20, 0],
      ['Large', 3390, 0, 0],
    ],
  );
  await page.done();
});

test('several images of a product are chosen at once and uploaded without a further act', async () => {
  const product = await makeProduct(shop, { name: 'Pictured' });
  const page = await shop.open({ path: `/products/${product.id}` });
  const file = (name: string) => ({ name, mimeType: 'image/png', buffer: picture(40, 30, [180, 60, 40]) });
  await page.getByLabel('New images').setInputFiles([file('front.png'), file('back.png')]);
  await page.getByRole('listitem').filter({ hasText: 'front.png' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'back.png' }).waitFor();
  await shoot(page, 'product-images');
  await page.getByLabel('New images').setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await page.getByRole('alert').waitFor();
  assert.equal((await shop.client.products.get(product.id)).media_ids.length, 2);
  await page.done();
});

test('what sends a form that is longer than the window stays in sight', async () => {
  const page = await shop.open({ path: '/settings/people?new=true', width: 1440, height: 700 });
  const invite = page.getByRole('complementary', { name: 'Invite a person' }).getByRole('button', { name: 'Invite' });
  for (const [width, height] of [
    [1440, 700],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await invite.waitFor();
    const { y = height, height: tall = 0 } = (await invite.boundingBox()) ?? {};
    assert.ok(y + tall <= height, `the act is at ${y} of ${height}`);
    assert.equal(await isTooWide(page), false);
    await shoot(page, `invite-${width}`);
  }
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.done();
});

test('a form that was opened for one act has one way out, and shows whom it is about', async () => {
  const { id } = await shop.client.access_groups.create({ slug: 'workshop', name: 'Workshop' });
  await makeCustomer(shop, { name: 'Greta Holm' });
  const page = await shop.open({ path: `/access-groups/${id}` });
  await page.getByRole('button', { name: 'Give access…' }).click();
  const grant = page.getByRole('form', { name: 'Give access…' });
  await focused(page, grant.getByLabel('Customer', { exact: true }));
  await page.keyboard.type('Greta');
  await page.getByRole('option', { name: /Greta Holm/ }).waitFor();
  await page.keyboard.press('Enter');
  await grant.getByRole('button', { name: /Greta Holm/ }).click();
  await grant.getByRole('button', { name: /Greta Holm/ }).waitFor({ state: 'detached' });
  await grant.getByLabel('Note').fill('by phone');
  assert.deepEqual((await grant.locator('.form-acts').getByRole('button').allTextContents()).slice(1), ['Discard']);
  await grant.getByRole('button', { name: 'Discard' }).click();
  await grant.waitFor({ state: 'detached' });
  await page.done();
});
