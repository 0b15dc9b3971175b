import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { holdReads } from './browser.ts';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';
import { orderForms } from './order-form.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 40 });
});
after(() => shop.close());

const { order, openOrder, editOrder, edit, cell, quantity, form, save } = orderForms(() => shop);

test('the sheet is read first; one form saves the state and the lines with one key, and says what it will save', async () => {
  const { id } = await order();
  for (const height of [900, 700]) {
    const page = await openOrder(id, { height });
    const sheet = page.getByRole('complementary');
    assert.equal(await sheet.getByRole('textbox').count(), 0);
    assert.equal(await sheet.getByText('Ctrl S').count(), 0);
    await page.keyboard.press('e');
    await form(page).getByLabel('Status').and(page.locator(':focus')).waitFor();
    assert.equal(await sheet.getByText('Ctrl S').count(), 0);
    // However far the form is scrolled, the act that saves is in the window.
    const bar = await save(page).boundingBox();
    assert.ok(bar && bar.y + bar.height <= height, `the save is at ${bar?.y} of ${height}`);
    await page.done();
  }
  const page = await editOrder(id);
  await form(page).getByText('Nothing is changed yet.').waitFor();
  await page.getByRole('textbox', { name: 'Tracking number' }).fill('1Z999');
  await form(page).getByLabel('Status').selectOption('shipped');
  await form(page).getByLabel('Delivery date').fill('2031-05-04');
  await quantity(page, 'Tin').fill('4');
  await form(page).getByText('Saves: Status, Delivery date, Tracking number, 1 line').waitFor();
  await cell(page, 'Subtotal').getByText('€30.00').waitFor();
  assert.equal(await page.getByRole('complementary').getByText('Ctrl S').count(), 1);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'order-save-bar');
  // Another part of the order is looked at meanwhile: nothing typed is lost, and what saves it stays in sight.
  await page.getByRole('button', { name: 'Payments' }).click();
  assert.equal(await save(page).isVisible(), true);
  await shoot(page, 'order-save-bar-away');
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await page.getByRole('complementary').getByText('Saved', { exact: true }).waitFor();
  assert.equal(await page.getByRole('complementary').getByRole('textbox').count(), 0);
  await shoot(page, 'order-read');
  const is = await shop.client.orders.get(id);
  assert.deepEqual([is.status, is.tracking_number, is.delivery_date, is.subtotal], ['shipped', '1Z999', '2031-05-04', 3000]);
  const mark = await shop.client.order_statuses.create({ name: 'Gift wrap' });
  await page.reload();
  await page.getByLabel('Internal status').selectOption('Gift wrap');
  await page.getByRole('button', { name: 'Timeline' }).click();
  await page.locator('.timeline-entry', { hasText: 'Internal status' }).waitFor();
  assert.equal((await shop.client.orders.get(id)).internal_status_id, mark.id);
  await page.done();
});

test('where one part is refused, the parts before it are saved and not sent again; the refusal is told and nothing typed is lost', async () => {
  const { id, tin } = await order({ status: 'cancelled' });
  await shop.client.products.change_stock(tin.id, { delta: -9, reason: 'broken' });
  const page = await editOrder(id);
  await form(page).getByLabel('Delivery date').fill('2031-05-04');
  await form(page).getByLabel('Status').selectOption('pending');
  await page.keyboard.press('Control+s');
  await form(page).getByRole('alert').waitFor();
  await form(page).getByText('Saves: Status', { exact: true }).waitFor();
  assert.equal(await form(page).getByLabel('Status').inputValue(), 'pending');
  const half = await shop.client.orders.get(id);
  assert.deepEqual([half.delivery_date, half.status], ['2031-05-04', 'cancelled']);
  await shop.client.products.change_stock(tin.id, { delta: 9, reason: 'found' });
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.orders.get(id)).status, 'pending');
  await page.done();
});

test('a status that two have set asks whose to keep; a cancellation asks, with what it does to this order', async () => {
  const { id } = await order();
  await shop.client.orders.create_payment(id, { label: 'Deposit', amount_cents: 500, paid: true });
  const page = await editOrder(id);
  await form(page).getByLabel('Status').selectOption('delivered');
  const go = await holdReads(page);
  await shop.client.orders.update_status(id, { status: 'processing' });
  await save(page).click();
  go();
  await page.getByRole('button', { name: 'Theirs: Processing' }).waitFor();
  assert.equal((await shop.client.orders.get(id)).status, 'processing');
  await page.getByRole('button', { name: 'Mine: Delivered' }).click();
  await save(page).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.orders.get(id)).status, 'delivered');
  await shop.client.orders.update_status(id, { status: 'pending' });
  await page.reload();
  await edit(page);
  await form(page).getByLabel('Status').selectOption('cancelled');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' });
  await dialog.getByText('3 pieces come back into stock.').waitFor();
  await dialog.getByText('€5.00 was paid for it: no money goes back by this.').waitFor();
  await shoot(page, 'order-cancel-one');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  assert.equal((await shop.client.orders.get(id)).status, 'pending');
  await save(page).click();
  await dialog.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.orders.get(id)).status, 'cancelled');
  await page.done();
});
