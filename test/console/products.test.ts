import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { picture } from '../helpers/images.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
});
after(() => shop.close());

const LONG = 'Handgeschöpfte Büttenpapierschreibhefteinbandgestaltung mit Goldprägung megszentségteleníthetetlenségeskedéseitekért';

test('products are searched and filtered by status; what is sold out says so', async () => {
  const product = await makeProduct(shop, { name: 'Rare tea', status: 'draft' });
  await makeVariant(shop, { product_id: product.id, stock: 0, sku: 'RARE-1' });
  const { total } = await shop.client.products.list({});
  const page = await shop.open({ path: '/products' });
  await page.getByText(`${total} products`, { exact: true }).waitFor();
  await page.getByPlaceholder('Name or SKU').fill('rare tea');
  const row = page.getByRole('row', { name: /Rare tea/ });
  await page.getByText('1 product', { exact: true }).waitFor();
  await row.getByText('0, sold out').waitFor();
  // A view replaces what was searched for.
  await page.getByRole('button', { name: 'On sale' }).click();
  await page.waitForURL(/status=active$/);
  await page.getByPlaceholder('Name or SKU').fill('rare tea');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('button', { name: 'Draft' }).click();
  await row.click();
  await page.getByRole('heading', { name: 'Rare tea', level: 1 }).waitFor();
  assert.ok(page.url().endsWith(`/products/${product.id}`), page.url());
  await page.done();
});

test('by keyboard alone: a new product, its first variant, its stock', async () => {
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.pressPair('g', 'p');
  await page.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('complementary', { name: 'New product' }).waitFor();
  await page.keyboard.type('Grüner Tee, 100 g');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Grüner Tee, 100 g', level: 1 }).waitFor();
  const id = Number(page.url().split('/').at(-1));
  const made = await shop.client.products.get(id);
  assert.deepEqual({ slug: made.slug, status: made.status }, { slug: 'gruener-tee-100-g', status: 'draft' });
  await page.getByText('The product has no variant yet').waitFor();
  await page.keyboard.press('n');
  const sheet = page.getByRole('complementary', { name: 'New variant' });
  await sheet.getByLabel('Label').focus();
  await page.keyboard.type('Tin');
  await page.keyboard.press('Tab');
  await page.keyboard.type('TEA-TIN');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12.50');
  await page.keyboard.press('Control+s');
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Tin/ }).focus();
  await page.keyboard.press('Enter');
  const variant = page.getByRole('complementary', { name: 'Tin' });
  await variant.getByRole('button', { name: 'Change by…' }).press('Enter');
  await page.keyboard.type('40');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Delivery');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /Tin/ }).getByText('40', { exact: true }).waitFor();
  await variant.getByText('Changes of the stock').click();
  await variant.getByRole('listitem').filter({ hasText: 'Delivery' }).getByText('+40').waitFor();
  const [stored] = await shop.client.products.list_variants(id);
  assert.deepEqual({ price: stored?.price_cents, stock: stored?.stock, sku: stored?.sku }, { price: 1250, stock: 40, sku: 'TEA-TIN' });
  await page.keyboard.press('Escape');
  await variant.waitFor({ state: 'detached' });
  await page.done();
});

test('counted stock that has changed meanwhile is shown before it is set', async () => {
  const variant = await makeVariant(shop, { stock: 10, label: 'Box' });
  const page = await shop.open({ path: `/products/${variant.product_id}?open=${variant.id}` });
  const sheet = page.getByRole('complementary', { name: 'Box' });
  await sheet.getByRole('button', { name: 'Count…' }).click();
  await sheet.getByLabel('Counted pieces').fill('9');
  await shop.client.products.change_stock(variant.id, { delta: -3, reason: 'broken' });
  await sheet.getByRole('button', { name: 'Save' }).first().click();
  await sheet.getByRole('alert').getByText('10 → 7').waitFor();
  await shoot(page, 'product-stock-stale');
  assert.equal((await shop.client.products.get_variant(variant.id)).stock, 7);
  await sheet.getByLabel('Counted pieces').fill('6');
  await sheet.getByRole('button', { name: 'Save' }).first().click();
  await sheet.getByLabel('Counted pieces').waitFor({ state: 'detached' });
  assert.equal((await shop.client.products.get_variant(variant.id)).stock, 6);
  await page.done();
});

test('stock that would fall below 0 is refused with what is there, and done all the same when asked for', async () => {
  const variant = await makeVariant(shop, { stock: 3, label: 'Bag' });
  const page = await shop.open({ path: `/products/${variant.product_id}?open=${variant.id}` });
  const sheet = page.getByRole('complementary', { name: 'Bag' });
  const force = sheet.getByRole('button', { name: 'Do it all the same' });
  await sheet.getByRole('button', { name: 'Change by…' }).click();
  await sheet.getByLabel('Pieces', { exact: true }).fill('-5');
  await sheet.getByLabel('Reason').fill('Sold twice');
  await sheet.getByRole('button', { name: 'Save' }).first().click();
  await sheet.getByRole('alert').getByText('Only 3 are there, so the stock would fall below 0.').waitFor();
  assert.equal((await shop.client.products.get_variant(variant.id)).stock, 3);
  await sheet.getByLabel('Pieces', { exact: true }).fill('-50');
  await force.waitFor({ state: 'detached' });
  await sheet.getByLabel('Pieces', { exact: true }).fill('-5');
  await sheet.getByRole('button', { name: 'Save' }).first().click();
  await force.click();
  await sheet.getByLabel('Reason').waitFor({ state: 'detached' });
  assert.equal((await shop.client.products.get_variant(variant.id)).stock, -2);
  await page.done();
});

test('an address that another product has is refused at its field; so is a variant without a price', async () => {
  const taken = await makeProduct(shop);
  const product = await makeProduct(shop);
  const page = await shop.open({ path: `/products/${product.id}` });
  const details = page.getByRole('form', { name: 'Details' });
  await details.getByLabel('Address').fill(taken.slug);
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByLabel('Address').and(page.locator(':focus')).waitFor();
  assert.equal(await details.getByLabel('Address').getAttribute('aria-invalid'), 'true');
  await details.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'New variant' }).click();
  const sheet = page.getByRole('complementary', { name: 'New variant' });
  await sheet.getByLabel('SKU').fill('NO-PRICE');
  await sheet.getByRole('button', { name: 'Add', exact: true }).click();
  await sheet.getByLabel('Price', { exact: true }).and(page.locator(':focus')).waitFor();
  assert.deepEqual(await shop.client.products.list_variants(product.id), []);
  await page.done();
});

test('two people change a product: what only the other changed is kept, what both changed is asked', async () => {
  const product = await makeProduct(shop, { name: 'First', description: 'Old' });
  const page = await shop.open({ path: `/products/${product.id}` });
  const details = page.getByRole('form', { name: 'Details' });
  await details.getByLabel('Name').fill('Mine');
  await details.getByLabel('Is a subscription').check();
  await details.getByLabel('Period').selectOption('year');
  await shop.client.products.update(product.id, { name: 'Theirs', description: 'New' });
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByRole('button', { name: 'Theirs: Theirs' }).click();
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Saved').waitFor();
  const { name, description, is_subscription, billing_interval } = await shop.client.products.get(product.id);
  assert.deepEqual(
    { name, description, is_subscription, billing_interval },
    { name: 'Theirs', description: 'New', is_subscription: true, billing_interval: 'year' },
  );
  await page.done();
});

test('low stock says so by the threshold of the product, else of the shop; what is filtered and shown is kept as a view', async () => {
  const { low_stock_threshold } = await shop.client.settings.get();
  for (const [name, stock, threshold] of [
    ['Low tea one', low_stock_threshold, null],
    ['Low tea two', 40, 40],
    ['Low tea three', low_stock_threshold + 1, null],
  ] as const) {
    const product = await makeProduct(shop, { name, status: 'active', low_stock_threshold: threshold });
    await makeVariant(shop, { product_id: product.id, stock, sku: name });
  }
  const page = await shop.open({ path: '/products?q=low+tea' });
  await page
    .getByRole('row', { name: /Low tea one/ })
    .getByText(`${low_stock_threshold}, low`)
    .waitFor();
  await page
    .getByRole('row', { name: /Low tea two/ })
    .getByText('40, low')
    .waitFor();
  assert.equal(
    await page
      .getByRole('row', { name: /Low tea three/ })
      .getByText(', low')
      .count(),
    0,
  );
  await shoot(page, 'products-low');
  await page.getByRole('button', { name: 'Save as view' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Tea that is low');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('button', { name: 'Tea that is low' }).waitFor();
  assert.deepEqual(
    (await shop.client.me.list_views({ screen: 'products' })).map(({ name, search }) => ({ name, search })),
    [{ name: 'Tea that is low', search: { q: 'low tea' } }],
  );
  await page.done();
});

test('images are dropped and pasted, and dragged into their order', async () => {
  const product = await makeProduct(shop, { name: 'Pictured' });
  const page = await shop.open({ path: `/products/${product.id}` });
  const images = page.getByRole('region', { name: 'Images' }).last();
  await images.getByText('There is no image yet.').waitFor();
  const give = (event: 'drop' | 'paste', name: string): Promise<void> =>
    page.evaluate(
      `(() => { const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(${JSON.stringify([...picture(8, 8, [9, 9, 9])])})], '${name}', { type: 'image/png' }));
        const options = { bubbles: true, cancelable: true };
        if ('${event}' === 'drop') document.querySelector('.drop-place').dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }));
        else document.body.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data })); })()`,
    );
  await give('drop', 'one.png');
  await images.getByRole('listitem').filter({ hasText: 'one.png' }).waitFor();
  await give('paste', 'two.png');
  await images.getByRole('listitem').filter({ hasText: 'two.png' }).waitFor();
  const before = (await shop.client.products.get(product.id)).media_ids;
  await images.getByRole('listitem').nth(1).dragTo(images.getByRole('listitem').first());
  await images.getByRole('listitem').first().filter({ hasText: 'two.png' }).waitFor();
  assert.deepEqual((await shop.client.products.get(product.id)).media_ids, before.toReversed());
  await page.done();
});

test('images, files, questions and access are added and taken away', async () => {
  const product = await makeProduct(shop, { kind: 'digital' });
  const file = await makeLibraryFile('manual.pdf');
  const group = await shop.client.access_groups.create({ slug: 'readers', name: 'Readers' });
  const page = await shop.open({ path: `/products/${product.id}` });
  await page.getByLabel('New images').setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer: picture(40, 30, [180, 60, 40]) });
  await page.getByRole('listitem').filter({ hasText: 'front.png' }).locator('img').waitFor();
  await page.getByLabel('Add a file of the library').fill('manual');
  await page.getByRole('option', { name: /manual.pdf/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'manual.pdf' }).waitFor();
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.getByRole('textbox', { name: 'Question 1' }).fill('Engraving');
  await page.getByRole('form', { name: 'Details' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('form', { name: 'Details' }).getByText('Saved').waitFor();
  await page.getByLabel('Add a group').selectOption({ label: 'Readers' });
  await page.getByRole('textbox', { name: 'Readers' }).fill('30');
  await page.getByRole('form', { name: 'Access for buyers' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('form', { name: 'Access for buyers' }).getByText('Saved').waitFor();
  const stored = await shop.client.products.get(product.id);
  assert.equal(stored.media_ids.length, 1);
  assert.deepEqual(stored.file_ids, [file]);
  assert.deepEqual(stored.custom_fields, [{ field_name: 'Engraving', required: false }]);
  const [assigned] = await shop.client.products.list_access_groups(product.id);
  assert.deepEqual({ id: assigned?.group_id, days: assigned?.duration_days }, { id: group.id, days: 30 });
  await page.getByRole('button', { name: 'Remove: manual.pdf' }).click();
  await page.getByText('There is no file yet.').waitFor();
  assert.deepEqual((await shop.client.products.get(product.id)).file_ids, []);
  await page.done();
});

async function makeLibraryFile(name: string): Promise<number> {
  await shop.upload('/files', { name, content: '%PDF-1.7', type: 'application/pdf' });
  const [file] = (await shop.client.files.list({ search: name })).data;
  assert.ok(file);
  return file.id;
}

test('a product that was ordered is archived instead of deleted, and says so; another one is gone', async () => {
  const variant = await makeVariant(shop);
  await makeOrder(shop, {}, [{ variant, quantity: 1 }]);
  const page = await shop.open({ path: `/products/${variant.product_id}` });
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('it is archived and not deleted').waitFor();
  await page.getByText('Archived').first().waitFor();
  assert.equal((await shop.client.products.get(variant.product_id)).status, 'archived');
  await page.getByRole('button', { name: 'Put on sale' }).click();
  await page.getByRole('button', { name: 'Archive' }).waitFor();
  assert.equal((await shop.client.products.get(variant.product_id)).status, 'active');
  const other = await makeProduct(shop);
  await page.goto(`${shop.url}/products/${other.id}`);
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
  await page.done();
});

test(`axe-core finds nothing on the products in light and dark colours, at 360 and at 2,560 pixels, with long names`, async () => {
  const product = await makeProduct(shop, {
    name: `${LONG}`,
    is_subscription: true,
    custom_fields: [{ field_name: LONG, required: true }],
  });
  const variant = await makeVariant(shop, { product_id: product.id, label: LONG, compare_at_price_cents: 1200 });
  await makeVariant(shop, { product_id: product.id, stock: 0 });
  const group = await shop.client.access_groups.create({ slug: `long`, name: LONG });
  await shop.client.products.replace_access_groups(product.id, { assignments: [{ group_id: group.id, duration_days: 365 }] });
  const page = await shop.open({ path: '/products' });
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${shop.url}/products`);
    await page.getByRole('row').nth(2).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `the list at ${width}`);
    await shoot(page, `products-${width}`);
    await page.goto(`${shop.url}/products/${product.id}`);
    await page.getByRole('textbox', { name: LONG }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `a product at ${width}`);
    await page.setViewportSize({ width, height: width < 500 ? 3000 : 1300 });
    await shoot(page, `product-${width}`);
    await page.goto(`${shop.url}/products/${product.id}?open=${variant.id}`);
    await page.getByText('Changes of the stock').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false, `a variant at ${width}`);
    await shoot(page, `product-variant-${width}`);
  }
  await page.done();
});
