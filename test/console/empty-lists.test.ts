import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
let task: number;
before(async () => {
  shop = await openConsole({ orders: null });
  const made = await shop.client.ai_tasks.create({ name: 'Tidy', description: '', source_code: 'log(1)', permissions: [], parameters: [] });
  task = made.task_id;
});
after(() => shop.close());

/** Each list, and the act that fills it; null where nothing is made by hand. */
const lists: readonly (readonly [path: string, act: string | null])[] = [
  ['/orders', 'New order'],
  ['/products', 'New product'],
  ['/customers', 'New customer'],
  ['/inquiries', 'New inquiry'],
  ['/subscriptions', null],
  ['/pages', 'New page'],
  ['/access-groups', 'New access group'],
  ['/library/media', 'New image'],
  ['/library/files', 'New file'],
  ['/library/vouchers', 'New voucher'],
  ['/library/discount-groups', 'New discount group'],
  ['/library/pickup-locations', 'New pickup location'],
  ['/library/shipping-methods', 'New shipping method'],
  ['/library/order-statuses', 'New order status'],
  ['/library/tax-rates', 'New tax rate'],
  ['/library/secrets', 'New secret'],
  ['/library/variables', 'New variable'],
  ['/runs', null],
  ['/errors', null],
  ['/approvals', null],
  ['/activity/mails', null],
  ['/settings/webhooks', 'Add an address'],
  ['/tasks/TASK/schedules', 'New schedule'],
  ['/tasks/TASK/triggers', 'New trigger'],
  ['/tasks/TASK/hooks', 'New hook'],
];

test('each list of an empty shop has a drawing, an example and its one act, which stands nowhere else', async () => {
  const page = await shop.open({ width: 1440 });
  for (const [pattern, act] of lists) {
    const path = pattern.replace('TASK', String(task));
    await page.goto(`${shop.url}${path}`);
    const empty = page.locator('main .empty');
    await empty.waitFor();
    assert.equal(await empty.count(), 1, path);
    const [drawn] = [await empty.locator('svg').boundingBox()];
    assert.ok(drawn && drawn.width >= 60 && drawn.height >= 40, `${path} has a drawing`);
    assert.equal(await empty.locator('svg').getAttribute('aria-hidden'), 'true');
    assert.match((await empty.textContent()) ?? '', /For example:/, path);
    const acts = page.locator('main').locator('.button.first:visible');
    assert.deepEqual((await acts.allTextContents()).map(withoutKey), act === null ? [] : [act], path);
    if (act !== null) assert.equal(await empty.locator('.button.first').count(), 1, path);
  }
  await shoot(page, 'empty-hooks');
  await page.done();
});

/** `New orderN` is `New order` and the key N. */
function withoutKey(text: string): string {
  return text.replace(/N$/, '').trim();
}

test('the act of an empty list has its key, and goes to the head of the list once something is there', async () => {
  const page = await shop.open({ path: '/library/order-statuses' });
  await page.locator('.empty').getByRole('button', { name: 'New order status' }).waitFor();
  await shoot(page, 'empty-order-statuses');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('n');
  const sheet = page.getByRole('complementary');
  await sheet.getByLabel('Name').fill('Waits for the engraver');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('row', { name: /engraver/ }).waitFor();
  assert.equal(await page.locator('.empty').count(), 0);
  await page.getByRole('button', { name: 'New order status' }).waitFor();
  await page.done();
});

test('filters without a result are named, and each can be dropped by itself', async () => {
  const page = await shop.open({ path: '/products?q=zebra&status=draft' });
  await page.getByText('Filtered by “zebra”, further filters').waitFor();
  await shoot(page, 'empty-filtered');
  await page.getByRole('button', { name: 'Drop the search' }).click();
  await page.getByText('Filtered by further filters', { exact: true }).waitFor();
  assert.match(page.url(), /status=draft/);
  await page.getByRole('button', { name: 'Drop the filters' }).click();
  await page.locator('.empty').getByRole('button', { name: 'New product' }).waitFor();
  await page.goto(`${shop.url}/orders?status=pending`);
  await page.getByText('Filtered by Status: Pending').waitFor();
  await page.done();
});

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`at ${width} pixels a page that is not there, a record that is gone and a list that one may not see say so`, async () => {
    const { token } = await shop.admin(width < 1000 ? 'Fewer' : 'Fewest', ['admin_api.orders.read']);
    const page = await shop.open({ path: '/nowhere', width, height, token });
    for (const [path, words] of [
      ['/nowhere', 'It may have been deleted'],
      ['/orders?open=9999', 'This is not there'],
      ['/customers', 'You may not see this'],
      ['/settings/shop', 'You may not see this'],
      ['/', 'You may not see the figures of the shop.'],
    ] as const) {
      await page.goto(`${shop.url}${path}`);
      await page.locator('.empty', { hasText: words }).locator('svg').waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], path);
      assert.equal(await isTooWide(page), false, path);
      await shoot(page, `empty-${words.slice(0, 18).replaceAll(' ', '-')}-${width}`);
    }
    await page.done();
  });
}
