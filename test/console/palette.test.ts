import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makeCustomer, makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { TOKEN } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

const LONG = 'Zsuzsanna Megszentségteleníthetetlenségeskedéseitekért-Donaudampfschifffahrtsgesellschaft';

let shop: Console;
const made = { order: 0, publicId: '', customer: 0, product: 0, task: 0, run: 0, subscription: 0, inquiry: 0, page: 0 };

before(async () => {
  shop = await openConsole({ orders: 60 });
  const customer = await makeCustomer(shop, { name: 'Quilla Quandt', email: 'quilla@example.org' });
  await makeCustomer(shop, { name: LONG, email: `${'quite.long.'.repeat(5)}of@example.org` });
  const product = await makeProduct(shop, { name: 'Quince jam' });
  const variant = await makeVariant(shop, { product_id: product.id, sku: '990017' });
  const order = await makeOrder(shop, { customer }, [{ variant, quantity: 1 }]);
  const box = await makeProduct(shop, { name: 'Box of quinces', is_subscription: true, billing_interval: 'month' });
  const monthly = await makeVariant(shop, { product_id: box.id });
  const begun = await makeOrder(shop, { customer: await makeCustomer(shop, { name: 'Otto' }), payment_status: 'paid' }, [
    { variant: monthly, quantity: 1 },
  ]);
  const subscription = await shop.client.subscriptions.activate(begun.id, {
    external_subscription_id: 'sub_1',
    external_customer_id: 'cus_1',
  });
  const { task_id } = await makeTask('Quarterly report');
  const { run_id } = await shop.client.ai_tasks.start_run(task_id, { executor: 'external' });
  const inquiry = await shop.client.inquiries.create({
    name: 'Quirin',
    email: 'q@example.org',
    subject: 'Quality of jam',
    body: 'Is it good?',
  });
  const page = await shop.client.pages.create({ slug: 'our-quarry', title: 'Quarry' });
  Object.assign(made, {
    order: order.id,
    publicId: order.public_id,
    customer: customer.id,
    product: product.id,
    task: task_id,
    run: run_id,
    subscription: subscription.id,
    inquiry: inquiry.id,
    page: page.id,
  });
});
after(() => shop.close());

function makeTask(name: string) {
  return shop.client.ai_tasks.create({ name, description: '', source_code: 'log(1)', permissions: [], parameters: [] });
}

async function openPalette(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Search or do' }).waitFor();
  await page.keyboard.press('Control+k');
  await field(page).and(page.locator(':focus')).waitFor();
}

/** The entry that Enter would choose. */
const chosen = (page: Page, name: string | RegExp) => page.locator('[data-active-item]').and(option(page, name));
const field = (page: Page) => page.getByRole('combobox', { name: 'Search or do' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const group = (page: Page, name: string) => page.getByRole('dialog').getByRole('group', { name, exact: true });

test('what is typed before the search is loaded is searched for', async () => {
  const page = await shop.open({ token: null });
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/search-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByLabel('Access token').fill(TOKEN);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Search or do' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Quinc');
  held.resolve();
  await field(page).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('e');
  await page.getByRole('option', { name: 'Quince jam' }).waitFor();
  await page.done();
});

test('over an open dialog the palette stays closed, so that what is typed there is kept', async () => {
  const page = await shop.open({ path: '/products' });
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  assert.equal(await field(page).count(), 0);
  await openPalette(page);
  await page.done();
});

test('records of each kind are found by name and opened', async () => {
  const page = await shop.open({ path: '/settings/me' });
  const found: [typed: string, kind: string, name: RegExp, path: string][] = [
    ['quilla', 'Orders', /Quilla Quandt · \d+ \w+ · €\d/, `/orders?open=${made.order}`],
    ['quilla@ex', 'Customers', /Quilla Quandt/, `/customers/${made.customer}`],
    ['quince', 'Products', /Quince jam/, `/products/${made.product}`],
    ['quarterly', 'Tasks', /Quarterly report/, `/tasks/${made.task}`],
    ['quinces box', 'Subscriptions', /Box of quinces/, `/subscriptions?open=${made.subscription}`],
    ['quality', 'Inquiries', /Quality of jam/, `/inquiries?open=${made.inquiry}`],
    ['quarry', 'Pages', /Quarry/, `/pages/${made.page}`],
  ];
  for (const [typed, kind, name, path] of found) {
    await openPalette(page);
    await field(page).fill(typed);
    await group(page, kind).getByRole('option', { name }).click();
    await page.waitForURL(`${shop.url}${path}`);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.done();
});

test('a number alone names records by their ids; the number of an order may be begun, and a SKU may be a number', async () => {
  const page = await shop.open({ path: '/settings/me' });
  const found: [typed: string, kind: string, name: RegExp, path: string][] = [
    [`${made.order}`, 'Orders', new RegExp(made.publicId), `/orders?open=${made.order}`],
    [made.publicId.slice(0, 6).toLowerCase(), 'Orders', new RegExp(made.publicId), `/orders?open=${made.order}`],
    [`#${made.customer}`, 'Customers', /Quilla Quandt/, `/customers/${made.customer}`],
    [`${made.product}`, 'Products', new RegExp(`Quince jam #${made.product}`), `/products/${made.product}`],
    ['990017', 'Products', /Quince jam/, `/products/${made.product}`],
    [`${made.task}`, 'Tasks', /Quarterly report/, `/tasks/${made.task}`],
    [`${made.run}`, 'Runs', new RegExp(`Run ${made.run} Quarterly report`), `/tasks/${made.task}/runs/${made.run}`],
    [`${made.subscription}`, 'Subscriptions', /Box of quinces/, `/subscriptions?open=${made.subscription}`],
  ];
  for (const [typed, kind, name, path] of found) {
    await openPalette(page);
    await field(page).fill(typed);
    await group(page, kind).getByRole('option', { name }).click();
    await page.waitForURL(`${shop.url}${path}`);
  }
  await page.done();
});

test('by keyboard alone: the best match is first, arrows choose, Enter opens, Escape gives the focus back', async () => {
  await makeCustomer(shop, { name: 'Aquamarina Zorn', email: 'az@example.org' });
  await makeCustomer(shop, { name: 'Zorn Aquamarina', email: 'za@example.org' });
  const { id } = await makeCustomer(shop, { name: 'Marina Zorn', email: 'mz@example.org' });
  await makeCustomer(shop, { name: 'Submarina Zorn', email: 'sz@example.org' });
  const page = await shop.open({ path: '/orders' });
  const searchField = page.getByPlaceholder('Name, email or #number');
  await searchField.focus();
  await openPalette(page);
  await page.keyboard.insertText('marina');
  await page.getByRole('status').getByText('4 are found').waitFor();
  const names = await group(page, 'Customers').getByRole('option').allInnerTexts();
  assert.deepEqual(
    names.map((name) => name.split('\n')[0]),
    ['Marina Zorn', 'Submarina Zorn', 'Zorn Aquamarina', 'Aquamarina Zorn'],
  );
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await searchField.and(page.locator(':focus')).waitFor();
  await openPalette(page);
  await page.keyboard.insertText('zorn');
  await page.getByRole('status').getByText('4 are found').waitFor();
  await chosen(page, /^Zorn Aquamarina/).waitFor();
  await page.keyboard.press('ArrowDown');
  await chosen(page, /^Submarina Zorn/).waitFor();
  await page.keyboard.press('ArrowDown');
  await chosen(page, /^Marina Zorn/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${shop.url}/customers/${id}`);
  await page.done();
});

test('Escape closes the palette alone; the record beside the list stays open', async () => {
  const page = await shop.open({ path: `/orders?open=${made.order}` });
  const sheet = page.getByRole('complementary', { name: made.publicId });
  await sheet.waitFor();
  await openPalette(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await sheet.count(), 1);
  assert.match(page.url(), /open=/);
  await page.done();
});

test('commands act: colours, keys, letters, a new record, and what the open page has keys for', async () => {
  const page = await shop.open({ path: `/tasks/${made.task}/runs/${made.run}` });
  await page.getByRole('button', { name: /^Cancel/ }).waitFor();
  const act = async (typed: string, name: string) => {
    await openPalette(page);
    await page.keyboard.insertText(typed);
    await chosen(page, name).waitFor();
    await page.keyboard.press('Enter');
  };
  await act('dark', 'Dark colours');
  await page.locator('html[data-theme=dark]').waitFor();
  await act('show all', 'Show all keys');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Keys' }).waitFor({ state: 'detached' });
  await act('stop single', 'Stop single letters from acting as shortcuts');
  await act('let single', 'Let single letters act as shortcuts');
  await act('cancel', 'Cancel the run');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).waitFor();
  await page.keyboard.press('Escape');
  await act('new cust', 'New customer');
  await page.waitForURL(`${shop.url}/customers?new=true`);
  await page.getByRole('complementary', { name: 'New customer' }).waitFor();
  await openPalette(page);
  await page.keyboard.insertText('cancel');
  await page.getByRole('status').getByText('Nothing is found').waitFor();
  await page.keyboard.press('Escape');
  await act('sign out', 'Sign out');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.done();
});

test('the editor offers to submit what is written, once something is', async () => {
  const page = await shop.open({ path: `/tasks/${made.task}/editor` });
  await page.locator('.cm-content').click();
  await page.keyboard.insertText('// more');
  await page
    .getByRole('button', { name: /^Submit/ })
    .and(page.locator(':enabled'))
    .waitFor();
  await openPalette(page);
  await page.keyboard.insertText('submit');
  await chosen(page, 'Submit …').waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('What is new').waitFor();
  await page.done();
});

test('who may not read customers is shown none, and no request for them leaves the browser; nor is making them offered', async () => {
  const { token } = await shop.admin('Orders only', ['admin_api.orders.read']);
  const page = await shop.open({ token, path: '/orders' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openPalette(page);
  await option(page, 'Orders').waitFor();
  assert.equal(await option(page, /^New /).count(), 0);
  assert.equal(await option(page, 'Customers').count(), 0);
  for (const typed of ['quilla', `${made.customer}`]) {
    await field(page).fill(typed);
    await page.getByRole('status').getByText(/found/).waitFor();
  }
  await field(page).fill('quilla');
  await group(page, 'Orders')
    .getByRole('option', { name: /Quilla/ })
    .waitFor();
  assert.equal(await group(page, 'Customers').count(), 0);
  assert.ok(asked.includes('/admin/api/orders'));
  assert.deepEqual(
    asked.filter((path) => /customers|products|ai-tasks|runs|inquiries|subscriptions|pages/.test(path)),
    [],
  );
  await page.done();
});

test('many that match are cut short, with the way to the list of them all', async () => {
  for (let n = 1; n <= 7; n++) await makeProduct(shop, { name: `Xylophone ${n}` });
  const page = await shop.open();
  await openPalette(page);
  await page.keyboard.insertText('xylo');
  const all = option(page, 'All that match in Products');
  await all.waitFor();
  assert.equal(await option(page, /Xylophone/).count(), 5);
  await page.keyboard.press('End');
  await all.click();
  await page.waitForURL(`${shop.url}/products?q=xylo`);
  await page.getByText('7 products', { exact: true }).waitFor();
  await page.done();
});

test('one letter is no reason for a request; the request for a text that is typed over ends', async () => {
  const page = await shop.open();
  const asked: URL[] = [];
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  const texts = () => asked.map(({ searchParams }) => searchParams.get('q') ?? searchParams.get('search')).filter((text) => text !== null);
  page.on('request', (request) => asked.push(new URL(request.url())));
  let held = 0;
  await page.route(/customers\?q=quil&/, () => void held++);
  await openPalette(page);
  await page.keyboard.insertText('q');
  await page.getByRole('status').getByText(/found/).waitFor();
  await page.keyboard.insertText('uil');
  await page.getByRole('status').getByText('Searching').waitFor();
  await option(page, new RegExp(made.publicId)).waitFor();
  const isEnded = page.waitForEvent('requestfailed', (request) => /customers\?q=quil&/.test(request.url()));
  await page.keyboard.insertText('la');
  await isEnded;
  await group(page, 'Customers')
    .getByRole('option', { name: /Quilla/ })
    .waitFor();
  assert.equal(held, 1);
  assert.deepEqual([...new Set(texts())], ['quil', 'quilla']);
  await page.done();
});

test('a search that fails is named beside what the others found, and can be tried again', async () => {
  const page = await shop.open();
  await page.route(/\/admin\/api\/customers\?/, (route) => route.fulfill({ status: 429, json: {} }), { times: 1 });
  await openPalette(page);
  await page.keyboard.insertText('quilla');
  await page.getByRole('alert').getByText('Not searched because of an error: Customers').waitFor();
  await group(page, 'Orders')
    .getByRole('option', { name: /Quilla/ })
    .waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await group(page, 'Customers')
    .getByRole('option', { name: /Quilla/ })
    .waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.done();
});

for (const width of widths) {
  test(`axe-core finds nothing on the palette at ${width} pixels in light and dark colours, full, searched and empty`, async () => {
    const page = await shop.open({ width, height: width < 500 ? 740 : 1100 });
    await openPalette(page);
    await option(page, 'New order status').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `palette-${width}`);
    await page.keyboard.insertText('qu');
    await group(page, 'Pages').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false);
    await shoot(page, `palette-found-${width}`);
    await field(page).fill('zsuzsanna');
    await group(page, 'Customers').waitFor();
    await shoot(page, `palette-long-${width}`);
    await field(page).fill('nothing like that');
    await page.getByRole('status').getByText('Nothing is found').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `palette-nothing-${width}`);
    await page.done();
  });
}
