import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder } from '../helpers/builders.ts';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

test('a country is found by what people call it here, there and in the shop’s language; its code is stored', async () => {
  const { locale } = await shop.client.settings.get();
  await shop.client.settings.update({ locale: 'hu-HU' });
  const page = await shop.open();
  const countries = [
    ['Germany', 'DE', 'Germany'],
    ['ger', 'DE', 'Germany'],
    ['németország', 'DE', 'Germany'],
    ['osterreich', 'AT', 'Austria'],
    ['king uni', 'GB', 'United Kingdom'],
    ['UK', 'GB', 'United Kingdom'],
    ['ge', 'GE', 'Georgia'],
  ] as const;
  for (const [typed, code, name] of countries) {
    await page.goto(`${shop.url}/library/tax-rates?new=true`);
    const form = page.getByRole('form', { name: 'New tax rate' });
    await form.getByLabel('Name', { exact: true }).fill(`As ${typed}`);
    await form.getByLabel('Only for goods to').focus();
    await page.keyboard.type(typed);
    await page.locator('[role=option][data-active-item]', { hasText: name }).waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await form.getByLabel('Only for goods to').inputValue(), name);
    await page.keyboard.press('Control+s');
    await page.getByRole('complementary', { name: `As ${typed}` }).waitFor();
    const [rate] = (await shop.client.tax_rates.list({ search: `As ${typed}` })).data;
    assert.equal(rate?.country, code, typed);
  }
  await shop.client.settings.update({ locale });
  await page.done();
});

test('what is no country is refused at the field, and no other country is stored for it', async () => {
  const { id } = await shop.client.pickup_locations.create({ name: 'Border', city: 'Linz', country: 'AT' });
  const page = await shop.open({ path: `/library/pickup-locations?open=${id}` });
  const form = page.getByRole('form', { name: 'Border' });
  const country = form.getByLabel('Country', { exact: true });
  await country.focus();
  assert.equal(await country.inputValue(), 'Austria');
  await page.keyboard.type('Germ');
  await page.keyboard.press('Tab');
  await form.getByText('No country is called “Germ”. Choose one of the list.').waitFor();
  assert.equal(await country.getAttribute('aria-invalid'), 'true');
  await country.fill('Atlantis');
  await form.getByText('No country is called “Atlantis”. Choose one of the list.').waitFor();
  await page.keyboard.press('Control+s');
  await country.and(page.locator(':focus')).waitFor();
  assert.equal(await country.inputValue(), 'Atlantis');
  assert.equal((await shop.client.pickup_locations.get(id)).country, 'AT');
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'country-refused');
  await country.fill('Slovakia');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  assert.equal(await country.inputValue(), 'Slovakia');
  assert.equal((await shop.client.pickup_locations.get(id)).country, 'SK');
  await country.fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Linz$|Linz [^,]*$/ }).waitFor();
  assert.equal((await shop.client.pickup_locations.get(id)).country, '');
  await page.done();
});

test('all countries are listed with the arrow keys; a code that the list does not know is shown and kept', async () => {
  const { id } = await makeOrder(shop, { shipping_country: 'QQ' });
  const page = await shop.open({ path: `/orders?open=${id}`, width: 1440 });
  await page.getByRole('complementary').getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('form', { name: 'Edit the order' });
  await form.getByText('Customer and address', { exact: true }).click();
  const country = form.getByLabel('Country', { exact: true }).first();
  await country.waitFor();
  assert.equal(await country.inputValue(), 'QQ');
  await country.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: /Zimbabwe/ }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'country-list');
  await page.keyboard.type('germany');
  await page.locator('[role=option][data-active-item]', { hasText: 'Germany' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  await form.waitFor({ state: 'detached' });
  assert.equal((await shop.client.orders.get(id)).shipping_country, 'DE');
  await page.done();
});

test('settings ask for countries in the same way: where parcels come from, and where a rate is for', async () => {
  const page = await shop.open({ path: '/settings/courier' });
  const form = page.getByRole('form', { name: 'Parcels' });
  await form.getByLabel('Parcels have a sender').check();
  for (const [label, value] of [
    ['Name', 'The shop'],
    ['Street', 'Ringstraße 1'],
    ['Postal code', '1010'],
    ['City', 'Wien'],
    ['Country', 'Austria'],
  ] as const)
    await form.getByLabel(label, { exact: true }).first().fill(value);
  await form.getByRole('button', { name: 'Add a rate' }).click();
  const rate = form.getByRole('group', { name: 'New rate' });
  await rate.getByLabel('Short name').fill('alps');
  await rate.getByLabel('Price').fill('5');
  await rate.getByLabel('Countries', { exact: true }).focus();
  for (const typed of ['germ', 'austria', 'schwei']) {
    await page.keyboard.type(typed);
    await page.locator('[role=option][data-active-item]').waitFor();
    await page.keyboard.press('Enter');
  }
  await rate.getByRole('button', { name: 'Remove Austria' }).press('Enter');
  await rate.getByLabel('Name', { exact: true }).fill('Alpine post');
  await page.keyboard.press('Control+s');
  await form.getByText('Saved').waitFor();
  const { courier } = await shop.client.settings.get();
  assert.deepEqual([courier.sender?.country, courier.rate_card.at(-1)?.countries], ['AT', ['DE', 'CH']]);
  await shoot(page, 'country-courier');
  await page.done();
});
