import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole();
});
after(() => shop.close());

test('the overview shows the figures of the dashboard, what waits for a person, and the newest orders', async () => {
  const now = await shop.client.dashboard.get();
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  const failed = page.getByRole('listitem').filter({ hasText: 'payments failed' });
  assert.match((await failed.textContent()) ?? '', new RegExp(`^${now.failed_payment_orders} payments failed`));
  const [first] = now.recent_orders;
  assert.ok(first);
  await page.getByRole('link', { name: first.customer_name }).first().click();
  await page.getByRole('complementary').getByText('Subtotal').waitFor();
  assert.ok(page.url().endsWith(`/orders?open=${first.id}`), page.url());
  await page.goBack();
  await failed.getByRole('link', { name: 'Show' }).click();
  await page.getByText(`${now.failed_payment_orders} orders`, { exact: true }).waitFor();
  await page.done();
});

test(`axe-core finds nothing on the overview in light and dark colours, at 360 and at 2,560 pixels`, async () => {
  for (const width of [360, 2560]) {
    const page = await shop.open({ width });
    await page.getByText('Newest orders').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `overview-${width}`);
    assert.equal(await isTooWide(page), false, `nothing stands out at ${width}`);
    await page.done();
  }
});
