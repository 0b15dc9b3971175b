import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { openClient } from '../helpers/agents.ts';
import { namedUrl, openWithPasskey } from './authenticator.ts';
import { startBrowser, type TestBrowser } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
let browser: TestBrowser;
let second: Awaited<ReturnType<Console['admin']>>;

before(async () => {
  [shop, browser] = await Promise.all([openConsole({ runner: true }), startBrowser()]);
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

const tick = (page: Page) => page.getByLabel('One owner proposes, another applies');
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });
const settings = () => shop.client.settings.get();

test('the rule of two owners is refused while there is one, and switched on once there are two', async () => {
  const page = await shop.open({ path: '/settings/decisions' });
  await tick(page).check();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('There is only one active owner. Make another one first.').waitFor();
  assert.equal(await page.getByRole('alert').getByRole('link', { name: 'People' }).getAttribute('href'), '/settings/people');
  assert.equal((await settings()).policy_four_eyes, false);
  second = await shop.admin('Ada Lovelace');
  await look(page, 'second-settings');
  await page.getByLabel('Change these rules').selectOption('passkey');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Changing these rules asks for a passkey, and fewer than two owners have one.').waitFor();
  await page.getByLabel('Change these rules').selectOption('token');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await settings()).policy_four_eyes, true);
  await page.done();
});

test('what one owner proposes in place of a change, another one reads in words and applies', async () => {
  const mine = await shop.open({ path: '/settings/approval' });
  const policy = mine.getByLabel('A new version of a task may run');
  await policy.selectOption('second_admin');
  await mine.keyboard.press('ControlOrMeta+s');
  const asked = mine.getByRole('dialog', { name: 'This takes two owners' });
  await asked.waitFor();
  await look(mine, 'second-propose');
  // Left, it is refused, and the page stays as it was.
  await mine.keyboard.press('Escape');
  await mine.getByText('This takes two owners').waitFor();
  await mine.getByText('Nothing was changed.').waitFor();
  assert.deepEqual(await shop.client.policy_changes.list({}), []);
  await mine.keyboard.press('ControlOrMeta+s');
  await asked.getByLabel('Comment').fill('We are three now');
  await mine.keyboard.press('ControlOrMeta+Enter');
  await mine.getByText('Proposed to another owner').waitFor();
  await mine.getByText('It waits under Approvals for another owner').waitFor();
  assert.equal(await policy.inputValue(), 'second_admin');
  assert.equal((await settings()).approval_policy, 'author');
  await look(mine, 'second-proposed');
  await mine.getByRole('button', { name: 'Discard' }).click();

  await mine.goto(shop.url);
  await row(mine, 'waits for a second owner').getByRole('link', { name: 'Show' }).click();
  await mine.waitForURL('**/approvals');
  await mine.getByRole('link', { name: '1 waits for a person' }).waitFor();
  const own = row(mine, 'Change settings');
  await own.getByText('It is your own: another owner applies it.').waitFor();
  await own.getByRole('button', { name: 'Withdraw …' }).waitFor();
  assert.equal(await own.getByRole('button', { name: 'Apply', exact: true }).count(), 0);

  const hers = await shop.open({ path: '/approvals', token: second.token });
  const waiting = row(hers, 'Change settings');
  await waiting.getByText('We are three now').waitFor();
  await waiting.getByText('after a second admin has approved it').waitFor();
  await look(hers, 'second-change');
  await waiting.getByRole('button', { name: 'Apply', exact: true }).click();
  await hers.getByText('Applied: Change settings').waitFor();
  await hers.getByText('Nothing waits for a person.').waitFor();
  assert.equal((await settings()).approval_policy, 'second_admin');
  await hers.done();
  await mine.done();
});

test('a proposal is declined with a reason, or withdrawn, and changes nothing', async () => {
  const propose = (approval_policy: 'author' | 'added_permissions') =>
    shop.client.policy_changes.create({ method: 'PATCH', path: '/settings', body: { approval_policy } });
  const { id } = await propose('author');
  const hers = await shop.open({ path: '/approvals', token: second.token });
  const waiting = row(hers, 'Change settings');
  await waiting.getByRole('button', { name: 'Decline …' }).click();
  const asked = hers.getByRole('dialog', { name: 'Decline', exact: true });
  await asked.getByLabel('Reason').fill('Two are better');
  await asked.getByRole('button', { name: 'Decline' }).click();
  await hers.getByText('Nothing waits for a person.').waitFor();
  await hers.done();
  const found = (await shop.client.policy_changes.list({})).find((one) => one.id === id);
  assert.deepEqual([found?.state, found?.reason, found?.decided_by], ['declined', 'Two are better', second.id]);

  const other = await propose('added_permissions');
  const mine = await shop.open({ path: '/approvals' });
  await row(mine, 'Change settings').getByRole('button', { name: 'Withdraw …' }).click();
  await mine.getByRole('dialog').getByLabel('Reason').fill('Not now');
  await mine.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await mine.getByText('Nothing waits for a person.').waitFor();
  await mine.done();
  assert.equal((await shop.client.policy_changes.list({})).find((one) => one.id === other.id)?.state, 'declined');
  assert.equal((await settings()).approval_policy, 'second_admin');
});

async function rules(four_eyes: { writes_over: number | null; kinds: [] }): Promise<void> {
  const change = { method: 'PATCH' as const, path: '/settings', body: { four_eyes, approval_policy: 'author' } };
  await second.client.policy_changes.apply((await shop.client.policy_changes.create(change)).id);
}

async function plan(): Promise<{ task: number; run: number; path: string; orders: number[] }> {
  const { task_id: task } = await shop.client.ai_tasks.create({
    name: 'Start the orders',
    description: '',
    source_code: 'for (const id of parameters.orders) await admin.orders.update_status(id, { status: "processing" });',
    permissions: ['admin_api.orders.write'],
    parameters: [{ name: 'orders', kind: 'order_ids', label: 'Orders', required: true }],
  });
  const orders = (await shop.client.orders.list({ status: 'pending', per_page: 3 })).data.map((order) => order.id);
  const { run_id: run } = await shop.client.ai_tasks.start_run(task, { parameters: { orders }, dry_run: true });
  return { task, run, path: `/tasks/${task}/runs/${run}`, orders };
}

const statusOf = async (id = 0) => (await shop.client.orders.get(id)).status;
const apply = (page: Page) => page.getByRole('button', { name: 'Apply this plan' });

test('a plan over the limit is refused to its maker, left to a second person, and applied by another', async () => {
  await rules({ writes_over: 2, kinds: [] });
  const { run, path, orders } = await plan();
  const mine = await shop.open({ path });
  await mine.getByText('3 writes to 3 orders').waitFor();
  await apply(mine).click();
  await mine.getByText('You made this plan: another person applies it.').waitFor();
  assert.equal(await statusOf(orders[0]), 'pending');
  await look(mine, 'second-plan-refused');
  await mine.getByRole('button', { name: 'Leave to a second person …' }).click();
  const comment = mine.getByRole('dialog').getByLabel('Comment');
  await comment.and(mine.locator(':focus')).waitFor();
  await comment.fill('Please look at the first');
  await mine.getByRole('dialog').getByRole('button', { name: 'Leave to a second person' }).click();
  await mine.getByText('You made this plan: another person applies it.').waitFor();
  assert.equal(await apply(mine).count(), 0);

  const hers = await shop.open({ path: '/', token: second.token });
  await row(hers, 'A plan of “Start the orders” waits for a second person').getByRole('link', { name: 'Show' }).click();
  const waiting = row(hers, `Start the orders · plan of run ${run}`);
  await waiting.getByText('Please look at the first').waitFor();
  await waiting.getByText('3 writes: 3 orders').waitFor();
  await look(hers, 'second-plan');
  await waiting.getByRole('link', { name: 'To the plan' }).click();
  await hers.getByText('asks for a second person').waitFor();
  await look(hers, 'second-plan-page');
  await apply(hers).click();
  await hers.waitForURL((url) => !url.pathname.endsWith(`/${run}`) && url.searchParams.get('tab') === 'effects');
  await hers.getByRole('table', { name: 'Effects' }).waitFor();
  assert.equal(await statusOf(orders[0]), 'processing');
  await mine.done();
  await hers.done();
});

test('a plan that another one declines is never applied', async () => {
  const { task, run, path, orders } = await plan();
  const hers = await shop.open({ path, token: second.token });
  await apply(hers).waitFor();
  await shop.client.ai_tasks.ask_second_person(task, run, {});
  await hers.getByRole('button', { name: 'Decline …' }).click();
  const asked = hers.getByRole('dialog', { name: 'Decline', exact: true });
  await asked.getByLabel('Reason').fill('Not these');
  await asked.getByRole('button', { name: 'Decline' }).click();
  await hers.getByText('asks for a second person').waitFor({ state: 'detached' });
  await apply(hers).click();
  await hers.getByText('was declined: Not these').waitFor();
  assert.equal(await statusOf(orders[0]), 'pending');
  await hers.done();
});

const Proposed = z.object({ task_id: z.number(), version_id: z.number(), run_id: z.number() });

/** What the owner's agent proposes to run once: a note on a new customer. */
async function proposed(note: string) {
  const permissions = ['admin_api.customers.write', 'admin_api.ai_tasks.write'] as const;
  const { token } = await shop.client.me.create_agent({ name: note, permissions: [...permissions], sees_personal_data: true });
  const agent = await openClient({ url: shop.url }, token ?? '');
  const { id } = await shop.client.customers.create({ name: 'Once', email: `${note}@mail.example.com` });
  const source_code = `await admin.customers.create_note(${id}, { body: '${note}' });`;
  const draft = { source_code, permissions: ['admin_api.customers.write'], parameters: [] };
  const made = await agent.data('propose', Proposed, { draft, why: `Wants ${note}` });
  await agent.client.close();
  const notes = async () => (await shop.client.customers.list_notes(id)).map(({ body }) => body);
  return { ...made, notes, path: `/tasks/${made.task_id}/versions/${made.version_id}` };
}

test('the plan of a proposal is left to a second person where it is reviewed, and is applied there by another', async () => {
  await rules({ writes_over: 0, kinds: [] });
  const one = await proposed('once');
  const mine = await shop.open({ path: one.path });
  await apply(mine).click();
  await mine.getByText('You made this plan: another person applies it.').waitFor();
  assert.equal(await apply(mine).count(), 0);
  assert.deepEqual(await one.notes(), []);
  await look(mine, 'second-proposal-refused');
  await mine.getByRole('button', { name: 'Leave to a second person …' }).click();
  await mine.getByRole('dialog').getByLabel('Comment').fill('Is this the right one?');
  await mine.getByRole('dialog').getByRole('button', { name: 'Leave to a second person' }).click();
  await mine.getByText('asks for a second person').waitFor();
  assert.equal(await apply(mine).count(), 0);
  await mine.keyboard.press('ControlOrMeta+Enter');
  assert.equal(await mine.getByRole('button', { name: 'Leave to a second person …' }).count(), 0);
  await look(mine, 'second-proposal');
  await mine.done();

  const [plan] = await shop.client.ai_tasks.list_pending_plans();
  assert.deepEqual([plan?.run_id, plan?.proposal_version_id], [one.run_id, one.version_id]);
  const hers = await shop.open({ path: '/approvals', token: second.token });
  await hers.getByRole('link', { name: '1 waits for a person' }).waitFor();
  await row(hers, 'Is this the right one?').getByRole('link', { name: 'Review' }).click();
  await hers.waitForURL(`**${one.path}`);
  await hers.getByText('asks for a second person').waitFor();
  await hers.getByText('Is this the right one?').waitFor();
  assert.deepEqual(await one.notes(), []);
  await apply(hers).click();
  await apply(hers).waitFor({ state: 'detached' });
  assert.deepEqual(await one.notes(), ['once']);
  await hers.done();
});

test('a proposal whose plan waits for a second person is declined on its page, and waits no more', async () => {
  const one = await proposed('never');
  await shop.client.ai_tasks.ask_second_person(one.task_id, one.run_id, {});
  const hers = await shop.open({ path: '/activity/notifications', token: second.token });
  await row(hers, `dry run ${one.run_id} of`).getByRole('link', { name: 'To the review' }).click();
  await hers.getByRole('button', { name: 'Decline …' }).click();
  await hers.getByRole('dialog').getByLabel('Reason').fill('Not her');
  await hers.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await apply(hers).waitFor({ state: 'detached' });
  await hers.getByRole('link', { name: 'waits for a person' }).waitFor({ state: 'detached' });
  assert.deepEqual(await shop.client.ai_tasks.list_pending_plans(), []);
  assert.deepEqual(await one.notes(), []);
  await hers.done();
});

test('where the rules ask for a passkey, one owner signs the proposal and the other one signs what is applied', async () => {
  const mine = await openWithPasskey(browser, shop, (await shop.client.me.get()).id);
  const hers = await openWithPasskey(browser, shop, second.id);
  const { decisions } = await settings();
  const change = { method: 'PATCH' as const, path: '/settings', body: { decisions: { ...decisions, policy: 'passkey' } } };
  await second.client.policy_changes.apply((await shop.client.policy_changes.create(change)).id);

  await mine.goto(`${namedUrl(shop)}/settings/decisions`);
  await tick(mine).uncheck();
  await mine.keyboard.press('ControlOrMeta+s');
  await mine.getByRole('button', { name: 'Propose to another owner' }).click();
  const signed = mine.getByRole('dialog', { name: 'Propose: Change settings' });
  await signed.getByText('One owner proposes, another applies').waitFor();
  await look(mine, 'second-signed');
  await mine.getByRole('button', { name: 'Confirm with passkey' }).click();
  await mine.getByText('It waits under Approvals for another owner').waitFor();
  assert.equal((await settings()).policy_four_eyes, true);

  await hers.goto(`${namedUrl(shop)}/approvals`);
  await row(hers, 'Change settings').getByRole('button', { name: 'Apply', exact: true }).click();
  await hers.getByRole('dialog', { name: 'Change settings' }).waitFor();
  await hers.getByRole('button', { name: 'Confirm with passkey' }).click();
  await hers.getByText('Applied: Change settings').waitFor();
  assert.equal((await settings()).policy_four_eyes, false);
  await mine.done();
  await hers.done();
});
