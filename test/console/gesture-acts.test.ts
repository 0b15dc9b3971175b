import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SettingsPatch } from '../../contract/settings.ts';
import { openClient } from '../helpers/agents.ts';
import { until } from '../helpers/machines.ts';
import { authorizationUrl, pkce, register } from '../helpers/oauth.ts';
import { namedUrl, openWithPasskey } from './authenticator.ts';
import { type OpenPage, startBrowser, type TestBrowser } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
let browser: TestBrowser;
let local: string;
let page: OpenPage;

before(async () => {
  [shop, browser] = await Promise.all([openConsole({ orders: 20, runner: true }), startBrowser()]);
  local = namedUrl(shop);
  page = await openWithPasskey(browser, shop, (await shop.client.me.get()).id);
});
after(async () => {
  await browser.close();
  await shop.close();
});

const asksFor = (decisions: NonNullable<SettingsPatch['decisions']>) => shop.client.settings.update({ decisions });
const dialog = (name: string) => page.getByRole('dialog', { name });
const confirm = () => page.getByRole('button', { name: 'Confirm with passkey' }).click();

async function look(name: string): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], name);
  const size = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const width of widths) {
    await page.setViewportSize({ width, height: size.height });
    assert.equal(await isTooWide(page), false, `${name} at ${width}`);
  }
  await page.setViewportSize(size);
  await shoot(page, name);
}

/** Refused by Escape, what was being done stays on the screen, and can be done once more. */
async function giveUp(title: string): Promise<void> {
  await dialog(title).waitFor();
  await page.keyboard.press('Escape');
  await dialog(title).waitFor({ state: 'detached' });
  await page.getByText('Not confirmed with a passkey').waitFor();
}

test('the public address of the shop is set', async () => {
  await asksFor({ change_access: 'passkey', make_token: 'passkey' });
  await page.goto(`${local}/settings/mail?field=%2Fpublic_url`);
  const field = page.getByLabel('Public address of this server');
  await field.and(page.locator(':focus')).waitFor();
  await field.fill(local);
  await page.keyboard.press('ControlOrMeta+s');
  await giveUp('Change settings');
  assert.equal(await field.inputValue(), local);
  await page.keyboard.press('ControlOrMeta+s');
  await dialog('Change settings').locator('dd').filter({ hasText: local }).waitFor();
  await look('gesture-public-url');
  await confirm();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.settings.get()).public_url, local);
});

test('MC2: the token of an agent is made, and works', async () => {
  await page.goto(`${local}/settings/me`);
  const section = page.locator('.section', { has: page.getByRole('heading', { name: 'Agents', exact: true }) });
  await section.getByRole('button', { name: 'Connect an agent' }).click();
  const form = page.getByRole('form', { name: 'Connect an agent' });
  await form.getByLabel('Its name').fill('laptop');
  await form.getByLabel('Customers: See').check();
  await form.getByRole('button', { name: 'Make its token' }).click();
  await giveUp('Connect the agent “laptop”');
  await form.getByRole('button', { name: 'Make its token' }).click();
  await dialog('Connect the agent “laptop”').getByText('See customers').waitFor();
  await confirm();
  const token = await section.locator('code', { hasText: 'pat_' }).first().textContent();
  const agent = await openClient({ url: shop.url }, token ?? '');
  const { tools } = await agent.client.listTools();
  assert.ok(tools.length > 0);
  await agent.client.close();
});

test('somebody is invited, with a link that an own passkey vouches for', async () => {
  await page.goto(`${local}/settings/people?new=true`);
  const sheet = page.getByRole('complementary', { name: 'Invite a person' });
  await sheet.getByLabel('Email').fill('reka@example.org');
  await sheet.getByLabel('Warehouse', { exact: true }).check();
  await page.keyboard.press('ControlOrMeta+s');
  await giveUp('Invite reka@example.org');
  assert.equal((await shop.client.admin_invitations.list()).length, 0);
  await page.keyboard.press('ControlOrMeta+s');
  await dialog('Invite reka@example.org').getByText('May set up a passkey').waitFor();
  await look('gesture-invite');
  await confirm();
  await sheet.getByText('It is shown only now.').waitFor();
  const link = await sheet.locator('code', { hasText: '/join#' }).textContent();
  const hers = await browser.open(local, { path: link?.slice(local.length) ?? '', token: null });
  await hers.getByRole('heading', { name: /^Welcome to / }).waitFor();
  await hers.done();
  const { notifications } = await shop.client.notifications.list();
  assert.ok(!notifications.some(({ type }) => type === 'passkey_copied'), 'of two signatures, the one made first is checked first');
});

test('a limit is raised where a run spent it, and the run goes on', async () => {
  await asksFor({ raise_limits: 'passkey' });
  const { task_id: id } = await shop.client.ai_tasks.create({
    name: 'Names the statuses',
    description: '',
    source_code: "for (let n = 0; n < 3; n++) await admin.order_statuses.create({ name: 'Stage ' + n, color: '#112233' });",
    permissions: ['admin_api.order_statuses.write'],
    parameters: [],
  });
  await shop.client.ai_tasks.update(id, { settings: { limits: { writes: 2 } } });
  const { run_id } = await shop.client.ai_tasks.start_run(id, {});
  await page.goto(`${local}/tasks/${id}/runs/${run_id}`);
  await page.getByRole('button', { name: 'Raise, resume' }).click();
  const form = page.getByRole('form', { name: 'Raise “Writes” of the task' });
  await form.getByLabel('Writes').fill('10');
  await form.getByRole('button', { name: 'Raise and resume' }).click();
  await giveUp('Raise limits of “Names the statuses”');
  assert.equal(await form.getByLabel('Writes').inputValue(), '10');
  assert.equal((await shop.client.ai_tasks.get(id)).task.settings.limits.writes, 2);
  await form.getByRole('button', { name: 'Raise and resume' }).click();
  await dialog('Raise limits of “Names the statuses”').waitFor();
  await look('gesture-raise');
  await confirm();
  await page.waitForURL((url) => !url.pathname.endsWith(`/${run_id}`));
  await page.getByText('Success').first().waitFor();
  assert.equal((await shop.client.ai_tasks.get(id)).task.settings.limits.writes, 10);
});

async function pausedTask(): Promise<number> {
  const version = (source_code: string) => ({ source_code, permissions: [], parameters: [] });
  const { task_id: id } = await shop.client.ai_tasks.create({ name: 'On trial', description: '', ...version('log(1);') });
  await shop.client.ai_tasks.update(id, { settings: { trial: { runs: 10, failure_points: 20, effects_factor: 2 } } });
  const fiveRuns = async (): Promise<void> => {
    for (let run = 0; run < 5; run += 1) {
      const { run_id } = await shop.client.ai_tasks.start_run(id, {});
      await until('the run ends', async () => (await shop.client.ai_tasks.get_run(id, run_id)).status !== 'running');
    }
  };
  await fiveRuns();
  await shop.client.ai_tasks.create_version(id, version("throw new Error('boom');"));
  await fiveRuns();
  return id;
}

test('TV1: a version that was paused in its trial is let go on', async () => {
  const id = await pausedTask();
  await asksFor({ approve_version: 'passkey' });
  await page.goto(`${local}/tasks/${id}`);
  const goOn = page.getByRole('button', { name: 'Go on all the same' });
  await goOn.click();
  await giveUp('Let version 2 of “On trial” go on');
  await goOn.click();
  await dialog('Let version 2 of “On trial” go on').getByText('It was paused in its trial, and goes on.').waitFor();
  await look('gesture-continue');
  await confirm();
  await goOn.waitFor({ state: 'detached' });
  assert.notEqual((await shop.client.ai_tasks.get(id)).trial?.state, 'paused');
});

const agents = async () => (await shop.client.me.list_agents()).map(({ name }) => name);

test('MC8: a client is allowed by OAuth, and its browser goes on', async () => {
  const redirect_uri = `${local}/healthz`;
  const { client_id } = (await register({ url: local }, { client_name: 'Assistant', redirect_uris: [redirect_uri] })).body;
  await page.goto(authorizationUrl({ url: local }, { client_id, redirect_uri, code_challenge: pkce().challenge }));
  const form = page.getByRole('form', { name: 'Connect an agent' });
  await form.getByLabel('Orders: See').check();
  await form.getByRole('button', { name: 'Allow' }).click();
  await giveUp('Connect the agent “Assistant”');
  assert.deepEqual(await agents(), ['laptop']);
  await form.getByRole('button', { name: 'Allow' }).click();
  await dialog('Connect the agent “Assistant”').getByText('See orders').waitFor();
  await look('gesture-oauth');
  await confirm();
  await page.waitForURL((url) => url.pathname === '/healthz' && url.searchParams.has('code'));
  await page.done();
  assert.deepEqual((await agents()).toSorted(), ['Assistant', 'laptop']);
});
