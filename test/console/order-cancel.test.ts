import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder, makeVariant } from '../helpers/builders.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole();
});
after(() => shop.close());

async function select(ids: readonly number[], options: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
  const page = await shop.open({ path: '/orders', width: 1440, ...options });
  for (const id of ids) await page.locator(`tr[data-id="${id}"]`).getByRole('checkbox').check();
  return page;
}

async function choose(page: OpenPage, status: string): Promise<void> {
  await page.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: status }).click();
}

const statusOf = async (id: number) => (await shop.client.orders.get(id)).status;

test('a cancellation of many is asked about, with what it does to stock, money and labels; the way back does nothing', async () => {
  const variant = await makeVariant(shop, { stock: 20, price_cents: 1000 });
  const open = await makeOrder(shop, {}, [{ variant, quantity: 3 }]);
  const sent = await makeOrder(shop, { status: 'shipped' }, [{ variant, quantity: 2 }]);
  const gone = await makeOrder(shop, { status: 'cancelled' });
  await shop.client.orders.create_payment(open.id, { label: 'Deposit', amount_cents: 500, paid: true });
  const { shipment, courier_options } = await shop.client.orders.create_shipment(open.id);
  const [offer] = courier_options;
  assert.ok(offer);
  await shop.client.orders.buy_label(open.id, shipment.id, { courier_id: offer.courier_id, courier_name: offer.courier_name });
  const ids = [open.id, sent.id, gone.id];
  const page = await select(ids);
  await choose(page, 'Cancelled');
  const dialog = page.getByRole('dialog', { name: 'Cancel 2 orders?' });
  for (const words of [
    '1 is cancelled already.',
    '3 pieces come back into stock.',
    '1 was sent already: its stock does not come back.',
    '1 is paid, wholly or in part: no money goes back by this.',
    '1 bought label stays bought. Remove the shipment to ask for the money.',
    'The shop sends the customers no mail about it.',
  ]) {
    await dialog.getByText(words).waitFor();
  }
  assert.equal(await dialog.getByText(/voucher of|download link|access to/).count(), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'order-cancel-many');
  await dialog.getByRole('button', { name: 'Keep them' }).click();
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['pending', 'shipped', 'cancelled']);
  await choose(page, 'Cancelled');
  await dialog.getByRole('button', { name: 'Cancel 2 orders' }).click();
  await page.getByText('2 orders are cancelled now. 1 order was cancelled already.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['cancelled', 'cancelled', 'cancelled']);
  assert.equal((await shop.client.products.get_variant(variant.id)).stock, 18);
  await page.done();
});

test('the cancellation of one order says what it does to this one: its money, its label; what was paid is still shown afterwards', async () => {
  const { id } = await makeOrder(shop, { total: 5000 });
  await shop.client.orders.create_payment(id, { label: 'Deposit', amount_cents: 500, paid: true });
  const { shipment, courier_options } = await shop.client.orders.create_shipment(id);
  const [offer] = courier_options;
  assert.ok(offer);
  await shop.client.orders.buy_label(id, shipment.id, { courier_id: offer.courier_id, courier_name: offer.courier_name });
  const page = await shop.open({ path: `/orders?open=${id}`, width: 1440 });
  const sheet = page.getByRole('complementary');
  // The head says which of two states that are called alike is the payment.
  await sheet.locator('.sheet-head').getByText('Payment pending').waitFor();
  await sheet.getByText('By hand', { exact: true }).waitFor();
  await sheet.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('form', { name: 'Edit the order' }).getByLabel('Status').selectOption('cancelled');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' });
  await dialog.getByText('€5.00 was paid for it: no money goes back by this.').waitFor();
  await dialog.getByText('1 bought label stays bought. Remove the shipment to ask for the money.').waitFor();
  await dialog.getByText('The shop sends the customer no mail about it.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel the order' }).click();
  await sheet.getByText('Paid so far: €5.00').waitFor();
  assert.equal(await statusOf(id), 'cancelled');
  await page.done();
});

test('the next step of an order is one act, which can be undone; its cancellation is one act that asks', async () => {
  const { id } = await makeOrder(shop, { status: 'processing' });
  await shop.client.orders.create_payment(id, { label: 'Deposit', amount_cents: 500, paid: true });
  const page = await shop.open({ path: `/orders?open=${id}`, width: 1440 });
  const sheet = page.getByRole('complementary');
  await sheet.getByRole('button', { name: 'Mark as shipped' }).click();
  await page.getByText('1 order is shipped now.').waitFor();
  await sheet.locator('.sheet-head').getByText('Shipped').waitFor();
  // A quick second click hits no further step.
  assert.equal(await sheet.getByRole('button', { name: 'Mark as' }).count(), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await sheet.getByRole('button', { name: 'Mark as shipped' }).waitFor();
  assert.equal(await statusOf(id), 'processing');
  await sheet.getByRole('button', { name: 'Cancel the order…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' });
  await dialog.getByText('€5.00 was paid for it: no money goes back by this.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  assert.equal(await statusOf(id), 'processing');
  await sheet.getByRole('button', { name: 'Cancel the order…' }).click();
  await dialog.getByRole('button', { name: 'Cancel the order' }).click();
  await sheet.locator('.sheet-head').getByText('Cancelled').waitFor();
  assert.equal(await sheet.getByRole('button', { name: /Cancel the order|Mark as/ }).count(), 0);
  assert.equal(await statusOf(id), 'cancelled');
  await page.done();
});

test('of many orders it is told how many have another status by this, and how many had it before', async () => {
  const [pending, processing] = [await makeOrder(shop), await makeOrder(shop, { status: 'processing' })];
  const page = await select([pending.id, processing.id]);
  await choose(page, 'Processing');
  await page.getByText('1 order is processing now. 1 order was processing already.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Taken back: 1 order has its earlier status again.').waitFor();
  await page.locator(`tr[data-id="${processing.id}"]`).getByRole('checkbox').uncheck();
  await choose(page, 'Pending');
  await page.getByText('1 order was pending already.', { exact: true }).waitFor();
  await page.done();
});

test('another status is undone for ten seconds: each order gets its own earlier one, but none that was changed since', async () => {
  const [pending, processing, changed] = [await makeOrder(shop), await makeOrder(shop, { status: 'processing' }), await makeOrder(shop)];
  const page = await select([pending.id, processing.id, changed.id]);
  await choose(page, 'Shipped');
  await page.getByText('3 orders are shipped now.').waitFor();
  await shop.client.orders.update_status(changed.id, { status: 'delivered' });
  await shoot(page, 'order-undo');
  assert.deepEqual(await accessibilityFaults(page), []);
  // Cleared selection and another page do not end the offer.
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Calendar' }).click();
  await page.waitForURL(/calendar/);
  await page.keyboard.press('u');
  await page.getByText('Taken back: 2 orders have their earlier status again. 1 order was changed since and stays as it is.').waitFor();
  assert.deepEqual(await Promise.all([pending.id, processing.id, changed.id].map(statusOf)), ['pending', 'processing', 'delivered']);
  await page.done();
});

test('the offer to undo ends after ten seconds, and not while the pointer rests on it', async () => {
  const { id } = await makeOrder(shop);
  const page = await shop.open({ path: '/orders', width: 390 });
  await page.clock.install();
  await page.reload();
  await page.locator(`tr[data-id="${id}"]`).getByRole('checkbox').check();
  await choose(page, 'Processing');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.hover();
  await page.clock.fastForward(30_000);
  assert.equal(await undo.count(), 1);
  await shoot(page, 'order-undo-390');
  await page.mouse.move(200, 100);
  await page.clock.fastForward(9_000);
  assert.equal(await undo.count(), 1);
  await page.clock.fastForward(2_000);
  await undo.waitFor({ state: 'detached' });
  assert.equal(await statusOf(id), 'processing');
  await page.done();
});

test('an undo that is refused again and again is offered again each time, and has its effect once it goes through', async () => {
  const { id } = await makeOrder(shop);
  const page = await select([id]);
  await choose(page, 'Processing');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await page.route('**/orders/bulk-status', (route) => route.fulfill({ status: 409, json: {} }), { times: 2 });
  await undo.click();
  await page.getByText(/^It could not be taken back/).waitFor();
  await undo.click();
  await undo.click();
  await page.getByText('Taken back: 1 order has its earlier status again.').waitFor();
  assert.equal(await statusOf(id), 'pending');
  await page.done();
});

test('while one undo is on its way, a later change keeps its own offer', async () => {
  const [first, second] = [await makeOrder(shop), await makeOrder(shop)];
  const page = await select([first.id]);
  const row = ({ id }: { id: number }) => page.locator(`tr[data-id="${id}"]`);
  await choose(page, 'Processing');
  await page.getByText('1 order is processing now.').waitFor();
  const held = Promise.withResolvers<void>();
  const undo = { ids: [first.id], status: 'pending', from_status: 'processing' };
  await page.route('**/orders/bulk-status', async (route) => {
    if (JSON.stringify(route.request().postDataJSON()) === JSON.stringify(undo)) await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(first).getByRole('checkbox').uncheck();
  await row(second).getByRole('checkbox').check();
  await choose(page, 'Shipped');
  await page.getByText('1 order is shipped now.').waitFor();
  held.resolve();
  await row(first).getByText('Pending').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Taken back: 1 order has its earlier status again.').waitFor();
  assert.deepEqual(await Promise.all([first.id, second.id].map(statusOf)), ['pending', 'pending']);
  await page.done();
});

test('while an order’s new status is looked at before it is saved, nothing is typed or saved a second time', async () => {
  const { id } = await makeOrder(shop);
  const page = await shop.open({ path: `/orders?open=${id}`, width: 1440 });
  await page.getByRole('complementary').getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('form', { name: 'Edit the order' });
  await form.getByLabel('Status').selectOption('processing');
  const held = Promise.withResolvers<void>();
  await page.route('**/orders/bulk-status/preview', async (route) => {
    await held.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/orders/bulk-status/preview');
  await form.getByRole('button', { name: 'Save' }).click();
  await asked;
  assert.equal(await form.getByRole('button', { name: 'Save' }).isDisabled(), true);
  assert.equal(await form.getByLabel('Status').isDisabled(), true);
  held.resolve();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal(await statusOf(id), 'processing');
  await page.done();
});

test('the way back from the question before a save leads to the field from which it was asked', async () => {
  const { id } = await makeOrder(shop);
  const page = await shop.open({ path: `/orders?open=${id}`, width: 1440 });
  await page.getByRole('complementary').getByRole('button', { name: 'Edit', exact: true }).click();
  const status = page.getByRole('form', { name: 'Edit the order' }).getByLabel('Status');
  await status.selectOption('cancelled');
  await status.focus();
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
  await status.and(page.locator(':focus')).waitFor();
  await page.done();
});

test('a change of many whose first answer was lost goes through at the second try, with what is left of it', async () => {
  const { ids } = await shop.client.orders.list_ids({ status: 'delivered' });
  for (const at of [0, 250]) await shop.client.orders.bulk_status({ ids: ids.slice(at, at + 250), status: 'processing' });
  const { total } = await shop.client.orders.list({ status: 'processing' });
  assert.ok(total > 250 && total < 500);
  const page = await shop.open({ path: '/orders?status=processing', width: 1440 });
  await page.getByRole('checkbox', { name: 'Select all 50 on this page' }).check();
  await page.getByRole('button', { name: `Select all ${total} that match Status: Processing` }).click();
  await page.route(
    '**/orders/bulk-status',
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 409, json: {} });
    },
    { times: 1 },
  );
  for (const status of [409, 200]) {
    await choose(page, 'Shipped');
    const answer = page.waitForResponse('**/orders/bulk-status');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Set ${total} orders` })
      .click();
    assert.equal((await answer).status(), status);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByText(`${total - 250} orders are shipped now. 250 orders were shipped already.`).waitFor();
  assert.equal((await shop.client.orders.list({ status: 'processing' })).total, 0);
  await page.done();
});
