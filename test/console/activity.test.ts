import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60, runner: true });
});
after(() => shop.close());

test('what the shop tells is new until it is read, for each admin alone', async () => {
  const { client } = await shop.admin('Colleague');
  const before = await client.notifications.list();
  assert.ok(before.unread_count > 0);
  const page = await shop.open({ path: '/activity' });
  const own = await shop.client.notifications.list();
  await page.getByText(own.unread_count === 1 ? '1 is new' : `${own.unread_count} are new`).waitFor();
  await page.getByRole('button', { name: 'Mark as read' }).first().click();
  const left = own.unread_count - 1;
  if (left > 0) await page.getByText(left === 1 ? '1 is new' : `${left} are new`).waitFor();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('button', { name: 'Mark as read' }).first().waitFor({ state: 'detached' });
  assert.equal((await shop.client.notifications.list()).unread_count, 0);
  assert.equal((await client.notifications.list()).unread_count, before.unread_count);
  await page.done();
});

test('a notification shows its severity and leads to a page of the console, or to another site in a tab of its own', async () => {
  const { client } = await shop.admin('Sender');
  await client.notifications.create({ title: 'Not for the owner', body: 'x', admins: [(await client.me.get()).id] });
  await client.notifications.create({ title: 'Orders wait', body: 'Three of them.', link: '/orders?status=pending', severity: 'warning' });
  await client.notifications.create({ title: 'Look there', body: 'It is down.', link: 'https://status.example.com/', severity: 'error' });
  const overview = await shop.open();
  const need = overview.getByRole('listitem').filter({ hasText: 'Orders wait' });
  await need.getByRole('link', { name: 'Show' }).click();
  await overview.waitForURL(/\/orders\?status=pending/);
  await overview.done();
  const page = await shop.open({ path: '/activity' });
  const outside = page.getByRole('listitem').filter({ hasText: 'Look there' });
  assert.match((await outside.textContent()) ?? '', /^Error.*It is down\./);
  const link = outside.getByRole('link', { name: 'status.example.com' });
  assert.deepEqual([await link.getAttribute('target'), await link.getAttribute('rel')], ['_blank', 'noreferrer']);
  const inside = page.getByRole('listitem').filter({ hasText: 'Orders wait' });
  assert.match((await inside.textContent()) ?? '', /^Warning/);
  assert.equal(await page.getByText('Not for the owner').count(), 0);
  await inside.getByRole('link', { name: 'Open' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  await page.done();
});

test('a mail that a task wrote names its run and leads there', async () => {
  const { task_id: taskId } = await shop.client.ai_tasks.create({
    ...{ name: 'Writes', description: '', parameters: [], permissions: ['mail_send'], mail_to: ['@example.org'] },
    source_code: `await mail({ to: 'ops@example.org', subject: 'Stock of tea', text: 'Two left.' });`,
  });
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, {});
  const page = await shop.open({ path: '/activity/mails' });
  const row = page.getByRole('row', { name: /Stock of tea/ });
  await row.getByRole('link', { name: `from run ${runId}` }).click();
  await page.waitForURL(new RegExp(`/tasks/${taskId}/runs/${runId}`));
  await page.done();
});

test('mails that nobody sends say so: there is no next try and no act, until a mail server is set up', async () => {
  const { id } = await shop.client.inquiries.create({ name: 'Anna', email: 'anna@example.org', subject: 'The jug', body: 'Blue?' });
  await shop.client.inquiries.answer(id, { body: 'Yes.' });
  const page = await shop.open({ path: '/activity/mails' });
  const row = page.getByRole('row', { name: /anna@example.org|Anna/ });
  await row.getByText('waiting', { exact: true }).waitFor();
  await page.getByText('No mail server is set up.').waitFor();
  assert.equal(await page.getByText('next try').count(), 0);
  assert.equal(await page.getByRole('button', { name: /Send now/ }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Set up a mail server' }).getAttribute('href'), '/settings/mail');
  // Port 1 refuses, so the mail waits for another attempt, which can be hastened.
  await shop.client.settings.update({ smtp: { host: '127.0.0.1', port: 1, from: 'shop@example.com' } });
  await row.getByRole('button', { name: /Send now/ }).waitFor();
  assert.equal(await page.getByText('No mail server is set up.').count(), 0);
  await shop.client.settings.update({ smtp: null });
  await page.done();
});

test('changes are listed with before and after, filtered by what they are of; the address has the filter', async () => {
  const [order] = (await shop.client.orders.list({ status: 'pending', per_page: 1 })).data;
  assert.ok(order);
  await shop.client.orders.update_status(order.id, { status: 'processing' });
  const page = await shop.open({ path: '/activity/audit' });
  await page.getByLabel('Kind, such as order').fill('order');
  await page.getByLabel('Number').fill(String(order.id));
  const row = page.getByRole('row', { name: /orders\.update_status/ });
  await row.waitFor();
  await page.waitForURL(/type=order.*id=|id=.*type=order/);
  assert.match((await row.textContent()) ?? '', /pending → processing/);
  await page.getByLabel('Action, such as orders.edit').fill('pages.create');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('button', { name: 'Drop the filters' }).click();
  await page.getByRole('row').nth(2).waitFor();
  await page.done();
});

test('an edit is taken back from the list of changes; what cannot be taken back, and by whom, has no act there', async () => {
  const { id } = await shop.client.vouchers.create({ code: 'BACKAGAIN', kind: 'percent', percent_bps: 500 });
  await shop.client.vouchers.update(id, { code: 'NOTTHIS' });
  const path = `/activity/audit?type=voucher&id=${id}`;
  for (const width of [390, 1440]) {
    const page = await shop.open({ path, width });
    await page.getByRole('button', { name: 'Take back: vouchers.update' }).waitFor();
    assert.deepEqual([await accessibilityFaults(page), await isTooWide(page)], [[], false]);
    await shoot(page, `audit-${width}`);
    await page.getByRole('button', { name: 'Take back: vouchers.update' }).click();
    await page.getByRole('table', { name: 'What the edit changed' }).waitFor();
    assert.deepEqual([await accessibilityFaults(page), await isTooWide(page)], [[], false]);
    await shoot(page, `audit-undo-${width}`);
    await page.done();
  }
  const page = await shop.open({ path });
  const made = page.getByRole('row', { name: /vouchers\.create/ });
  await made.waitFor();
  assert.equal(await made.getByRole('button').count(), 0);
  await page.getByRole('button', { name: 'Take back: vouchers.update' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Take back “vouchers\.update/ });
  await dialog.getByRole('row', { name: /BACKAGAIN NOTTHIS NOTTHIS/ }).waitFor();
  await dialog.getByRole('button', { name: 'Take back 1 value', exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await shop.client.vouchers.get(id)).code, 'BACKAGAIN');
  const back = page.getByRole('row').filter({ hasText: 'NOTTHIS → BACKAGAIN' });
  await back.getByText('This edit took back an earlier one.').waitFor();
  await page.done();
  const reader = await shop.admin('Only Reads', ['admin_api.vouchers.read', 'admin_api.logs.read']);
  const other = await shop.open({ path, token: reader.token });
  await other.getByRole('row', { name: /vouchers\.create/ }).waitFor();
  assert.equal(await other.getByRole('button', { name: /^Take back/ }).count(), 0);
  await other.done();
});

test('by keyboard alone: from list to list, the changes are narrowed by their act, and the filter is dropped', async () => {
  await shop.client.pages.create({ slug: 'by-hand', title: 'By hand' });
  const page = await shop.open({ path: '/activity' });
  const tabs = page.getByRole('navigation', { name: 'Activity' });
  await tabs.getByRole('button', { name: 'Notifications' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/activity\/audit/);
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('/');
  await page.getByLabel('Action, such as orders.edit').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('pages.create');
  await page.getByRole('row', { name: /pages\.create/ }).waitFor();
  await page.waitForURL(/action=pages\.create/);
  await page.getByLabel('Number').focus();
  await page.keyboard.type('999999');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('button', { name: 'Drop the filters' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row').nth(1).waitFor();
  assert.equal(new URL(page.url()).search, '');
  await page.done();
});

test('on a narrow screen, what a change changed stands below it', async () => {
  const [order] = (await shop.client.orders.list({ status: 'pending', per_page: 1 })).data;
  assert.ok(order);
  await shop.client.orders.update_status(order.id, { status: 'cancelled' });
  const page = await shop.open({ path: `/activity/audit?type=order&id=${order.id}`, width: 360 });
  const row = page.getByRole('row', { name: /orders\.update_status/ });
  const change = row.getByText('pending → cancelled');
  await change.waitFor();
  const [above, below] = [await row.getByText('orders.update_status').boundingBox(), await change.boundingBox()];
  assert.ok(above && below && below.y >= above.y + above.height, 'the change is below the act');
  assert.ok(below.x >= 0 && below.x + below.width <= 360, 'and inside the window');
  assert.equal(await isTooWide(page), false);
  await page.done();
});

test('the log tells who did what, and can be narrowed to where it comes from', async () => {
  const page = await shop.open({ path: '/activity/log' });
  await page.getByRole('row').nth(1).waitFor();
  await page.getByLabel('From').selectOption('tools');
  await page.getByText('Nothing matches.').waitFor();
  await page.done();
});

test('who may not read the log has notifications only', async () => {
  const { token } = await shop.admin('Narrow', ['admin_api.orders.read']);
  const page = await shop.open({ path: '/activity/log', token });
  await page.getByText('There is no such list').waitFor();
  assert.deepEqual(await page.getByRole('navigation', { name: 'Activity' }).getByRole('button').allTextContents(), ['Notifications']);
  await page.done();
});

test(`axe-core finds nothing on any list of what happened in light and dark colours, at 360 and at 2,560 pixels`, async () => {
  for (const width of [360, 2560]) {
    const page = await shop.open({ path: '/activity', width });
    for (const kind of ['Notifications', 'Log', 'Changes', 'Mails', 'Webhooks']) {
      await page.getByRole('navigation', { name: 'Activity' }).getByRole('button', { name: kind }).click();
      await page.locator('.list, .empty, .news').first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], kind);
      assert.equal(await isTooWide(page), false, `${kind} at ${width}`);
      await shoot(page, `activity-${kind.toLowerCase()}-${width}`);
    }
    await page.done();
  }
});
