import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole();
});
after(() => shop.close());

const entry = (page: OpenPage, text: string | RegExp) => page.locator('.timeline-entry', { hasText: text });

test('an order shows by day what happened to it, with before and after; a filter leaves one kind', async () => {
  const { id } = await makeOrder(shop);
  await shop.client.orders.update_status(id, { status: 'processing' });
  await shop.client.orders.create_payment(id, { label: 'Deposit', amount_cents: 1234, note: 'in cash' });
  await shop.client.orders.edit(id, { internal_notes: 'fragile', payment_adjustment_note: 'the buyer asked' });
  const page = await shop.open({ path: `/orders?open=${id}&tab=history`, width: 1440 });
  await entry(page, 'Order edited').getByText('the buyer asked').waitFor();
  await entry(page, 'Payment added').getByText('Deposit · €12.34 · not paid yet').waitFor();
  await entry(page, 'Status changed').getByText('Pending').waitFor();
  await entry(page, 'Order placed').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'timeline-order');
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Payments' }).click();
  await entry(page, 'Order placed').waitFor({ state: 'detached' });
  await entry(page, 'Payment added').waitFor();
  await page.done();
});

test('an edit of a customer is taken back from the timeline: what was changed since is left alone unless it is ticked', async () => {
  const { id } = await makeCustomer(shop, { name: 'Ann Long' });
  await shop.client.customers.update(id, { name: 'Anna Long', phone: '+43 1' });
  await shop.client.customers.update(id, { phone: '+43 2' });
  for (const width of [390, 1440]) {
    for (const theme of ['light', 'dark'] as const) {
      const page = await shop.open({ path: `/customers/${id}`, width, theme });
      await entry(page, 'Anna Long').getByRole('button', { name: 'Take back: Details changed' }).click();
      await page.getByRole('table', { name: 'What the edit changed' }).waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await isTooWide(page), false);
      await shoot(page, `timeline-undo-${width}`);
      await page.done();
    }
  }
  const page = await shop.open({ path: `/customers/${id}`, width: 1440 });
  await entry(page, 'Anna Long').getByRole('button', { name: 'Take back: Details changed' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Take back “Details changed”?' });
  const row = dialog.getByRole('row', { name: /Phone/ });
  await row.getByText('Changed since').waitFor();
  assert.deepEqual(await row.getByRole('cell').allTextContents(), ['nothing', '+43 1', '+43 2']);
  const phone = dialog.getByRole('checkbox', { name: 'Take back Phone' });
  assert.deepEqual([await phone.isChecked(), await dialog.getByRole('checkbox', { name: 'Take back Name' }).isChecked()], [false, true]);
  await dialog.getByRole('button', { name: 'Take back 1 value', exact: true }).waitFor();
  await shop.client.customers.update(id, { phone: '+43 3' });
  await dialog.getByRole('button', { name: 'Take back 1 value', exact: true }).click();
  await dialog.getByText('Something has changed since you looked at it.').waitFor();
  await row.getByRole('cell', { name: '+43 3' }).waitFor();
  assert.equal((await shop.client.customers.get(id)).name, 'Anna Long');
  await phone.focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Take back 2 values' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const { name, phone: now } = await shop.client.customers.get(id);
  assert.deepEqual([name, now], ['Ann Long', null]);
  await page.done();
});

test('the status of an order is taken back from its timeline; a reader is offered nothing', async () => {
  const { id } = await makeOrder(shop);
  await shop.client.orders.update_status(id, { status: 'processing' });
  const path = `/orders?open=${id}&tab=history`;
  const page = await shop.open({ path, width: 1440 });
  await entry(page, 'Status changed').getByRole('button', { name: 'Take back: Status changed' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /Status.*Pending.*Processing/ }).waitFor();
  await dialog.getByRole('button', { name: 'Take back 1 value', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await shop.client.orders.get(id)).status, 'pending');
  await page.done();
  const reader = await shop.admin('Reading Only', ['admin_api.orders.read', 'admin_api.logs.read']);
  const other = await shop.open({ path, token: reader.token, width: 1440 });
  await entry(other, 'Status changed').first().waitFor();
  assert.equal(await other.getByRole('button', { name: /^Take back/ }).count(), 0);
  await other.done();
});

test('a comment is written by keyboard with the name of an admin, who is told, and is changed and deleted', async () => {
  const { id } = await makeOrder(shop);
  const berta = await shop.admin('Berta Quill', ['admin_api.orders.read']);
  const page = await shop.open({ path: `/orders?open=${id}&tab=history`, width: 1440 });
  const box = page.getByRole('form', { name: 'Write a comment' });
  await box.getByRole('textbox').focus();
  await page.keyboard.type('Please call @ber');
  await page.getByRole('option', { name: 'Berta Quill' }).waitFor();
  await shoot(page, 'timeline-mention');
  await page.keyboard.press('Enter');
  await page.keyboard.type('before noon');
  assert.equal(await box.getByRole('textbox').inputValue(), 'Please call @Berta Quill before noon');
  await page.keyboard.press('Control+Enter');
  await entry(page, 'Please call').locator('.mention', { hasText: '@Berta Quill' }).waitFor();
  assert.equal(await box.getByRole('textbox').inputValue(), '');
  const [comment] = (await shop.client.orders.timeline(id, { kind: 'comment' })).data;
  assert.match(comment?.comment?.body ?? '', /^Please call <@\d+> before noon$/);
  const { notifications } = await berta.client.notifications.list();
  assert.equal(notifications.find(({ type }) => type === 'mentioned')?.link, `/orders?open=${id}&tab=history`);
  await entry(page, 'Please call')
    .getByRole('button', { name: /^Edit the comment/ })
    .click();
  const edit = page.getByRole('form', { name: /^Edit the comment/ });
  assert.equal(await edit.getByRole('textbox').inputValue(), 'Please call @Berta Quill before noon');
  await edit.getByRole('textbox').fill('Called.');
  await page.keyboard.press('Control+Enter');
  await entry(page, 'Called.').getByText('edited').waitFor();
  await entry(page, 'Called.')
    .getByRole('button', { name: /^Delete the comment/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await entry(page, 'Comment deleted').waitFor();
  await page.done();
});

test('a timeline shows what others do meanwhile, and its older part when it is asked for', async () => {
  const customer = await makeCustomer(shop, { name: 'Long known' });
  const { id } = customer;
  for (let n = 1; n <= 31; n++) await shop.client.customers.create_note(id, { body: `Note ${n}` });
  const page = await shop.open({ path: `/customers/${id}`, width: 1440 });
  await entry(page, 'Note 31').waitFor();
  await shop.client.customers.create_note(id, { body: 'Just now' });
  await entry(page, 'Just now').waitFor();
  assert.equal(await entry(page, 'Customer added').count(), 0);
  await page.getByRole('button', { name: 'Show older' }).click();
  await entry(page, 'Customer added').waitFor();
  await page.done();
});

test('the timeline of a customer in light and dark colours, at 390 and 1,440 pixels', async () => {
  const customer = await makeCustomer(shop, { name: 'Anna Kovács', email: 'anna.timeline@example.org' });
  const { id } = customer;
  const group = await shop.client.access_groups.create({ slug: 'timeline', name: 'Readers' });
  await shop.client.customers.update(id, { phone: '+36 1 234 5678' });
  await shop.client.access_groups.create_grant(group.id, { customer_id: id, expires_at: null, note: 'a guest' });
  await shop.client.customers.adjust_credits(id, { delta: 1500, note: 'sorry for the delay' });
  await makeOrder(shop, { customer });
  await shop.client.customers.create_note(id, { body: 'Rings before noon; <@1> knows her.' });
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      const page = await shop.open({ path: `/customers/${id}`, width, theme });
      await entry(page, 'Access granted').getByText('Readers').waitFor();
      await entry(page, '+1,500 credits').getByText('sorry for the delay').waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await isTooWide(page), false);
      await page.getByRole('heading', { name: 'Timeline' }).scrollIntoViewIfNeeded();
      await shoot(page, `timeline-customer-${width}-${theme}`);
      await page.done();
    }
  }
});
