import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeAddress, makeCustomer, makeProduct, makeVariant } from '../helpers/builders.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

const add = async (page: OpenPage, typed: string, name: RegExp): Promise<void> => {
  await page.getByLabel('Add a product').fill(typed);
  await page.getByRole('option', { name }).click();
};
const cell = (page: OpenPage, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell');
const submit = (page: OpenPage) => page.getByRole('button', { name: 'Place the order' });

test('an order for a customer who is known, with shipping, discount and notes; the totals are the server’s', async () => {
  const customer = await makeCustomer(shop, { name: 'Zsófia Kertész', email: 'zsofia@example.org', phone: '+36 1 555' });
  await makeAddress(shop, customer.id);
  await makeVariant(shop, { product_id: (await makeProduct(shop, { name: 'Samovar' })).id, price_cents: 10_000 });
  const method = await shop.client.shipping_methods.create({ name: 'Bicycle courier', price_cents: 700 });
  const page = await shop.open({ path: '/orders', width: 1440 });
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('n');
  await page.getByText('The totals appear with the first line.').waitFor();
  await page.getByLabel('Find a customer').fill('zsófia');
  await page.getByRole('option', { name: /Zsófia Kertész/ }).click();
  await page.getByText('From the record of this customer').waitFor();
  assert.equal(await page.getByLabel('Street').inputValue(), '1 High Street');
  await add(page, 'samovar', /Samovar/);
  await page.getByText('The totals need the shipping method.').waitFor();
  await page.getByLabel('Shipping method').selectOption(String(method.id));
  await cell(page, 'Subtotal').getByText('€100.00').waitFor();
  await page.getByLabel('Quantity of Samovar').fill('2');
  await cell(page, 'Subtotal').getByText('€200.00').waitFor();
  await cell(page, 'Shipping').getByText('€7.00').waitFor();
  await page.getByLabel('Discount', { exact: true }).selectOption('percent');
  await page.getByLabel('Percent').fill('101');
  await page.getByText('Type a percentage from 0 to 100.').waitFor();
  await page.getByLabel('Percent').fill('12.5');
  await cell(page, 'Discount').getByText('-€25.00').waitFor();
  await page.getByLabel('Delivery date').fill('2031-03-02');
  await page.getByLabel('Notes').fill('Ring twice');
  await shoot(page, 'phone-order-light');
  await page.keyboard.press('Control+s');
  await page.getByRole('table', { name: 'Totals' }).waitFor();
  await page.waitForURL(/open=\d+/);
  const id = Number(new URL(page.url()).searchParams.get('open'));
  const order = await shop.client.orders.get(id);
  assert.deepEqual(
    [
      order.customer_id,
      order.subtotal,
      order.discount_amount,
      order.shipping_cost,
      order.shipping_method,
      order.delivery_date,
      order.notes,
    ],
    [customer.id, 20_000, 2500, 700, 'Bicycle courier', '2031-03-02', 'Ring twice'],
  );
  await page.done();
});

test('who places the order before the totals have come has it placed when they come', async () => {
  await makeVariant(shop, { product_id: (await makeProduct(shop, { name: 'Colander' })).id, price_cents: 1500 });
  const page = await shop.open({ path: '/orders/new' });
  await page.getByLabel('Name', { exact: true }).fill('Quick Quentin');
  await add(page, 'colander', /Colander/);
  await page.getByLabel('How it reaches the customer').selectOption('none');
  await cell(page, 'Subtotal').getByText('€15.00').waitFor();
  const released = Promise.withResolvers<void>();
  await page.route('**/orders/preview', async (route) => {
    await released.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/orders/preview');
  await page.getByLabel('Quantity of Colander').fill('3');
  await page.keyboard.press('Control+s');
  await asked;
  await page.getByText('Saving').waitFor();
  released.resolve();
  await page.waitForURL(/open=\d+/);
  const order = await shop.client.orders.get(Number(new URL(page.url()).searchParams.get('open')));
  assert.deepEqual([order.customer_name, order.subtotal], ['Quick Quentin', 4500]);
  await page.done();
});

test('by keyboard alone: a walk-in buys two of the same and pays', async () => {
  await makeVariant(shop, { product_id: (await makeProduct(shop, { name: 'Tea strainer' })).id, price_cents: 350 });
  const page = await shop.open({ path: '/orders/new' });
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('Walk-in');
  for (const _ of ['once', 'twice']) {
    await page.getByLabel('Add a product').focus();
    await page.keyboard.type('strainer');
    await page.getByRole('option', { name: /Tea strainer/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Quantity of Tea strainer').waitFor();
  }
  await page.getByLabel('How it reaches the customer').selectOption('none');
  await cell(page, 'Subtotal').getByText('€7.00').waitFor();
  await page.getByLabel('Payment').selectOption('paid');
  await page.getByText('It becomes: Processing').waitFor();
  await submit(page).press('Enter');
  await page.waitForURL(/open=\d+/);
  const id = Number(new URL(page.url()).searchParams.get('open'));
  const order = await shop.client.orders.get(id);
  assert.deepEqual([order.customer_name, order.customer_id, order.items[0]?.quantity, order.payment_status], ['Walk-in', null, 2, 'paid']);
  await page.done();
});

test('what is missing is said at its field; what is not in stock leads to its quantity; a changed total is shown first', async () => {
  const rare = await makeVariant(shop, { product_id: (await makeProduct(shop, { name: 'Rare gong' })).id, price_cents: 5000, stock: 1 });
  const page = await shop.open({ path: '/orders/new', width: 1440 });
  await add(page, 'rare gong', /Rare gong/);
  await page.getByLabel('How it reaches the customer').selectOption('none');
  await cell(page, 'Total').getByText('€').waitFor();
  await page.getByLabel('Voucher').fill('NOPE');
  await page.locator('.field.wrong', { hasText: 'Voucher' }).waitFor();
  await page.getByLabel('Voucher').fill('');
  await cell(page, 'Total').getByText('€').waitFor();
  await page.getByLabel('Send the customer a confirmation').check();
  await submit(page).click();
  await page.locator('.field.wrong', { hasText: 'Name' }).first().waitFor();
  await page.locator('.field.wrong', { hasText: 'Email' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'phone-order-refused-light');
  await page.getByLabel('Name', { exact: true }).fill('Ödön');
  await page.getByLabel('Email').fill('odon@example.org');
  await page.getByLabel('Quantity of Rare gong').fill('3');
  await page.getByText('Only 1 are in stock.').waitFor();
  await submit(page).click();
  await page.getByRole('button', { name: 'To the quantities' }).click();
  assert.equal(await page.getByLabel('Quantity of Rare gong').evaluate((field) => field === field.ownerDocument.activeElement), true);
  await page.getByLabel('Quantity of Rare gong').fill('1');
  await cell(page, 'Subtotal').getByText('€50.00').waitFor();
  await shop.client.products.update_variant(rare.id, { price_cents: 6000 });
  await submit(page).click();
  await page.getByText(/The total has changed meanwhile: it is €/).waitFor();
  await cell(page, 'Subtotal').getByText('€60.00').waitFor();
  await submit(page).click();
  await page.waitForURL(/open=\d+/);
  const made = await shop.client.orders.get(Number(new URL(page.url()).searchParams.get('open')));
  assert.equal(made.subtotal, 6000);
  await page.done();
});

test('from the customer to the lines without the mouse; a voucher that has expired says why there are no totals; the list has the order', async () => {
  const customer = await makeCustomer(shop, { name: 'Wendelin Amsel' });
  await makeAddress(shop, customer.id);
  await makeVariant(shop, { product_id: (await makeProduct(shop, { name: 'Nutcracker' })).id, price_cents: 2000 });
  await shop.client.vouchers.create({ code: 'SUMMER', kind: 'percent', percent_bps: 1000, valid_to: '2020-09-01T00:00:00.000Z' });
  const page = await shop.open({ path: '/orders', width: 1440 });
  await page.getByRole('row').nth(1).waitFor();
  await page.getByRole('link', { name: 'New order' }).click();
  await page.getByLabel('Find a customer').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('wendelin');
  await page.getByRole('option', { name: /Wendelin Amsel/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Add a product').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('nutcracker');
  await page.getByRole('option', { name: /Nutcracker/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('How it reaches the customer').selectOption('none');
  await cell(page, 'Total').getByText('€').waitFor();
  await page.getByLabel('Voucher').fill('SUMMER');
  await page.getByText('the voucher has expired').waitFor();
  await page
    .getByRole('complementary', { name: 'Totals' })
    .getByText(/^There are no totals until/)
    .waitFor();
  await page.getByText('not possible as it stands').waitFor();
  await shoot(page, 'phone-order-expired');
  await page.getByLabel('Voucher').fill('');
  await cell(page, 'Subtotal').getByText('€20.00').waitFor();
  await submit(page).click();
  await page.getByRole('complementary').getByText('Wendelin Amsel').waitFor();
  await page.getByRole('row', { name: /Wendelin Amsel/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: /new order/ }).count(), 0);
  await page.done();
});

test('who leaves an order half typed is asked; who may not change orders is told', async () => {
  const page = await shop.open({ path: '/orders/new' });
  await page.getByLabel('Name', { exact: true }).fill('Half');
  await page.getByRole('link', { name: 'To the orders' }).click();
  await page.getByText('Leave what you have edited?').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half');
  await page.done();
  const reader = await shop.admin('Reader', ['admin_api.orders.read']);
  const other = await shop.open({ path: '/orders/new', token: reader.token });
  await other.getByText('You may not change orders.').waitFor();
  await other.done();
});

test(`axe-core finds nothing on a new order with long names in light and dark colours, at 360 and 2,560 pixels`, async () => {
  const name = `Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz`;
  await makeVariant(shop, { product_id: (await makeProduct(shop, { name })).id, price_cents: 98_765_43 });
  for (const width of [2560, 360]) {
    const page = await shop.open({ path: '/orders/new', width });
    await add(page, name, /Rindfleisch/);
    await page.getByLabel('How it reaches the customer').selectOption('none');
    await page.getByLabel('Another billing address').check();
    await cell(page, 'Total').getByText('€').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false);
    await shoot(page, `phone-order-${width}`);
    await page.done();
  }
});
