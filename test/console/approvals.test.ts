import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { openClient } from '../helpers/agents.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

const PEOPLE = ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', 'admin_api.orders.write', 'admin_api.customers.write'] as const;
const ASKS = `const answer = await prompt({
  label: 'Welche Größe soll für die Wiederbeschaffung der Zahlungsverkehrsunterlagen bestellt werden?',
  fields: [{ name: 'size', kind: 'choice', label: 'Size', options: ['S', 'M'], required: true }],
});
return answer;`;

let shop: Console;
let author: Awaited<ReturnType<Console['admin']>>;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
  author = await shop.admin('Eszter Kovács', PEOPLE);
});
after(() => shop.close());

async function pendingVersion(name: string): Promise<{ id: number; v: number }> {
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const { task_id, version_id } = await author.client.ai_tasks.create({
    name,
    description: '',
    source_code: 'log(1);',
    permissions: ['admin_api.customers.write'],
    parameters: [],
    note: 'The first one',
  });
  await shop.client.settings.update({ approval_policy: 'author' });
  return { id: task_id, v: version_id };
}

async function askingRun(name: string): Promise<{ id: number; run: number }> {
  const { task_id } = await shop.client.ai_tasks.create({
    name,
    description: '',
    source_code: `export default async function main() {\n${ASKS}\n}`,
    permissions: ['prompt_input'],
    parameters: [],
  });
  const { run_id } = await shop.client.ai_tasks.start_run(task_id, {});
  return { id: task_id, run: run_id };
}

test('nothing waits: the page says so, and the navigation shows no number', async () => {
  const page = await shop.open({ path: '/approvals' });
  await page.getByText('Nothing waits for a person.').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Approvals', exact: true }).count(), 1);
  assert.equal(await page.getByRole('link', { name: /for a person/ }).count(), 0);
  await page.done();
});

test('a pending version leads to its review, with what it adds in words; one’s own says why it waits for another', async () => {
  const { id, v } = await pendingVersion('Notes');
  const page = await shop.open({ path: '/approvals' });
  await page.getByRole('link', { name: '1 waits for a person' }).waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'Notes · version 1' });
  await row.getByText('+ Change customers').waitFor();
  await row.getByText('The first one').waitFor();
  await row.getByRole('link', { name: 'Review' }).press('Enter');
  await page.waitForURL(`**/tasks/${id}/versions/${v}`);
  await page.getByRole('button', { name: /^Approve/ }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('this is the version that runs').waitFor();
  await page.getByRole('link', { name: 'Approvals', exact: true }).click();
  await page.getByText('Nothing waits for a person.').waitFor();
  await page.done();
  await pendingVersion('My own');
  const own = await shop.open({ path: '/approvals', token: author.token });
  await own.getByText('It is your own: another admin has to approve it.').waitFor();
  await own.done();
});

test('by keyboard alone: to what waits, a question is answered', async () => {
  const { id, run } = await askingRun('Asks a typist');
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.pressPair('g', 'a');
  const waiting = page.getByRole('listitem').filter({ hasText: 'Asks a typist' });
  await waiting.getByRole('button', { name: 'Answer' }).press('Enter');
  const form = page.getByRole('form');
  await form.getByLabel('Size').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('S');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Answered. The run goes on.').waitFor();
  await page
    .getByRole('status')
    .getByRole('link', { name: `run ${run}` })
    .waitFor();
  const [prompt] = await shop.client.ai_tasks.list_prompts(id, run);
  assert.deepEqual(prompt?.answers, { size: 'S' });
  await page.done();
});

test('who may only approve is told why a question has no act, and what a new task does', async () => {
  const { id, run } = await askingRun('Asks somebody else');
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const { task_id, version_id } = await author.client.ai_tasks.create({
    ...{ name: 'Described', description: 'Tells the warehouse', source_code: 'log(1);', permissions: [], parameters: [] },
  });
  await shop.client.settings.update({ approval_policy: 'author' });
  const { token } = await shop.admin('Pál Approver', ['admin_api.ai_tasks.read', 'admin_api.ai_tasks.approve', 'prompt_input']);
  const page = await shop.open({ path: '/approvals', token });
  const waiting = page.getByRole('listitem').filter({ hasText: 'Asks somebody else' });
  await waiting.getByText('You may not answer it: that is for those who may change tasks.').waitFor();
  assert.equal(await waiting.getByRole('button').count(), 0);
  await page.goto(`${shop.url}/tasks/${task_id}/versions/${version_id}`);
  await page
    .locator('.section', { has: page.getByRole('heading', { name: 'What the task does' }) })
    .getByText('Tells the warehouse')
    .waitFor();
  await page.done();
  await shop.client.ai_tasks.cancel_run(id, run);
  await shop.client.ai_tasks.delete(task_id);
});

test('a question is answered in its place; what is missing stands at its field', async () => {
  const { id, run } = await askingRun('Asks');
  const page = await shop.open({ path: '/approvals' });
  await page.getByText(/^Welche Größe/).waitFor();
  await page.getByRole('button', { name: 'Answer' }).click();
  const form = page.getByRole('form');
  await form.getByRole('button', { name: /^Answer/ }).click();
  await form.getByText('One value is not accepted').waitFor();
  await shoot(page, 'approvals-refused');
  await form.getByLabel('Size').selectOption('M');
  await form.getByRole('button', { name: /^Answer/ }).click();
  await page.getByText('Answered. The run goes on.').waitFor();
  const [prompt] = await shop.client.ai_tasks.list_prompts(id, run);
  assert.deepEqual(prompt?.answers, { size: 'M' });
  await page.done();
});

test(`axe-core finds nothing on the approvals in light and dark colours, at 2,560 and at 360 pixels`, async () => {
  await pendingVersion('Zahlungseingangsüberwachung und Benachrichtigungsversand');
  await askingRun('Wiederbeschaffung');
  for (const width of [2560, 360]) {
    const page = await shop.open({ path: '/approvals', width });
    await page
      .getByText(/^Welche Größe/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Answer' }).first().click();
    await page.getByLabel('Size').waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], String(width));
    await shoot(page, `approvals-${width}`);
    assert.equal(await isTooWide(page), false, String(width));
    await page.done();
  }
});

const Proposed = z.object({ task_id: z.number(), version_id: z.number(), run_id: z.number() });

/** A plan to run once that waits, proposed by an agent of the author. */
async function proposal(note: string, why: string) {
  const permissions = ['admin_api.customers.write', 'admin_api.ai_tasks.write'] as const;
  const { token } = await author.client.me.create_agent({ name: 'laptop', permissions: [...permissions], sees_personal_data: true });
  const agent = await openClient({ url: shop.url }, token ?? '');
  const { id } = await shop.client.customers.create({ name: 'Once', email: `${note}@mail.example.com` });
  const source_code = `await admin.customers.create_note(${id}, { body: '${note}' });`;
  const draft = { source_code, permissions: ['admin_api.customers.write'], parameters: [] };
  const made = await agent.data('propose', Proposed, { draft, why });
  await agent.client.close();
  const notes = async () => (await shop.client.customers.list_notes(id)).map(({ body }) => body);
  return { ...made, notes };
}

test('MC9: a plan to run once says that an agent proposes it and why, and is applied by one click', async () => {
  const one = await proposal('first', 'Asked for\u202e by nobody');
  const told = await shop.open({ path: '/activity/notifications' });
  const notice = told.getByRole('listitem').filter({ hasText: 'A proposal waits for a decision' });
  await notice.getByRole('link', { name: 'To the review' }).click();
  await told.getByRole('button', { name: /^Apply this plan/ }).waitFor();
  await told.done();
  const page = await shop.open({ path: '/' });
  const need = page
    .getByRole('listitem')
    .filter({ hasText: "A plan to run once waits for you, proposed by Eszter Kovács's agent «laptop»" });
  await need.getByRole('link', { name: 'Review' }).click();
  await page.getByText('An agent wrote this version.').waitFor();
  await page.getByText('A script to run once.').waitFor();
  await page.getByText('Asked for').waitFor();
  // What turns the reading order is written out, and has to be seen before a decision.
  await page.locator('mark', { hasText: 'U+202E' }).first().waitFor();
  assert.deepEqual(await one.notes(), []);
  // What runs once has no schedules, and the dry run that was proposed stands there once: nothing says yet that its plan is still the same.
  assert.equal(await page.getByRole('link', { name: 'Schedules' }).count(), 0);
  const evidence = page.locator('.review-side .section', { has: page.getByRole('heading', { name: 'Evidence' }) });
  await evidence.getByText('1 change: 1 customer note').waitFor();
  await evidence.getByText('Run it dry to see whether its plan is still the same').waitFor();
  assert.equal((await evidence.textContent())?.match(/dry run \d+/gi)?.length, 1);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'proposal');
  await page.locator('mark', { hasText: 'U+202E' }).first().scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Apply this plan' }).click();
  await page.getByRole('button', { name: 'Apply this plan' }).waitFor({ state: 'detached' });
  assert.deepEqual(await one.notes(), ['first']);
  await page.done();
});

test('MC9: a plan to run once is declined with a reason', async () => {
  const one = await proposal('second', 'Wanted');
  const page = await shop.open({ path: '/approvals' });
  const row = page.getByRole('listitem').filter({ hasText: 'Wanted' });
  await row.getByText('Wanted').waitFor();
  await row.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Decline …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decline this proposal?' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Not now');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Not now').waitFor();
  assert.deepEqual(await one.notes(), []);
  const [decision] = await shop.client.ai_tasks.list_version_approvals(one.task_id, one.version_id);
  assert.deepEqual([decision?.decision, decision?.comment], ['rejected', 'Not now']);
  await page.done();
});
