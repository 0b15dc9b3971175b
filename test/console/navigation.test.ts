import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
  for (const subject of ['Tea', 'Kettle', 'Answered']) {
    const { id } = await shop.client.inquiries.create({ name: 'Anna', email: 'anna@example.org', subject, body: 'Is it green?' });
    if (subject === 'Answered') await shop.client.inquiries.answer(id, { body: 'It is.' });
  }
});
after(() => shop.close());

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const area = (page: Page, name: string) => navigation(page).getByRole('link', { name, exact: true });

test('a group is folded by keyboard alone, stays so for its admin on every device and for nobody else, and shows the open area', async () => {
  const { token } = await shop.admin('Folder');
  const page = await shop.open({ path: '/orders', token });
  const head = navigation(page).getByRole('button', { name: 'Shop' });
  await area(page, 'Inquiries').waitFor();
  await head.focus();
  await page.keyboard.press('Enter');
  await area(page, 'Inquiries').waitFor({ state: 'hidden' });
  assert.equal(await head.getAttribute('aria-expanded'), 'false');
  // What waits in it is still told.
  await navigation(page).getByRole('button', { name: 'Shop 2 wait for a person' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'navigation-folded');
  await page.reload();
  await navigation(page).locator('[aria-expanded=false]').waitFor();
  await page.done();

  const elsewhere = await shop.open({ path: '/pages', token });
  await area(elsewhere, 'Pages').and(elsewhere.locator('[aria-current=page]')).waitFor();
  await area(elsewhere, 'Themes').waitFor({ state: 'hidden' });
  await navigation(elsewhere).getByRole('button', { name: 'Library' }).click();
  await navigation(elsewhere).getByRole('button', { name: 'Shop' }).click();
  await area(elsewhere, 'Themes').waitFor();
  await area(elsewhere, 'Images').waitFor({ state: 'hidden' });
  await elsewhere.done();

  const other = await shop.open({ path: '/orders' });
  await area(other, 'Images').waitFor();
  await other.done();
});

test('a group that could not be saved as folded is open again', async () => {
  const page = await shop.open({ path: '/orders' });
  await area(page, 'Images').waitFor();
  await page.route('**/admin/api/me', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 422, json: { title: 'Refused' } }) : route.continue(),
  );
  const answered = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await navigation(page).getByRole('button', { name: 'Library' }).click();
  await answered;
  await area(page, 'Images').waitFor();
  await page.done();
});

test('how much waits beside an area is the length of the list behind it', async () => {
  const page = await shop.open({ path: '/orders' });
  const waits = navigation(page).getByRole('link', { name: '2 wait for an answer' });
  await waits.click();
  await page.getByRole('row', { name: /Kettle/ }).waitFor();
  assert.match(page.url(), /answered=false/);
  const total = await page.getByRole('row').count();
  assert.equal(total - 1, Number(await waits.locator('[aria-hidden]').textContent()));
  await page.getByText('2 inquiries').waitFor();
  // The area itself leads to all of them.
  await area(page, 'Inquiries').click();
  await page
    .getByRole('row', { name: /Answered/ })
    .first()
    .waitFor();
  const { data } = await shop.client.inquiries.list({ answered: false });
  for (const { id } of data) await shop.client.inquiries.answer(id, { body: 'Yes.' });
  await waits.waitFor({ state: 'detached' });
  await page.done();
});

test('runs that failed since yesterday are counted beside the runs, as many as the list behind the number has', async () => {
  const { task_id } = await shop.client.ai_tasks.create({
    name: 'Breaks',
    description: '',
    source_code: 'log(1)',
    permissions: [],
    parameters: [],
  });
  const page = await shop.open({ path: '/orders' });
  assert.equal(await navigation(page).getByRole('link', { name: 'failed since yesterday' }).count(), 0);
  for (const status of ['failed', 'failed', 'success'] as const) {
    const { run_id } = await shop.client.ai_tasks.start_run(task_id, { executor: 'external' });
    await shop.client.ai_tasks.append_run_events(task_id, run_id, { events: [{ kind: 'finalize', status }] });
  }
  await navigation(page).getByRole('link', { name: '2 failed since yesterday' }).click();
  await page.getByRole('row').nth(2).waitFor();
  assert.equal(await page.getByRole('row').count(), 3);
  await page.done();
});

test('the sidebar shows icons alone, whose names stand beside the pointer and the focus, and stays so at this browser', async () => {
  const page = await shop.open({ path: '/orders' });
  await page.getByRole('button', { name: 'Fold the sidebar to icons' }).click();
  await page.getByRole('row').nth(3).waitFor();
  const tip = page.locator('.nav-tip');
  await area(page, 'Products').hover();
  await tip.getByText('Products', { exact: true }).waitFor();
  await area(page, 'Customers').focus();
  await tip.getByText('Customers', { exact: true }).waitFor();
  await shoot(page, 'navigation-icons');
  await page.getByRole('heading', { name: 'Orders' }).focus();
  await page.mouse.move(600, 400);
  await tip.waitFor({ state: 'hidden' });
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await isTooWide(page), false);
  await page.reload();
  await page.getByRole('button', { name: 'Show the sidebar with names' }).waitFor();
  // On a phone the sidebar is a menu, and has the names all the same.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const box = await navigation(page).getByText('Products', { exact: true }).boundingBox();
  assert.ok(box && box.width > 40, 'the name is shown');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Show the sidebar with names' }).click();
  await page.getByRole('button', { name: 'Fold the sidebar to icons' }).waitFor();
  await page.done();
});
