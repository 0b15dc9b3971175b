import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, openConsole } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole();
});
after(() => shop.close());

test('orders are found, filtered by a view, and paged; the address has it all', async () => {
  const all = await shop.client.orders.list({ per_page: 50 });
  const page = await shop.open({ path: '/orders' });
  await page.getByText(`${all.total} orders`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'First page' }).waitFor();
  assert.match(page.url(), /cursor=/);
  const [first] = all.data;
  assert.ok(first);
  await page.getByPlaceholder('Name or email').fill(first.customer_email);
  await page.getByRole('row', { name: new RegExp(first.public_id) }).waitFor();
  assert.doesNotMatch(page.url(), /cursor=/);
  await page.reload();
  assert.equal(await page.getByPlaceholder('Name or email').inputValue(), first.customer_email);
  await page.getByRole('button', { name: 'Payment failed' }).click();
  const failed = await shop.client.orders.list({ payment_status: 'failed' });
  await page.getByText(`${failed.total} orders`, { exact: true }).waitFor();
  assert.equal(await page.getByPlaceholder('Name or email').inputValue(), '');
  await page.done();
});

test('by keyboard alone: to the list, down, open, select, set the status of what is selected', async () => {
  const { data } = await shop.client.orders.list({ per_page: 3 });
  const [, second, third] = data;
  assert.ok(second && third);
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('row').nth(3).waitFor();
  await page.locator('tbody tr[tabindex="0"]').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: second.public_id }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: second.public_id }).waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Set status' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Shipped' }).press('Enter');
  await page.getByText('2 orders are shipped now.').waitFor();
  for (const { id } of [second, third]) assert.equal((await shop.client.orders.get(id)).status, 'shipped');
  await page.done();
});

test('what somebody else changed meanwhile is shown and not written over', async () => {
  const [order] = (await shop.client.orders.list({ status: 'pending', per_page: 1 })).data;
  assert.ok(order);
  const page = await shop.open({ path: `/orders?open=${order.id}` });
  const status = page.getByLabel('Status', { exact: true });
  await status.selectOption('shipped');
  await shop.client.orders.update_status(order.id, { status: 'processing' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else changed this order meanwhile.').waitFor();
  assert.equal((await shop.client.orders.get(order.id)).status, 'processing');
  await page.getByRole('complementary').getByText('Processing').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  assert.equal((await shop.client.orders.get(order.id)).status, 'shipped');
  await page.done();
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe-core finds nothing on the orders in ${theme} colours: with an order open, selected rows, and at 360 pixels`, async () => {
    const wide = await shop.open({ path: '/orders', theme, width: 2560 });
    await wide.getByRole('row').nth(2).click();
    await wide.getByText('Subtotal').waitFor();
    await wide.getByRole('checkbox').nth(3).check();
    assert.deepEqual(await accessibilityFaults(wide), []);
    await wide.done();
    const narrow = await shop.open({ path: '/orders', theme, width: 360 });
    await narrow.getByRole('row').nth(2).waitFor();
    assert.deepEqual(await accessibilityFaults(narrow), []);
    assert.equal(await narrow.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
    await narrow.done();
  });
}
