import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder } from '../helpers/builders.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

async function openPart(id: number, part: 'payments' | 'shipments', more: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
  const page = await shop.open({ path: `/orders?open=${id}&tab=${part}`, width: 1440, ...more });
  await page.getByRole('heading', { name: part === 'payments' ? 'Payments' : 'Shipments' }).waitFor();
  return page;
}

test('payments are added, refused at their field, marked paid, put in order, edited and deleted', async () => {
  const { id } = await makeOrder(shop, { total: 10_000, shipping_country: null });
  const { total } = await shop.client.orders.get(id);
  const page = await openPart(id, 'payments');
  await page.getByText('No payment is recorded yet.').waitFor();
  await page.getByRole('button', { name: 'Add a payment' }).click();
  const form = page.getByRole('form', { name: 'Add a payment' });
  assert.equal(await form.getByLabel('Amount').inputValue(), (total / 100).toFixed(2));
  await form.getByRole('button', { name: 'Add' }).click();
  await form.locator('.field.wrong', { hasText: 'Label' }).waitFor();
  await form.getByLabel('Label').fill('Deposit');
  await form.getByLabel('Amount').fill('40');
  await form.getByLabel('It is paid').check();
  await form.getByRole('button', { name: 'Add' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Payment Deposit' }).waitFor();
  await page.getByRole('button', { name: 'Add a payment' }).click();
  await form.getByLabel('Label').fill('Balance');
  await page.keyboard.press('Control+s');
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Move Balance up' }).click();
  await page.getByRole('button', { name: 'Move Balance up' }).and(page.locator('[disabled]')).waitFor();
  assert.deepEqual(
    (await shop.client.orders.list_payments(id)).map(({ label }) => label),
    ['Balance', 'Deposit'],
  );
  await page.getByRole('group', { name: 'Payment Balance' }).getByRole('button', { name: 'Mark paid' }).click();
  await page.getByRole('complementary').locator('.sheet-head').getByText('Paid', { exact: true }).waitFor();
  assert.equal((await shop.client.orders.get(id)).payment_status, 'paid');
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'order-payments-light');
  await page.getByRole('group', { name: 'Payment Deposit' }).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Amount').fill('30.00');
  await page.getByRole('button', { name: 'Save payment' }).click();
  await page.getByText('Still open').waitFor();
  await page.getByRole('group', { name: 'Payment Balance' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('cannot be undone').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('group', { name: 'Payment Balance' }).waitFor({ state: 'detached' });
  assert.deepEqual(
    (await shop.client.orders.list_payments(id)).map(({ label, amount_cents, paid }) => [label, amount_cents, paid]),
    [['Deposit', 3000, true]],
  );
  await page.done();
});

test('an order created as paid says what the first record does; one paid through a provider says why there are none', async () => {
  const { id } = await makeOrder(shop, { payment_status: 'paid' });
  const page = await openPart(id, 'payments');
  await page.getByText('This order was created as paid, without a record.').waitFor();
  await page.done();
  const all = await shop.client.orders.list({ per_page: 50 });
  const records = await Promise.all(all.data.map((order) => shop.client.orders.get(order.id)));
  const other = records.find(({ payment_provider }) => payment_provider !== 'manual');
  assert.ok(other);
  const second = await shop.open({ path: `/orders?open=${other.id}&tab=payments` });
  await second.getByText(/Payments are recorded only for orders that are paid by hand|nothing is to be paid by hand/i).waitFor();
  assert.equal(await second.getByRole('button', { name: 'Add a payment' }).count(), 0);
  await second.done();
});

test('a label is bought after its price was confirmed, opened, refreshed and removed', async () => {
  const { id } = await makeOrder(shop);
  const page = await openPart(id, 'shipments');
  await page.getByText('Nothing was sent yet.').waitFor();
  await page.getByRole('button', { name: 'Fetch rates' }).press('Enter');
  const offers = page.getByRole('radio');
  await offers.first().waitFor();
  const [shipment] = await shop.client.orders.list_shipments(id);
  assert.equal(shipment?.status, 'rates_fetched');
  await offers.first().press('Space');
  await shoot(page, 'order-offers-light');
  await page.getByRole('button', { name: /^Buy the label for €/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Buy a label of .* for €/).waitFor();
  assert.equal((await shop.client.orders.list_shipments(id))[0]?.label_url, null);
  await dialog.getByRole('button', { name: /^Buy the label for €/ }).click();
  const label = page.getByRole('link', { name: 'Open the label' });
  await label.waitFor();
  const [bought] = await shop.client.orders.list_shipments(id);
  assert.ok(bought?.label_url);
  assert.equal(await label.getAttribute('href'), bought.label_url);
  assert.equal((await shop.client.orders.get(id)).tracking_number, bought.tracking_number);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('button', { name: 'Refresh' }).and(page.locator(':not([disabled])')).waitFor();
  await shoot(page, 'order-shipments-light');
  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText(/Its label cost €/).waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Nothing was sent yet.').waitFor();
  assert.deepEqual(await shop.client.orders.list_shipments(id), []);
  await page.done();
});

test('the cheapest offer is chosen already; an order whose parcel has its number is marked as shipped there, which can be undone', async () => {
  const { id } = await makeOrder(shop);
  const page = await openPart(id, 'shipments');
  await page.getByRole('button', { name: 'Fetch rates' }).click();
  await page.getByText('Parcel 1', { exact: true }).waitFor();
  await page.getByRole('radio', { checked: true }).waitFor();
  const cheapest = page.getByRole('button', { name: 'Buy the label for €5.90' });
  await cheapest.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Buy the label for €5.90' }).click();
  await page.getByRole('link', { name: 'Open the label' }).waitFor();
  assert.equal((await shop.client.orders.get(id)).status, 'pending');
  await page.getByRole('button', { name: 'Mark as shipped' }).click();
  await page.getByText('1 order is shipped now.').waitFor();
  await page.getByRole('button', { name: 'Mark as shipped' }).waitFor({ state: 'detached' });
  assert.equal((await shop.client.orders.get(id)).status, 'shipped');
  await shoot(page, 'order-shipped');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Mark as shipped' }).waitFor();
  assert.equal((await shop.client.orders.get(id)).status, 'pending');
  await page.done();
});

test('a form that an act has opened closes by one act, whether something was typed or not; a paid payment is marked unpaid', async () => {
  const { id } = await makeOrder(shop);
  await shop.client.orders.create_payment(id, { label: 'Deposit', amount_cents: 300, paid: true });
  const page = await openPart(id, 'payments');
  const form = page.getByRole('form', { name: 'Add a payment' });
  for (const [typed, shown, other] of [
    ['', 'Cancel', 'Discard'],
    ['Cash', 'Discard', 'Cancel'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a payment' }).click();
    await form.getByLabel('Label').fill(typed);
    assert.equal(await form.getByRole('button', { name: other }).count(), 0);
    await form.getByRole('button', { name: shown }).click();
    await form.waitFor({ state: 'detached' });
  }
  await page.getByRole('group', { name: 'Payment Deposit' }).getByRole('button', { name: 'Mark unpaid' }).click();
  await page.getByText('not paid yet').waitFor();
  assert.equal((await shop.client.orders.list_payments(id))[0]?.paid, false);
  await page.done();
});

test('what cannot be sent says why; a locker shipment is recorded, and a network that cannot be is refused at its field', async () => {
  const nowhere = await makeOrder(shop, { shipping_country: null });
  const page = await openPart(nowhere.id, 'shipments');
  await page.getByRole('button', { name: 'Fetch rates' }).click();
  await page.getByText('The order has no shipping address to send it to.').waitFor();
  await page.done();
  const { id } = await makeOrder(shop);
  const locker = await openPart(id, 'shipments');
  await locker.getByText('Record a shipment by a locker network').click();
  await locker.getByLabel('Locker network').and(locker.getByRole('textbox')).fill('No Such Network!');
  await locker.getByLabel('Number of the shipment there').fill('Z-42');
  await locker.getByRole('button', { name: 'Record' }).click();
  await locker.locator('.field.wrong', { hasText: 'Locker network' }).waitFor();
  await locker.getByLabel('Locker network').and(locker.getByRole('textbox')).fill('packeta');
  await locker.getByRole('button', { name: 'Record' }).click();
  await locker.getByText('Z-42').first().waitFor();
  const [shipment] = await shop.client.orders.list_shipments(id);
  assert.deepEqual([shipment?.courier_id, shipment?.tracking_number], ['packeta', 'Z-42']);
  await locker.done();
});

test(`axe-core finds nothing on payments and shipments in light and dark colours at 360 pixels, with long texts`, async () => {
  const { id } = await makeOrder(shop, { total: 99_999_99 });
  await shop.client.orders.create_payment(id, {
    label: 'Anzahlungsvereinbarungsnachtragsbuchung',
    amount_cents: 12_345_67,
    note: 'Elkelkáposztásíthatatlanságoskodásaitokért köszönettel',
  });
  await shop.client.orders.create_payment(id, { label: 'Rest', amount_cents: 100 });
  await shop.client.orders.create_shipment(id);
  for (const part of ['payments', 'shipments'] as const) {
    const page = await openPart(id, part, { width: 360, height: 740 });
    await page
      .getByRole('button', { name: part === 'payments' ? 'Delete' : 'Remove' })
      .first()
      .waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false);
    await shoot(page, `order-${part}-360`);
    await page.done();
  }
});
