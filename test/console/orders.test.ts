import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder } from '../helpers/builders.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

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
  await page.getByPlaceholder('Name, email or #number').fill(first.customer_email);
  await page.getByRole('row', { name: new RegExp(first.public_id) }).waitFor();
  assert.doesNotMatch(page.url(), /cursor=/);
  await page.reload();
  assert.equal(await page.getByPlaceholder('Name, email or #number').inputValue(), first.customer_email);
  await page.getByRole('button', { name: 'Payment failed' }).click();
  const failed = await shop.client.orders.list({ payment_status: 'failed' });
  await page.getByText(`${failed.total} orders`, { exact: true }).waitFor();
  assert.equal(await page.getByPlaceholder('Name, email or #number').inputValue(), '');
  await page.done();
});

test('by keyboard alone: to the list, down, open, select, set the status of what is selected', async () => {
  const { data } = await shop.client.orders.list({ per_page: 3 });
  const [, second, third] = data;
  assert.ok(second && third);
  await shop.client.orders.bulk_status({ ids: [second.id, third.id], status: 'pending' });
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.pressPair('g', 'o');
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

test('filters are added by a key, changed in place, and taken away; a column is sorted by', async () => {
  const page = await shop.open({ path: '/orders', width: 1440 });
  await page.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('f');
  await page.getByRole('menuitem', { name: 'Paid so far' }).press('Enter');
  const progress = page.getByRole('combobox', { name: 'Paid so far' });
  await progress.and(page.locator(':focus')).waitFor();
  await progress.selectOption('unpaid');
  const unpaid = await shop.client.orders.list({ payment_progress: 'unpaid' });
  await page.getByText(`${unpaid.total} orders`, { exact: true }).waitFor();
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('menuitem', { name: 'Total' }).click();
  await page.getByLabel('At least').fill('100');
  const large = await shop.client.orders.list({ payment_progress: 'unpaid', total_min: '100' });
  assert.notEqual(large.total, unpaid.total);
  await page.getByText(`${large.total} orders`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove the filter Paid so far' }).click();
  await page.getByRole('button', { name: 'Total', exact: true }).click();
  assert.equal(await page.getByRole('columnheader', { name: 'Total' }).getAttribute('aria-sort'), 'descending');
  const [most] = (await shop.client.orders.list({ total_min: '100', sort: '-total', per_page: 1 })).data;
  await page
    .getByRole('row')
    .nth(1)
    .getByText(most?.public_id ?? 'an order')
    .waitFor();
  assert.match(page.url(), /min=.*100.*sort=-total/);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Email' }).click();
  await page.getByRole('columnheader', { name: 'Email' }).waitFor();
  await page.reload();
  await page.getByRole('columnheader', { name: 'Email' }).waitFor();
  await page.done();
});

test('an order is found by its number; a customer and an internal status are filters, too', async () => {
  const [order] = (await shop.client.orders.list({ per_page: 1 })).data;
  assert.ok(order?.customer_id);
  const mark = await shop.client.order_statuses.create({ name: 'Fragile goods' });
  await shop.client.orders.update_internal_status(order.id, { internal_status_id: mark.id });
  const page = await shop.open({ path: `/orders?q=${order.public_id}` });
  await page.getByText('1 order', { exact: true }).waitFor();
  await page.getByPlaceholder('Name, email or #number').fill(`#${order.id}`);
  await page.getByRole('row', { name: new RegExp(order.public_id) }).waitFor();
  await page.goto(`${shop.url}/orders?customer=${order.customer_id}&internal=${mark.id}`);
  await page.getByText('1 order', { exact: true }).waitFor();
  await page.getByRole('list', { name: 'Filters' }).getByText(order.customer_name).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Internal status' }).inputValue(), String(mark.id));
  await page.done();
});

test('a view is saved with its columns, shared with a colleague, changed and deleted', async () => {
  const page = await shop.open({ path: '/orders?status=shipped', width: 1440 });
  await page.getByRole('button', { name: 'Save as view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.locator('.field.wrong', { hasText: 'Name' }).waitFor();
  await dialog.getByLabel('Name').fill('On their way');
  await dialog.getByLabel('Show it to all admins').check();
  await dialog.getByLabel('Name').press('Enter');
  await page.getByRole('button', { name: 'On their way', pressed: true }).waitFor();
  assert.match(page.url(), /view=\d+/);
  const [view] = await shop.client.me.list_views({ screen: 'orders' });
  assert.deepEqual([view?.name, view?.search, view?.shared], ['On their way', { status: 'shipped' }, true]);
  const colleague = await shop.admin('Colleague', ['admin_api.orders.read']);
  const theirs = await shop.open({ path: '/orders', token: colleague.token });
  await theirs.getByRole('button', { name: /On their way/ }).click();
  await theirs.getByRole('combobox', { name: 'Status' }).waitFor();
  assert.equal(await theirs.getByRole('button', { name: 'Delete view' }).count(), 0);
  assert.equal(await theirs.getByRole('link', { name: 'New order' }).count(), 0);
  await theirs.done();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('delivered');
  await page.getByRole('button', { name: 'Save changes to "On their way"' }).click();
  await page.getByRole('button', { name: 'Save changes to "On their way"' }).waitFor({ state: 'detached' });
  assert.deepEqual((await shop.client.me.list_views({ screen: 'orders' }))[0]?.search, { status: 'delivered' });
  await page.getByRole('button', { name: 'Delete view' }).click();
  await dialog.getByText('It is gone for all admins.').waitFor();
  await dialog.getByRole('button', { name: 'Delete view' }).click();
  await page.getByRole('button', { name: /On their way/ }).waitFor({ state: 'detached' });
  assert.deepEqual(await shop.client.me.list_views({ screen: 'orders' }), []);
  await page.done();
});

test('new orders are announced and not inserted', async () => {
  const page = await shop.open({ path: '/orders' });
  const first = page.getByRole('row').nth(1);
  await first.waitFor();
  const shown = await first.getAttribute('data-id');
  const { id } = await makeOrder(shop);
  await page.getByRole('button', { name: '1 new order: show it' }).waitFor();
  assert.equal(await first.getAttribute('data-id'), shown);
  await page.getByRole('button', { name: '1 new order: show it' }).click();
  await page.locator(`tr[data-id="${id}"]`).waitFor();
  assert.equal(await first.getAttribute('data-id'), String(id));
  await page.done();
});

test('all that match are selected only by an act of their own; more than a page is asked about', async () => {
  const { total } = await shop.client.orders.list({ payment_status: 'paid', status: 'delivered' });
  assert.ok(total > 50);
  const page = await shop.open({ path: '/orders?payment=paid&status=delivered', width: 1440 });
  await page.getByRole('checkbox', { name: 'Select all 50 on this page' }).check();
  await page.getByText('50 selected').waitFor();
  await page.getByRole('button', { name: `Select all ${total} that match Status: Delivered, Payment: Paid` }).click();
  await page.getByText(`${total} selected`).waitFor();
  await page.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'Shipped' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`Set ${total} orders to Shipped?`).waitFor();
  await shoot(page, 'orders-bulk-light');
  await dialog.getByRole('button', { name: `Set ${total} orders` }).click();
  await page.getByText(`${total} orders are shipped now.`).waitFor();
  assert.equal((await shop.client.orders.list({ payment_status: 'paid', status: 'delivered' })).total, 0);
  await page.done();
});

test('a task that takes orders runs on what is selected, as a dry run first', async () => {
  const source = 'export default async () => ({});';
  const parameters = [{ name: 'orders', kind: 'order_ids', required: true }];
  const { task_id } = await shop.client.ai_tasks.create({
    name: 'Tag them',
    description: '',
    source_code: source,
    permissions: [],
    parameters,
  });
  await shop.client.ai_tasks.create({ name: 'Takes no orders', description: '', source_code: source, permissions: [], parameters: [] });
  const page = await shop.open({ path: '/orders', width: 1440 });
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('checkbox').nth(2).check();
  await page.getByRole('button', { name: 'Run a task on them' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Tag them' }).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Takes no orders' }).count(), 0);
  await dialog.getByRole('button', { name: 'Tag them' }).click();
  await dialog.getByText('Tag them, on 2 selected.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'orders-run-task-light');
  await dialog.getByRole('button', { name: 'Start the dry run' }).click();
  await page.waitForURL(new RegExp(`/tasks/${task_id}/runs/\\d+$`));
  const id = Number(page.url().split('/').at(-1));
  const run = await shop.client.ai_tasks.get_run(task_id, id);
  assert.equal(run.dry_run, true);
  await page.done();
});

test(`axe-core finds nothing on the orders in light and dark colours: with an order open, selected rows, and at 360 pixels`, async () => {
  const wide = await shop.open({ path: '/orders', width: 2560 });
  await wide.getByRole('row').nth(2).click();
  await wide.getByText('Subtotal').waitFor();
  await wide.getByRole('checkbox').nth(3).check();
  await wide.getByRole('button', { name: '+ Filter' }).click();
  await wide.getByRole('menuitem', { name: 'Delivery' }).click();
  await wide.getByLabel('Without a date').waitFor();
  assert.deepEqual(await accessibilityFaults(wide), []);
  await shoot(wide, `orders-2560`);
  await wide.done();
  const narrow = await shop.open({ path: '/orders', width: 360 });
  await narrow.getByRole('row').nth(2).waitFor();
  assert.deepEqual(await accessibilityFaults(narrow), []);
  await shoot(narrow, `orders-360`);
  assert.equal(await isTooWide(narrow), false);
  await narrow.done();
});
