import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { verifyDecisions } from '../../server/automation/verification/domain.ts';
import { writePermissions, writeSource } from '../helpers/stored-rows/automation.ts';
import { passMinuteOfGesture } from '../helpers/stored-rows/passed-time.ts';
import { namedUrl, openWithPasskey } from './authenticator.ts';
import { type OpenPage, startBrowser, type TestBrowser, TOKEN } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

const APPROVER = ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', 'admin_api.orders.write', 'admin_api.customers.write'];

let shop: Console;
let browser: TestBrowser;
let local: string;
let owner: OpenPage;
let reka: Awaited<ReturnType<Console['admin']>>;
let hers: OpenPage;

before(async () => {
  [shop, browser] = await Promise.all([openConsole({ orders: 60, runner: true }), startBrowser()]);
  local = namedUrl(shop);
  reka = await shop.admin('Réka Szabó', APPROVER);
});
after(async () => {
  await browser.close();
  await shop.close();
});

async function look(page: Page, name: string): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], name);
  const size = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const width of widths) {
    await page.setViewportSize({ width, height: size.height });
    assert.equal(await isTooWide(page), false, `${name} at ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await shoot(page, name);
  await page.setViewportSize({ width: 390, height: 844 });
  await shoot(page, `${name}-narrow`);
  await page.setViewportSize(size);
}

async function newTask(name: string): Promise<{ id: number; v: number; path: string }> {
  const { task_id: id, version_id: v } = await shop.client.ai_tasks.create({
    name,
    description: '',
    source_code: 'for (const id of parameters.orders) await admin.orders.update_status(id, { status: "processing" });',
    permissions: ['admin_api.orders.write'],
    parameters: [{ name: 'orders', kind: 'order_ids', label: 'Orders', required: true }],
  });
  return { id, v, path: `${local}/tasks/${id}/versions/${v}` };
}

const approvalOf = async ({ id, v }: { id: number; v: number }) => (await shop.client.ai_tasks.get_version(id, v)).approval;
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm with passkey' });
const act = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test('an owner has the approval of versions ask for a passkey; before anybody has one, the page says whom it is about', async () => {
  const early = await shop.open({ path: '/settings/decisions' });
  await act(early, 'Approve a version').selectOption('passkey');
  await early.keyboard.press('ControlOrMeta+s');
  await early.getByText('Nobody who has a passkey may do this: Approve a version.').waitFor();
  assert.equal(await early.getByRole('link', { name: 'To your passkeys' }).getAttribute('href'), '/settings/me');
  assert.equal((await shop.client.settings.get()).decisions.approve_version, 'token');
  await look(early, 'decisions-missing');
  await early.done();

  hers = await openWithPasskey(browser, shop, reka.id);
  owner = await openWithPasskey(browser, shop, (await shop.client.me.get()).id);
  await owner.goto(`${local}/settings/decisions`);
  await owner.getByText('Several people have passkeys now').waitFor();
  await look(owner, 'decisions-settings');
  await act(owner, 'Approve a version').selectOption('passkey');
  await owner.getByLabel('Plans with more writes than').fill('500');
  await owner.getByLabel('tax rate').check();
  await owner.keyboard.press('ControlOrMeta+s');
  await owner.getByText('Saved', { exact: true }).waitFor();
  const { decisions, four_eyes } = await shop.client.settings.get();
  assert.deepEqual(
    [decisions.approve_version, decisions.policy, four_eyes],
    ['passkey', 'token', { writes_over: 500, kinds: ['tax_rate'] }],
  );

  const staff = await shop.open({ path: '/settings/decisions', token: (await shop.admin('Staff', ['admin_api.settings.write'])).token });
  await staff.getByText('Only owners can change this.').waitFor();
  assert.equal(await act(staff, 'Approve a version').isDisabled(), true);
  await staff.done();
});

test('a version is approved by gesture: it is shown in words, cancelled without a loss, signed, and kept', async () => {
  const task = await newTask('Start the orders');
  assert.equal(await approvalOf(task), 'pending');
  await hers.goto(task.path);
  const approve = hers.getByRole('button', { name: /^Approve/ });
  await approve.focus();
  await approve.press('Enter');
  const asked = dialog(hers, 'Approve version 1 of “Start the orders”');
  await asked.waitFor();
  await asked.getByText('May newly').waitFor();
  await asked.getByText('Change orders').waitFor();
  const { source_sha256 } = await shop.client.ai_tasks.get_version(task.id, task.v);
  await asked.getByText(`${source_sha256.slice(0, 12)}…`).waitFor();
  assert.equal(await asked.locator('code').first().getAttribute('title'), source_sha256);
  await look(hers, 'decisions-version');

  // The way back leaves the page as it was, with the focus where it was.
  await hers.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  await hers.getByText('Not confirmed with a passkey').waitFor();
  await hers.getByText('Nothing was changed.').waitFor();
  await approve.and(hers.locator(':focus')).waitFor();
  assert.equal(await approvalOf(task), 'pending');
  await look(hers, 'decisions-cancelled');

  // What the browser refuses is said, and can be tried again.
  await hers.keyboard.press('Control+Enter');
  await hers.evaluate(`globalThis.real = navigator.credentials.get;
    navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`);
  await confirm(hers).click();
  await asked.getByText('The browser stopped before a passkey was used. Try again.').waitFor();
  await hers.evaluate('navigator.credentials.get = globalThis.real.bind(navigator.credentials)');
  await hers.keyboard.press('Control+Enter');
  await hers.getByText('this is the version that runs').waitFor();
  assert.equal((await shop.client.ai_tasks.get(task.id)).current_version?.id, task.v);
  await shop.withStore(async (store) => {
    const lines: string[] = [];
    for await (const { line, faults } of verifyDecisions(store)) lines.push(`${line} ${faults.join()}`.trim());
    assert.ok(
      lines.some(
        (line) => line.includes(`task_version ${task.v} `) && line.includes(`admin ${reka.id}`) && line.endsWith('signed by a passkey'),
      ),
      lines.join('\n'),
    );
  });
});

test('with a stolen token of whoever may approve, nothing is approved', async () => {
  const { id, v } = await newTask('Stolen');
  const { source_sha256 } = await shop.client.ai_tasks.get_version(id, v);
  for (const token of [reka.token, TOKEN]) {
    const answer = await fetch(`${shop.url}/admin/api/ai-tasks/${id}/versions/${v}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source_sha256, permissions: ['admin_api.orders.write'] }),
    });
    const { code } = z.object({ code: z.string() }).parse(await answer.json());
    assert.deepEqual([answer.status, code], [403, 'gesture_required']);
  }
  assert.equal(await approvalOf({ id, v }), 'pending');
});

test('what is no longer what was shown is not signed: it is shown anew; nor is a signature that comes too late', async () => {
  const task = await newTask('Looks harmless');
  await hers.goto(task.path);
  await hers.getByRole('button', { name: /^Approve/ }).waitFor();
  const gesture = hers.waitForResponse((answer) => answer.url().endsWith('/me/gestures'));
  await hers.keyboard.press('Control+Enter');
  await dialog(hers, 'Approve version 1 of “Looks harmless”').waitFor();
  await shop.client.ai_tasks.update(task.id, { name: 'Another name' });
  const { gesture_id } = z.object({ gesture_id: z.number() }).parse(await (await gesture).json());
  const answered = hers.waitForResponse((answer) => answer.url().endsWith('/approve'));
  await confirm(hers).click();
  assert.equal((await answered).status(), 409);
  await hers.getByText('It is no longer what you were shown. Nothing was decided.').waitFor();
  assert.equal(await approvalOf(task), 'pending');
  await look(hers, 'decisions-changed');
  await hers.getByRole('button', { name: 'Look again' }).click();
  const anew = dialog(hers, 'Approve version 1 of “Another name”');
  await anew.getByText('It has changed since you looked. This is what it is now.').waitFor();

  await shop.withStore(async (store) => {
    for (let id = gesture_id; id < gesture_id + 3; id++) await passMinuteOfGesture(store, id);
  });
  await confirm(hers).click();
  await anew.getByText('More than a minute has passed. Confirm it again.').waitFor();
  assert.equal(await approvalOf(task), 'pending');

  // Source and permissions are in what she sends, too: the page beneath says what has become another.
  for (const change of ['permissions', 'source'] as const) {
    await shop.withStore((store) =>
      change === 'source' ? writeSource(store, task.v, 'evil();') : writePermissions(store, task.v, ['admin_api.customers.write']),
    );
    await confirm(hers).click();
    await hers.getByText('This version is not as it was on your screen.').waitFor();
    assert.equal(await approvalOf(task), 'pending');
    if (change === 'source') break;
    await hers.getByText('new since you looked').waitFor();
    await hers.keyboard.press('Control+Enter');
    await anew.waitFor();
  }
});

test('a plan is applied by gesture, and its dialog tells how much it changes', async () => {
  await shop.client.settings.update({ decisions: { approve_version: 'token', apply_plan: 'passkey' } });
  const { id } = await newTask('Start three');
  const orders = (await shop.client.orders.list({ status: 'pending', per_page: 3 })).data.map((order) => order.id);
  const { run_id } = await shop.client.ai_tasks.start_run(id, { parameters: { orders }, dry_run: true });
  await hers.goto(`${local}/tasks/${id}/runs/${run_id}`);
  await hers.getByText('3 writes to 3 orders').waitFor();
  await hers.getByRole('button', { name: 'Apply this plan' }).waitFor();
  await hers.keyboard.press('Control+Enter');
  const asked = dialog(hers, 'Apply a plan of “Start three”');
  await asked.getByText('3 writes: 3 orders').waitFor();
  await look(hers, 'decisions-plan');
  await hers.getByRole('button', { name: 'Cancel' }).click();
  await hers.getByText('Not confirmed with a passkey').waitFor();
  assert.equal((await shop.client.orders.get(orders[0] ?? 0)).status, 'pending');
  await hers.keyboard.press('Control+Enter');
  await asked.waitFor();
  await hers.keyboard.press('Control+Enter');
  await hers.getByRole('table', { name: 'Effects' }).getByRole('row').nth(3).waitFor();
  for (const order of orders) assert.equal((await shop.client.orders.get(order)).status, 'processing');
});

test('so are tokens, rights and the rules themselves; whoever has no passkey is told where to set one up', async () => {
  const second = await shop.admin('Ada');
  const all = { raise_limits: 'passkey', make_token: 'passkey', change_access: 'passkey', policy: 'passkey' } as const;
  await shop.client.settings.update({ decisions: all });

  await owner.goto(`${local}/settings/me`);
  await owner.getByRole('button', { name: 'New token' }).click();
  await owner.getByLabel('What it is for').fill('Export');
  await owner.getByRole('button', { name: 'Make the token' }).click();
  const token = dialog(owner, 'Make the token “Export”');
  await token.getByText('for 90 days').waitFor();
  await look(owner, 'decisions-token');
  await confirm(owner).click();
  await owner.getByText('It is shown only now.').waitFor();

  await owner.goto(`${local}/settings/roles`);
  await owner.getByRole('button', { name: 'New role' }).click();
  await owner.getByRole('complementary', { name: 'New role' }).getByLabel('Name', { exact: true }).fill('Packers');
  await owner.keyboard.press('ControlOrMeta+s');
  await dialog(owner, 'Make the role “Packers”').waitFor();
  await confirm(owner).click();
  await owner.getByRole('complementary', { name: 'Packers' }).waitFor();
  assert.equal(
    (await shop.client.roles.list()).data.some(({ name }) => name === 'Packers'),
    true,
  );

  // Over a dialog that asks already: Escape gives up the signature alone.
  await owner.getByRole('complementary', { name: 'Packers' }).getByRole('button', { name: 'Delete' }).click();
  const sure = dialog(owner, 'Delete the role Packers?');
  await sure.getByRole('button', { name: 'Delete' }).click();
  const gone = dialog(owner, 'Delete the role “Packers”');
  await gone.getByText('nothing', { exact: true }).waitFor();
  await look(owner, 'decisions-over');
  await owner.keyboard.press('Escape');
  await sure.getByText('Not confirmed with a passkey').waitFor();
  await sure.getByRole('button', { name: 'Delete' }).click();
  await confirm(owner).click();
  await sure.waitFor({ state: 'detached' });
  assert.equal((await shop.client.roles.list({ search: 'Packers' })).data.length, 0);

  await owner.goto(`${local}/settings/mail`);
  await owner.getByLabel('The shop sends mails').check();
  await owner.getByLabel('Mail server', { exact: true }).fill('smtp.example.org');
  await owner.getByLabel('From', { exact: true }).fill('Shop <shop@example.org>');
  await owner.keyboard.press('ControlOrMeta+s');
  await dialog(owner, 'Change settings').locator('dd').filter({ hasText: 'smtp.example.org' }).first().waitFor();
  await look(owner, 'decisions-mail');
  await confirm(owner).click();
  await owner.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.settings.get()).smtp?.host, 'smtp.example.org');

  // Another owner, by a token alone.
  const other = await browser.open(local, { path: '/settings/decisions', token: second.token });
  await act(other, 'Change these rules').selectOption('token');
  await other.keyboard.press('ControlOrMeta+s');
  const rules = dialog(other, 'Change settings');
  await rules.getByText('You have no passkey yet, and nothing else can confirm this.').waitFor();
  assert.equal(await confirm(other).count(), 0);
  await look(other, 'decisions-none');
  await other.keyboard.press('Escape');
  await other.getByText('Not confirmed with a passkey').waitFor();
  assert.equal(await act(other, 'Change these rules').inputValue(), 'token', 'what was chosen stays');
  assert.equal((await shop.client.settings.get()).decisions.policy, 'passkey');
  await other.done();

  await owner.goto(`${local}/settings/decisions`);
  await act(owner, 'Change these rules').selectOption('token');
  await owner.keyboard.press('ControlOrMeta+s');
  await dialog(owner, 'Change settings').getByText('whoever is signed in, also by a token').waitFor();
  await look(owner, 'decisions-rules');
  await confirm(owner).click();
  await owner.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.settings.get()).decisions.policy, 'token');

  // Two acts at once: their dialogs come one after the other, and each has its own answer.
  const held = Promise.withResolvers<void>();
  await owner.route('**/admin/api/admins/**', async (route) => {
    if (route.request().method() !== 'GET') await held.promise;
    await route.continue();
  });
  await owner.goto(`${local}/settings/people?open=${second.id}`);
  const sheet = owner.getByRole('complementary', { name: 'Ada' });
  await sheet.getByLabel('Email').fill('ada@example.com');
  await owner.keyboard.press('ControlOrMeta+s');
  await sheet.getByRole('button', { name: 'Make a sign-in link' }).click();
  held.resolve();
  await owner.getByRole('dialog', { name: /Ada/ }).waitFor();
  assert.equal(await owner.getByRole('dialog').count(), 1);
  await confirm(owner).click();
  await confirm(owner).click();
  await sheet.getByText('It is shown only now.').waitFor();
  await owner.getByRole('row', { name: /ada@example\.com/ }).waitFor();
  assert.equal((await shop.client.admins.get(second.id)).email, 'ada@example.com');
  await hers.done();
  await owner.done();
});
