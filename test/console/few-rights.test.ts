import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

/** What is said to machines, not to people. */
const MACHINE = /admin_api\.|\btokens?\b|try again/i;

for (const width of [1440, 390]) {
  test(`at ${width} pixels whoever may see orders alone is told so on each other page, in words, and without an act that cannot help`, async () => {
    const { token } = await shop.admin(width > 1000 ? 'Few' : 'Fewer', ['admin_api.orders.read']);
    const { task_id: task } = await shop.client.ai_tasks.create({
      ...{ name: `Nightly at ${width}`, description: '', source_code: 'export {};', permissions: [], parameters: [] },
    });
    const page = await shop.open({ path: '/orders', token, width, height: 900 });
    await page.getByRole('row').nth(1).waitFor();
    for (const path of [
      ...['/customers', '/customers/1', '/products/1', '/approvals', '/tasks', `/tasks/${task}`],
      ...[
        '/themes',
        '/pages',
        '/access-groups',
        '/subscriptions',
        '/inquiries',
        '/runs',
        '/library/secrets',
        '/settings/people',
        '/settings/shop',
      ],
    ]) {
      await page.goto(`${shop.url}${path}`);
      await page.locator('.empty', { hasText: 'You may not see this' }).waitFor();
      assert.doesNotMatch(String(await page.locator('#page').textContent()), MACHINE, path);
      assert.equal(await isTooWide(page), false, path);
    }
    await shoot(page, `few-rights-${width}`);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.done();
  });
}

test('whoever is invited is told what they may, as "you"', async () => {
  const { data } = await shop.client.roles.list({ search: 'Warehouse' });
  const { url_path } = await shop.client.admin_invitations.create({ email: 'dora@example.org', name: '', role_id: data[0]?.id ?? 0 });
  const page = await shop.open({ path: url_path ?? '', token: null });
  await page.getByText('You see and change', { exact: true }).waitFor();
  await page.getByText('You see', { exact: true }).waitFor();
  await page.done();
});

test('where the browser does not let the page copy, a link that is shown once is marked, and the page says what to press', async () => {
  const page = await shop.open({ path: '/settings/people?new=true' });
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })`);
  const sheet = page.getByRole('complementary', { name: 'Invite a person' });
  await sheet.getByLabel('Email').fill('eva@example.org');
  await sheet.getByRole('button', { name: 'Invite' }).click();
  await sheet.getByRole('button', { name: 'Copy' }).click();
  await sheet.getByText('It is marked: press Ctrl or ⌘ and C.').waitFor();
  assert.equal(await page.evaluate('String(getSelection())'), await sheet.locator('code').textContent());
  await page.done();
});

test('settings are found by what people call them: a courier, a unit', async () => {
  const page = await shop.open({ path: '/settings/me' });
  const find = page.getByRole('combobox', { name: 'Find a setting' });
  for (const [words, name] of [
    ['courier', 'Parcels'],
    ['dhl', 'Parcels'],
    ['unit', 'Largest file'],
  ] as const) {
    await find.fill(words);
    await page
      .locator('.settings-found')
      .locator('[role=option] > span:first-child', { hasText: new RegExp(`^${name}$`) })
      .first()
      .waitFor();
  }
  await page.done();
});
