import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder, makeOrderStatus, makeProduct } from '../helpers/builders.ts';
import { picture } from '../helpers/images.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

const LONG = 'Rindfleischetikettierungsüberwachungsaufgabenübertragung megszentségteleníthetetlenségeskedéseitekért';

test('by keyboard alone: a voucher is made, found, changed and deleted', async () => {
  const page = await shop.open({ path: '/library/vouchers' });
  await page.getByRole('heading', { name: 'Vouchers', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'New voucher' }).first().waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('form', { name: 'New voucher' });
  await form.getByLabel('Code').focus();
  await page.keyboard.type('ZEBRA26');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12.5');
  await page.keyboard.press('Control+s');
  const sheet = page.getByRole('complementary', { name: 'ZEBRA26' });
  await sheet.waitFor();
  const [voucher] = (await shop.client.vouchers.list({ search: 'ZEBRA26' })).data;
  assert.deepEqual({ kind: voucher?.kind, percent: voucher?.percent_bps }, { kind: 'percent', percent: 1250 });
  await sheet.getByLabel('Kind').selectOption('fixed');
  await sheet.getByLabel('Amount').fill('7.50');
  await sheet.getByLabel('Valid until').fill('2030-01-31T10:30');
  await page.keyboard.press('Control+s');
  await sheet.getByText('Saved').waitFor();
  const changed = await shop.client.vouchers.get(voucher?.id ?? 0);
  assert.deepEqual([changed.kind, changed.amount_cents, changed.percent_bps], ['fixed', 750, null]);
  const { timezone } = await shop.client.settings.get();
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  assert.equal(shown.format(new Date(changed.valid_to ?? '')), '2030-01-31 10:30');
  await page.getByRole('row', { name: /ZEBRA26/ }).focus();
  await page.keyboard.press('/');
  await page.keyboard.type('zebra');
  await page.getByText('1 voucher', { exact: true }).waitFor();
  await sheet.getByRole('button', { name: 'Delete: ZEBRA26' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('Nothing matches.').waitFor();
  assert.equal((await shop.client.vouchers.list({ search: 'ZEBRA26' })).total, 0);
  await page.done();
});

test('each kind is listed, made by its form, and opened', async () => {
  const kinds = [
    { path: 'discount-groups', create: 'New discount group', name: 'Resellers', fill: [['Discount', '7']] },
    { path: 'pickup-locations', create: 'New pickup location', name: 'Depot', fill: [['City', 'Wien']] },
    {
      path: 'shipping-methods',
      create: 'New shipping method',
      name: 'Cargo bike',
      fill: [
        ['Price', '4.90'],
        ['Countries', 'at'],
        ['Countries', 'de'],
      ],
    },
    { path: 'order-statuses', create: 'New order status', name: 'Engraving', fill: [] },
    {
      path: 'tax-rates',
      create: 'New tax rate',
      name: 'Books',
      fill: [
        ['Rate', '5'],
        ['Only for goods to', 'at'],
      ],
    },
  ] as const;
  const page = await shop.open();
  for (const { path, create, name, fill } of kinds) {
    await page.goto(`${shop.url}/library/${path}`);
    await page.getByRole('button', { name: create }).first().click();
    const form = page.getByRole('form', { name: create });
    await form.getByLabel('Name', { exact: true }).fill(name);
    for (const [label, value] of fill) {
      await form.getByLabel(label, { exact: true }).fill(value);
      await page.keyboard.press('Tab');
    }
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('complementary', { name }).waitFor();
    await page.getByRole('row', { name: new RegExp(name) }).waitFor();
    assert.match(page.url(), /open=\d+/);
  }
  const [method] = (await shop.client.shipping_methods.list({ search: 'Cargo bike' })).data;
  assert.deepEqual({ price: method?.price_cents, countries: method?.countries }, { price: 490, countries: ['AT', 'DE'] });
  const [rate] = (await shop.client.tax_rates.list({ search: 'Books' })).data;
  assert.deepEqual({ rate: rate?.rate_bps, country: rate?.country }, { rate: 500, country: 'AT' });
  await page.done();
});

test('a voucher whose code is taken is refused at its field; a country that there is not at the list', async () => {
  await shop.client.vouchers.create({ code: 'TAKEN', kind: 'free_shipping' });
  const page = await shop.open({ path: '/library/vouchers?new=true' });
  const form = page.getByRole('form', { name: 'New voucher' });
  await form.getByLabel('Code').fill('TAKEN');
  await form.getByLabel('Kind').selectOption('free_shipping');
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByLabel('Code').and(page.locator(':focus')).waitFor();
  assert.equal(await form.getByLabel('Code').getAttribute('aria-invalid'), 'true');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.goto(`${shop.url}/library/shipping-methods?new=true`);
  const method = page.getByRole('form', { name: 'New shipping method' });
  await method.getByLabel('Name', { exact: true }).fill('Ship');
  await method.getByLabel('Countries', { exact: true }).fill('Austri');
  await method.getByRole('button', { name: 'Add' }).click();
  await method.getByText('No country is called “Austri”').first().waitFor();
  assert.equal(await method.getByLabel('Countries', { exact: true }).getAttribute('aria-invalid'), 'true');
  await page.done();
});

test('two people change a pickup location: what only the other changed is kept, what both changed is asked', async () => {
  const { id } = await shop.client.pickup_locations.create({ name: 'First', city: 'Graz' });
  const page = await shop.open({ path: `/library/pickup-locations?open=${id}` });
  const form = page.getByRole('form', { name: 'First' });
  await form.getByLabel('Name', { exact: true }).fill('Mine');
  await shop.client.pickup_locations.update(id, { name: 'Theirs', city: 'Linz' });
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Mine: Mine' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  const { name, city } = await shop.client.pickup_locations.get(id);
  assert.deepEqual({ name, city }, { name: 'Mine', city: 'Linz' });
  await page.done();
});

test('a status that orders have is deleted with what they get instead', async () => {
  const old = await makeOrderStatus(shop, { name: 'Old' });
  const next = await makeOrderStatus(shop, { name: 'Instead' });
  const order = await makeOrder(shop, { internal_status_id: old.id });
  const page = await shop.open({ path: `/library/order-statuses?open=${old.id}` });
  await page.getByRole('button', { name: 'Delete: Old' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Old?' });
  await question.getByText('One order has this status.').waitFor();
  await question.getByLabel('They get instead').selectOption({ label: 'Instead' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal((await shop.client.orders.get(order.id)).internal_status_id, next.id);
  await page.done();
});

test('images and files are uploaded; one that a product uses says which', async () => {
  const page = await shop.open({ path: '/library/media?new=true' });
  await page.getByRole('textbox', { name: 'Description' }).fill('A red square');
  await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.locator('.field.wrong input[type=file]').waitFor();
  await page.locator('input[type=file]').setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: picture(64, 64, [176, 35, 27]) });
  await page.getByRole('button', { name: 'Upload' }).click();
  const row = page.getByRole('row', { name: /red.png/ });
  await row.click();
  const sheet = page.getByRole('complementary', { name: 'red.png' });
  await sheet.getByRole('img', { name: 'A red square' }).waitFor();
  const [image] = (await shop.client.media.list({ search: 'red.png' })).data;
  assert.equal(image?.alt, 'A red square');
  const product = await makeProduct(shop, { name: 'Shown by', media_ids: [image?.id ?? 0] });
  await sheet.getByRole('button', { name: 'Delete: red.png' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Delete' }).click();
  await question.getByText(`The image is shown by product ${product.id} "Shown by"`).waitFor();
  await shoot(page, 'library-in-use');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${shop.url}/library/files?new=true`);
  await page.locator('input[type=file]').setInputFiles({ name: 'guide.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('row', { name: /guide.pdf/ }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  assert.equal((await saved).suggestedFilename(), 'guide.pdf');
  await page.getByRole('button', { name: 'Delete: guide.pdf' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: /guide.pdf/ }).waitFor({ state: 'detached' });
  await page.done();
});

test('a record that another page has read opens with all that its own page knows of it', async () => {
  await shop.upload('/media', { name: 'blue.png', content: new Uint8Array(picture(40, 30, [20, 40, 180])), type: 'image/png' });
  const [image] = (await shop.client.media.list({ search: 'blue.png' })).data;
  const product = await makeProduct(shop, { name: 'In blue', media_ids: [image?.id ?? 0] });
  const worn = await makeOrderStatus(shop, { name: 'Worn' });
  await makeOrderStatus(shop, { name: 'Unworn' });
  await makeOrder(shop, { internal_status_id: worn.id });
  const page = await shop.open({ path: `/products/${product.id}` });
  await page.getByRole('listitem').filter({ hasText: 'blue.png' }).locator('img').waitFor();
  await page.getByRole('link', { name: 'Images', exact: true }).click();
  await page.getByRole('row', { name: /blue.png/ }).click();
  await page.getByRole('complementary', { name: 'blue.png' }).getByText('40 × 30').waitFor();
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('row').nth(1).waitFor();
  await page.getByRole('link', { name: 'Order statuses', exact: true }).click();
  await page.getByRole('row', { name: /^Worn/ }).click();
  await page.getByRole('button', { name: 'Delete: Worn' }).click();
  await page.getByRole('dialog').getByLabel('They get instead').selectOption({ label: 'Unworn' });
  await page.done();
});

test('who may only read has no act; what a token may not read is not in the navigation', async () => {
  const { token } = await shop.admin('Reader', ['admin_api.tax_rates.read']);
  const page = await shop.open({ path: '/library/tax-rates', token });
  await page.getByRole('row').nth(1).click();
  await page.getByRole('complementary').getByLabel('Name').waitFor();
  assert.equal(await page.getByRole('complementary').getByLabel('Name').isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: /^(New|Save|Delete)/ }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Vouchers' }).count(), 0);
  await page.done();
});

test(`axe-core finds nothing on the library in light and dark colours, at 360 and at 2,560 pixels, with long names`, async () => {
  const { client } = shop;
  await shop.upload(
    '/media',
    { name: `${LONG}.png`, content: new Uint8Array(picture(90, 60, [10, 92, 107])), type: 'image/png' },
    { alt: LONG },
  );
  const [media] = (await client.media.list({})).data;
  const opened = {
    media: media?.id,
    vouchers: (await client.vouchers.create({ code: `CODE-${'X'.repeat(50)}`, kind: 'fixed', amount_cents: 500 })).id,
    'shipping-methods': (await client.shipping_methods.create({ name: `${LONG}`, countries: ['AT', 'DE', 'HU'] })).id,
    'order-statuses': (await client.order_statuses.create({ name: `${LONG}`, color: '#b0231b' })).id,
  };
  const page = await shop.open();
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [path, id] of Object.entries(opened)) {
      await page.goto(`${shop.url}/library/${path}?open=${id}`);
      await page.getByRole('complementary').getByRole('button', { name: 'Save' }).waitFor();
      await shoot(page, `library-${path}-${width}`);
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await isTooWide(page), false, `${path} at ${width}`);
    }
    await page.goto(`${shop.url}/library/shipping-methods`);
    await page.getByRole('row').nth(1).waitFor();
    await shoot(page, `library-list-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `the list at ${width}`);
  }
  await page.done();
});
