import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeOrder } from '../helpers/builders.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
  for (const delivery_date of ['2031-05-14', '2031-05-14', '2031-05-15']) await makeOrder(shop, { delivery_date });
  // These are not counted, and so not listed either.
  await makeOrder(shop, { delivery_date: '2031-05-14', status: 'cancelled' });
  await makeOrder(shop, { delivery_date: '2031-05-14', payment_status: 'refunded' });
});
after(() => shop.close());

test('by keyboard alone: from month to month, from day to day, to the orders of a day', async () => {
  const page = await shop.open({ path: '/orders/calendar?month=2031-04' });
  await page.getByRole('table', { name: /April 2031/ }).waitFor();
  await page.keyboard.press('PageDown');
  await page.getByRole('table', { name: /May 2031/ }).waitFor();
  assert.match(page.url(), /month=2031-05/);
  assert.equal(await page.getByRole('columnheader').first().textContent(), 'Mon');
  const days = page.getByRole('cell');
  await days
    .first()
    .getByRole('link', { name: /^Monday, 28 April 2031/ })
    .waitFor();
  await days
    .last()
    .getByRole('link', { name: /^Sunday, 1 June 2031/ })
    .waitFor();
  await page.getByRole('link', { name: /^Thursday, 1 May 2031/ }).focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  await page
    .getByRole('link', { name: /^Wednesday, 14 May 2031: 2 orders$/ })
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 orders', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Delivery from').inputValue(), '2031-05-14');
  await page.done();
});

test('the count of orders without a date, and only those of one status', async () => {
  const { no_delivery_date_count: total } = await shop.client.orders.calendar();
  const page = await shop.open({ path: '/orders/calendar?month=2031-05' });
  const undated = page.getByRole('link', { name: `${total} orders have no delivery date` });
  await undated.waitFor();
  await undated.click();
  await page.getByText(new RegExp(`^${total} orders?$`)).waitFor();
  assert.match(page.url(), /no_date=true/);
  await page.goBack();
  await page.getByLabel('Status').selectOption('shipped');
  await page.getByRole('link', { name: /^Wednesday, 14 May 2031: no orders$/ }).waitFor();
  assert.match(page.url(), /status=shipped/);
  await page.done();
});

test(`axe-core finds nothing on the calendar in light and dark colours, at 360 and 2,560 pixels`, async () => {
  for (const width of [2560, 360]) {
    const page = await shop.open({ path: '/orders/calendar?month=2031-05', width });
    await page.getByRole('link', { name: /14 May 2031: 2 orders/ }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await isTooWide(page), false);
    await shoot(page, `orders-calendar-${width}`);
    await page.done();
  }
});
