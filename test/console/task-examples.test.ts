import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
});
after(() => shop.close());

test('examples are found by words and by topic; the address keeps both', async () => {
  const page = await shop.open({ path: '/tasks/new' });
  const cards = page.locator('.examples li');
  await cards.first().waitFor();
  assert.equal(await cards.count(), 30);
  await page.getByRole('button', { name: 'Products and stock' }).click();
  await page.waitForURL(/topic=products/);
  await page.getByRole('link', { name: 'Sale prices' }).waitFor();
  assert.ok((await cards.count()) < 10);
  await page.keyboard.press('/');
  await page.keyboard.type('sold out');
  await page.waitForURL(/q=sold/);
  await page.getByRole('link', { name: 'Hide sold-out products' }).waitFor();
  assert.equal(await cards.count(), 1);
  await page.getByRole('searchbox').fill('nothing like this');
  await page.getByText('No example matches.').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('link', { name: 'Tag large orders' }).waitFor();
  await page.done();
});

test('an example tells what it may and would change; Start from this makes a task with all of it', async () => {
  const page = await shop.open({ path: '/tasks/new?topic=marketing' });
  await page.getByRole('link', { name: 'Win-back credit' }).click();
  await page.getByRole('heading', { name: 'Win-back credit' }).waitFor();
  await page.getByText('Change customers').waitFor();
  await page.getByText('Days without an order').waitFor();
  await page
    .locator('.plan-picture')
    .getByText(/\d customer/)
    .waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Come back');
  await page.getByRole('button', { name: /^Start from this/ }).click();
  await page.waitForURL(/\/tasks\/\d+\/editor$/);
  const { tasks } = await shop.client.ai_tasks.list({ search: 'Come back' });
  const { task, current_version } = await shop.client.ai_tasks.get(tasks[0]?.id ?? 0);
  const example = await shop.client.task_examples.get('win-back-credit');
  assert.deepEqual([task.description, task.settings.limits], [example.description, { host_calls: 100_000 }]);
  assert.deepEqual(
    [current_version?.source_code, current_version?.permissions, current_version?.parameters, current_version?.note],
    [example.source_code, JSON.stringify(example.permissions), JSON.stringify(example.parameters), 'From the example “Win-back credit”'],
  );
  await page.done();
});

test('the grants of an example come with it', async () => {
  const page = await shop.open({ path: '/tasks/new/orders-to-sheet' });
  await page.getByText('Use the secret “sheet_script”').waitFor();
  await page.getByRole('button', { name: /^Start from this/ }).click();
  await page.waitForURL(/\/editor$/);
  const { tasks } = await shop.client.ai_tasks.list({ search: 'Orders to a sheet' });
  const { current_version } = await shop.client.ai_tasks.get(tasks[0]?.id ?? 0);
  assert.deepEqual([current_version?.secrets, current_version?.http_allow.length], [['sheet_script'], 2]);
  await page.done();
});

test('an example is tried on the shop before a task is made of it', async () => {
  const page = await shop.open({ path: '/tasks/new/tag-large-orders' });
  const before = (await shop.client.ai_tasks.list()).total;
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('form', { name: 'Try it' }).getByRole('button', { name: 'Run it dry' }).click();
  await page
    .getByRole('region', { name: 'Dry run' })
    .getByText(/^It would (make \d+ changes?|change nothing)\.$/)
    .waitFor();
  await shoot(page, 'example-tried');
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal((await shop.client.ai_tasks.list()).total, before);
  await page.done();
});

test('who may not write tasks sees the examples, and no act that makes one', async () => {
  const { token } = await shop.admin('Reader', ['admin_api.ai_tasks.read']);
  const page = await shop.open({ path: '/tasks/new/tag-large-orders', token });
  await page.getByRole('heading', { name: 'Tag large orders' }).waitFor();
  await page.getByText('Change orders').first().waitFor();
  assert.equal(await page.getByRole('button', { name: /^Start from this/ }).count(), 0);
  await page.getByRole('link', { name: 'All examples' }).click();
  await page.getByRole('heading', { name: 'New task' }).waitFor();
  assert.equal(await page.getByRole('link', { name: /^Start empty/ }).count(), 0);
  await page.done();
});

test('the gallery and an example fit any width and have no fault for readers of the screen', async () => {
  for (const [name, path, seen] of [
    ['examples', '/tasks/new', 'Tag large orders'],
    ['example', '/tasks/new/first-order-voucher', 'First-order voucher'],
  ] as const) {
    for (const width of [2560, 1440, 390]) {
      const page = await shop.open({ path, width });
      await page.getByText(seen).first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], `${name} ${width}`);
      await shoot(page, `${name}-${width}`);
      assert.equal(await isTooWide(page), false, `${name} ${width}`);
      await page.done();
    }
  }
});
