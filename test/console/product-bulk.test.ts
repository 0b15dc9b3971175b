import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Variant } from '../../contract/products.ts';
import { makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { picture } from '../helpers/images.ts';
import { storeProduct } from '../helpers/stored-rows/shop.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60 });
});
after(() => shop.close());

/** Products whose names begin with `name`, each with a variant. */
async function makeThree(name: string, values: readonly { price_cents?: number; stock?: number }[]): Promise<Variant[]> {
  const made = [];
  for (const [n, value] of values.entries()) {
    const product = await makeProduct(shop, { name: `${name} ${n + 1}` });
    made.push(await makeVariant(shop, { product_id: product.id, ...value }));
  }
  return made;
}

async function openAll(name: string, options: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
  const page = await shop.open({ path: `/products?q=${name}&sort=name`, width: 1440, ...options });
  await page
    .getByRole('row', { name: new RegExp(`${name} 1`) })
    .first()
    .waitFor();
  await page.getByRole('checkbox').first().check();
  return page;
}

const now = async (variants: readonly Variant[]) => Promise.all(variants.map(({ id }) => shop.client.products.get_variant(id)));
const pricesOf = async (variants: readonly Variant[]) => (await now(variants)).map(({ price_cents }) => price_cents);
const stocksOf = async (variants: readonly Variant[]) => (await now(variants)).map(({ stock }) => stock);
const statusesOf = (variants: readonly Variant[]) =>
  Promise.all(variants.map(async ({ product_id }) => (await shop.client.products.get(product_id)).status));

test('prices are changed by per cent: each is shown before and after, rounded, then done and taken back', async () => {
  const variants = await makeThree('Priced', [{ price_cents: 333 }, { price_cents: 1999 }, { price_cents: 4 }]);
  const page = await openAll('Priced');
  await page.getByRole('button', { name: 'Prices…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the prices of 3 products' });
  await dialog.getByLabel('Per cent').fill('-10');
  await dialog
    .getByRole('row', { name: /Priced 1/ })
    .getByText('€3.33 → €3.00')
    .waitFor();
  await dialog
    .getByRole('row', { name: /Priced 2/ })
    .getByText('€19.99 → €17.99')
    .waitFor();
  await dialog.getByText('2 changes. 1 stays as it is.').waitFor();
  await dialog.getByLabel('Round to').selectOption('€0.50');
  await dialog
    .getByRole('row', { name: /Priced 1/ })
    .getByText('€3.33 → €3.00')
    .waitFor();
  await dialog
    .getByRole('row', { name: /Priced 2/ })
    .getByText('€19.99 → €18.00')
    .waitFor();
  await dialog
    .getByRole('row', { name: /Priced 3/ })
    .getByText('€0.04 → €0.00')
    .waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'products-bulk-prices');
  await dialog.getByRole('button', { name: 'Change 3 prices' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('3 prices changed.').waitFor();
  assert.deepEqual(await pricesOf(variants), [300, 1800, 0]);
  await page
    .getByRole('row', { name: /Priced 2/ })
    .getByText('€18.00')
    .waitFor();
  await shop.client.products.update_variant(variants[0]?.id ?? 0, { price_cents: 310 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 changes taken back. 1 was changed since and stays.').waitFor();
  assert.deepEqual(await pricesOf(variants), [310, 1999, 4]);
  await page.done();
});

test('what cannot be done is told first, with the reason, and a price that somebody else has changed meanwhile stays', async () => {
  const variants = await makeThree('Cheaper', [{ price_cents: 50 }, { price_cents: 500 }, { price_cents: 800 }]);
  const page = await openAll('Cheaper');
  await page.getByRole('button', { name: 'Prices…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('How').selectOption('By an amount');
  await dialog.getByLabel('Amount').fill('-1');
  await dialog.getByRole('row').first().getByText('would be below 0 or too high').waitFor();
  await dialog.getByText('2 changes. 1 cannot be changed.').waitFor();
  const act = dialog.getByRole('button', { name: 'Change 2 prices' });
  await act.waitFor();
  // The page does not hear of what is changed before the request goes out.
  await page.route('**/variants/bulk-prices', async (route) => {
    await shop.client.products.update_variant(variants[1]?.id ?? 0, { price_cents: 999 });
    await route.continue();
  });
  await act.click();
  await page.getByText('1 could not be changed:').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Cheaper 2 was changed meanwhile' }).waitFor();
  assert.deepEqual(await pricesOf(variants), [50, 999, 700]);
  await page.done();
});

test('stock is added or set; what would fall below 0 is told and left; it is taken back', async () => {
  const variants = await makeThree('Stocked', [{ stock: 3 }, { stock: 10 }, { stock: 20 }]);
  const page = await openAll('Stocked');
  await page.getByRole('button', { name: 'Stock…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the stock of 3 products' });
  await dialog.getByLabel('Pieces').fill('-5');
  await dialog.getByRole('row').first().getByText('would fall below 0').waitFor();
  await dialog
    .getByRole('row', { name: /Stocked 2/ })
    .getByText('10 → 5')
    .waitFor();
  await shoot(page, 'products-bulk-stock');
  await dialog.getByLabel('Reason').fill('Water damage');
  await dialog.getByRole('button', { name: 'Change the stock of 2 variants' }).click();
  await page.getByText('Stock of 2 variants changed.').waitFor();
  assert.deepEqual(await stocksOf(variants), [3, 5, 15]);
  const [movement] = await shop.client.products.list_stock_movements(variants[1]?.id ?? 0);
  assert.equal(movement?.reason, 'Water damage');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 changes taken back.').waitFor();
  assert.deepEqual(await stocksOf(variants), [3, 10, 20]);
  await page.getByRole('button', { name: 'Stock…' }).click();
  await dialog.getByLabel('How').selectOption('To one number');
  await dialog.getByLabel('New stock').fill('10');
  await dialog.getByText('2 changes. 1 stays as it is.').waitFor();
  await dialog.getByRole('button', { name: 'Change the stock of 2 variants' }).click();
  await page.getByText('Stock of 2 variants changed.').waitFor();
  assert.deepEqual(await stocksOf(variants), [10, 10, 10]);
  await page.done();
});

test('by keyboard alone: the status of three products is set, after it was shown, and taken back', async () => {
  const variants = await makeThree('Moved', [{}, {}, {}]);
  await shop.client.products.update(variants[2]?.product_id ?? 0, { status: 'draft' });
  const page = await shop.open({ path: '/products?q=Moved&sort=name' });
  await page.getByRole('row', { name: /Moved 1/ }).waitFor();
  for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Set status' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Draft' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Set 3 products to "Draft"?' });
  await dialog
    .getByRole('row', { name: /Moved 1/ })
    .getByText('On sale → Draft')
    .waitFor();
  await dialog.getByText('2 changes. 1 stays as it is.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'products-bulk-status');
  await dialog.getByRole('button', { name: 'Set 2 products' }).press('Enter');
  await page.getByText('2 products set to "Draft".').waitFor();
  assert.deepEqual(await statusesOf(variants), ['draft', 'draft', 'draft']);
  await page.keyboard.press('u');
  await page.getByText('2 changes taken back.').waitFor();
  assert.deepEqual(await statusesOf(variants), ['active', 'active', 'draft']);
  await page.done();
});

test('many are deleted, after it says which are archived instead; there is no way back', async () => {
  const [fresh, sold] = await makeThree('Gone', [{}, {}]);
  assert.ok(fresh && sold);
  await makeOrder(shop, {}, [{ variant: sold, quantity: 1 }]);
  const page = await openAll('Gone');
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 products?' });
  await dialog
    .getByRole('row', { name: /Gone 1/ })
    .getByText('On sale → deleted')
    .waitFor();
  await dialog
    .getByRole('row', { name: /Gone 2/ })
    .getByText('On sale → Archived')
    .waitFor();
  await shoot(page, 'products-bulk-delete');
  await dialog.getByRole('button', { name: 'Delete 2 products' }).click();
  await page.getByText('1 product deleted. 1 product archived, because it was ordered before.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  await page.getByRole('row', { name: /Gone 1/ }).waitFor({ state: 'detached' });
  await page.getByText('1 selected').waitFor();
  assert.deepEqual(await statusesOf([sold]), ['archived']);
  await page.done();
});

test('all that match are selected; a request that is lost is sent again without a second effect', async () => {
  const variants = await makeThree('Twice', [{ stock: 1 }, { stock: 2 }, { stock: 3 }]);
  const page = await shop.open({ path: '/products?q=Twice', width: 1440 });
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('button', { name: 'Select all 3 that match “Twice”' }).click();
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Stock…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Pieces').fill('4');
  const act = dialog.getByRole('button', { name: 'Change the stock of 3 variants' });
  let lost = 0;
  await page.route('**/variants/bulk-stock', async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.fulfill({ status: 429, json: {} });
  });
  await act.click();
  await dialog.getByRole('alert').waitFor();
  await act.click();
  await page.getByText('Stock of 3 variants changed.').waitFor();
  assert.deepEqual(await stocksOf(variants), [5, 6, 7]);
  await page.done();
});

test('more than a thousand products are not changed at once, and it says so', async () => {
  await shop.withStore(async (store) => {
    for (let n = 1; n <= 1001; n += 1) await storeProduct(store, { name: `Bounded ${n}` });
  });
  const page = await openAll('Bounded');
  await page.getByRole('button', { name: 'Select all 1,001 that match “Bounded”' }).click();
  await page.getByText('At most 1,000 products are changed at once.').waitFor();
  for (const name of ['Set status', 'Prices…', 'Stock…', 'Delete…']) assert.ok(await page.getByRole('button', { name }).isDisabled(), name);
  await page.getByRole('checkbox').nth(1).uncheck();
  await page.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'Archived' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set 1,000 products to "Archived"?' });
  await dialog.getByText('They were found by: “Bounded”.').waitFor();
  await dialog.getByText('and 900 more').waitFor();
  await dialog.getByRole('button', { name: 'Set 1,000 products' }).click();
  await page.getByText('1,000 products set to "Archived".').waitFor();
  assert.equal((await shop.client.products.list({ q: 'bounded', status: 'archived' })).total, 1000);
  await page.done();
});

test('who may not change products has no acts on them', async () => {
  await makeThree('Read', [{}, {}]);
  const { token } = await shop.admin('Reader', ['admin_api.products.read']);
  const page = await openAll('Read', { token });
  await page.getByText('2 selected').waitFor();
  for (const name of ['Set status', 'Prices…', 'Stock…', 'Delete…'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  await page.done();
});

test('on a phone: the bar covers no row at the end of the list, the preview fits', async () => {
  await makeThree('Narrow', [{ stock: 1 }, { stock: 2 }]);
  const page = await openAll('Narrow', { width: 390, height: 844 });
  const bar = await page.getByRole('region', { name: '2 selected' }).boundingBox();
  const last = await page.getByRole('row').last().boundingBox();
  assert.ok(bar && last && last.y + last.height <= bar.y, 'the bar stands behind the last row');
  assert.equal(await isTooWide(page), false);
  await shoot(page, 'products-bulk-390');
  await page.getByRole('button', { name: 'Prices…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Per cent').fill('12.5');
  await dialog.getByRole('row', { name: /Narrow 1/ }).waitFor();
  assert.equal(await isTooWide(page), false);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'products-bulk-prices-390');
  await page.keyboard.press('Escape');
  await page.done();
});

test('products are sorted by the heads of their columns, and the address says so', async () => {
  await makeThree('Sorted', [
    { price_cents: 300, stock: 9 },
    { price_cents: 100, stock: 5 },
    { price_cents: 200, stock: 7 },
  ]);
  const page = await shop.open({ path: '/products?q=Sorted', width: 1440 });
  const head = (name: string) => page.getByRole('columnheader', { name });
  const first = (name: string) => page.getByRole('row').nth(1).getByText(name).waitFor();
  await first('Sorted 3');
  for (const [column, name, sort, order] of [
    ['Product', 'Sorted 1', 'name', 'ascending'],
    ['Product', 'Sorted 3', '-name', 'descending'],
    ['Price', 'Sorted 1', '-price', 'descending'],
    ['Price', 'Sorted 2', 'price', 'ascending'],
    ['Stock', 'Sorted 2', 'stock', 'ascending'],
    ['Stock', 'Sorted 1', '-stock', 'descending'],
  ] as const) {
    await head(column).getByRole('button').click();
    await first(name);
    assert.equal(new URL(page.url()).searchParams.get('sort'), sort);
    assert.equal(await head(column).getAttribute('aria-sort'), order);
  }
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Changed' }).click();
  await page.keyboard.press('Escape');
  await head('Changed').getByRole('button').click();
  await page.waitForURL(/sort=updated_at/);
  await page.goBack();
  await first('Sorted 1');
  assert.equal(await head('Stock').getAttribute('aria-sort'), 'descending');
  await page.done();
});

test('products have their first image beside them: in the list by one request, in the picker of an order and in its lines', async () => {
  for (const [name, colour] of [
    ['red', [200, 40, 40]],
    ['blue', [40, 60, 200]],
  ] as const)
    await shop.upload('/media', { name: `${name}.png`, content: Uint8Array.from(picture(80, 60, colour)), type: 'image/png' });
  const images = (await shop.client.media.list({})).data;
  const idOf = (filename: string) => images.find((image) => image.filename === filename)?.id ?? 0;
  const variants = await makeThree('Pictured', [{}, {}, {}]);
  for (const [n, name] of ['red.png', 'blue.png'].entries())
    await shop.client.products.update(variants[n]?.product_id ?? 0, { media_ids: [idOf(name), idOf('red.png')] });
  const page = await shop.open({ path: '/products?q=Pictured&sort=name', width: 1440 });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/products\/images/.test(request.url())) asked.push(new URL(request.url()).searchParams.get('ids') ?? '');
  });
  const imageOf = (n: number) => page.getByRole('row', { name: new RegExp(`Pictured ${n}`) }).locator('.product-image img');
  await imageOf(1).waitFor();
  await imageOf(2).waitFor();
  const row = page.getByRole('row', { name: /Pictured 3/ });
  assert.equal(await row.locator('.product-image img').count(), 0);
  assert.deepEqual(
    await row
      .locator('.product-image')
      .boundingBox()
      .then((box) => [box?.width, box?.height]),
    [40, 40],
  );
  assert.equal(await imageOf(1).getAttribute('alt'), '');
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'products-images');
  await page.reload();
  await imageOf(2).waitFor();
  const two = variants.slice(0, 2).map(({ product_id }) => product_id);
  assert.deepEqual(asked.at(-1), two.join());
  const order = await makeOrder(
    shop,
    {},
    variants.flatMap((variant, n) => (n < 2 ? [{ variant, quantity: 1 }] : [])),
  );
  await page.goto(`${shop.url}/orders?open=${order.id}`);
  await page.getByRole('table', { name: 'Lines' }).locator('.product-image img').nth(1).waitFor();
  await shoot(page, 'order-lines-images');
  await page.goto(`${shop.url}/orders/new`);
  await page.getByLabel('Add a product').fill('Pictured');
  await page
    .getByRole('option', { name: /Pictured 2/ })
    .locator('img')
    .waitFor();
  await shoot(page, 'order-picker-images');
  await page.done();
});
