import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inOrder, MODEL_KEY, type ModelServer, openModelServer, type Reply } from '../helpers/model-server.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

/** Notes on the three oldest customers. */
const SOURCE = `export default async function main() {
  const { data } = await admin.customers.list({ per_page: 3 });
  log('found');
  for (const { id } of data) await admin.customers.create_note(id, { body: 'seen' });
}
`;
const PERMISSIONS = ['admin_api.customers.write'];
const calls = (name: string, input: Record<string, unknown> = {}): Reply => ({ calls: [{ name, input }] });

let shop: Console;
let model: ModelServer;
before(async () => {
  model = await openModelServer();
  shop = await openConsole({ orders: 20, runner: true });
});
after(async () => {
  await shop.close();
  await model.close();
});

async function setModel(): Promise<void> {
  const limits = { thread_tokens: 200_000, day_tokens: 2_000_000, admin_day_tokens: 1_000_000 };
  await shop.client.settings.update({
    assistant: { provider: 'openai', base_url: model.url('openai'), model: 'small', api_key: MODEL_KEY, ...limits },
  });
}

async function makeTask(name: string, source = SOURCE): Promise<number> {
  const { task_id } = await shop.client.ai_tasks.create({
    name,
    description: '',
    source_code: source,
    permissions: PERMISSIONS,
    parameters: [],
  });
  return task_id;
}

async function openEditor(taskId: number, options: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
  const page = await shop.open({ path: `/tasks/${taskId}/editor`, ...options });
  await page.locator('.cm-content').waitFor();
  return page;
}

const panel = (page: OpenPage) => page.getByRole('complementary', { name: 'Assistant' });

async function say(page: OpenPage, text: string): Promise<void> {
  await panel(page).getByRole('textbox', { name: 'Message to the assistant' }).fill(text);
  await page.keyboard.press('Enter');
}

test('without a model the doors are there and say what to set, with the way for who may; an owner sets it', async () => {
  const { token } = await shop.admin('Writer', ['admin_api.ai_tasks.write']);
  const other = await shop.open({ path: '/tasks/new', token });
  await other.getByText(/No model is set for the assistant/).waitFor();
  assert.equal(await other.getByRole('link', { name: 'Open the settings' }).count(), 0);
  assert.equal(await other.getByRole('button', { name: 'Write a draft' }).isDisabled(), true);
  await other.done();

  const page = await openEditor(await makeTask('Without a model'));
  await page.getByRole('button', { name: 'Assistant' }).click();
  await panel(page)
    .getByText(/No model is set for the assistant/)
    .waitFor();
  await shoot(page, 'assistant-missing');
  assert.deepEqual(await accessibilityFaults(page), []);
  await panel(page).getByRole('link', { name: 'Open the settings' }).click();
  const form = page.getByRole('form', { name: 'Language model' });
  await form.getByLabel('A model writes drafts of tasks with admins').check();
  await form.getByLabel('It speaks as').selectOption('openai');
  await form.getByLabel('Address').fill(model.url('openai'));
  await form.getByRole('textbox', { name: 'Model' }).fill('small');
  await form.getByLabel('Key').fill(MODEL_KEY);
  await form.getByLabel('Most of one conversation').fill('200000');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  await form.getByText('A key is stored.').waitFor();
  await shoot(page, 'settings-assistant');
  assert.deepEqual(await accessibilityFaults(page), []);
  const { assistant } = await shop.client.settings.get();
  assert.deepEqual([assistant?.model, assistant?.thread_tokens, assistant?.api_key_set], ['small', 200_000, true]);
  await page.done();
});

test('what is described becomes a draft with the plan of its dry run, then a task whose review says how it was written', async () => {
  await setModel();
  model.play(
    inOrder(
      {
        text: 'I write a note on three customers.',
        calls: [{ name: 'write_draft', input: { source_code: SOURCE, permissions: PERMISSIONS } }],
      },
      calls('check'),
      calls('dry_run'),
      { text: 'It is done.' },
    ),
  );
  const page = await shop.open({ path: '/tasks/new' });
  await page.getByLabel('Describe what the task should do').fill('Write a note on three customers');
  await page.getByRole('button', { name: 'Write a draft' }).click();
  await page.waitForURL(/\/tasks\/new\/described\?thread=\d+$/);
  const log = panel(page).getByRole('log', { name: 'Conversation' });
  await log.getByText('I write a note on three customers.').waitFor();
  await log.getByText('It is done.').waitFor();
  await log.getByText(/^type-checks, dry run \d+: 3 customer notes, uses \d permissions?$/).waitFor();
  await panel(page)
    .getByText(/[\d,]+ of 200,000 tokens/)
    .waitFor();
  await log.getByText('dry_run').click();
  await log.getByText('Answer').waitFor();
  // However long the conversation is, the way to close it is in sight.
  await page.setViewportSize({ width: 1280, height: 600 });
  await log.getByText('It is done.').scrollIntoViewIfNeeded();
  const head = await panel(page).getByRole('heading', { name: 'Assistant' }).boundingBox();
  const sheet = await panel(page).boundingBox();
  assert.ok(head && sheet && head.y >= sheet.y, `the head stands at ${head?.y}, its panel at ${sheet?.y}`);
  await page.setViewportSize({ width: 1280, height: 900 });
  const plan = page.getByRole('region', { name: 'Dry run' });
  await plan.getByText('It would make 3 changes.').waitFor();
  await page.getByRole('region', { name: 'Draft', exact: true }).getByText("body: 'seen'").waitFor();
  await shoot(page, 'assistant-described');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByLabel('Name', { exact: true }).fill('Notes on three');
  await page.getByRole('button', { name: /^Make a task of it/ }).click();
  await page.waitForURL(/\/tasks\/\d+\/editor$/);
  const { tasks } = await shop.client.ai_tasks.list({ search: 'Notes on three' });
  const [version] = (await shop.client.ai_tasks.get(tasks[0]?.id ?? 0)).versions;
  assert.deepEqual([version?.approval, version?.created_via], ['pending', 'assistant']);
  await page.goto(`${shop.url}/tasks/${tasks[0]?.id}/versions/${version?.id}`);
  await page.getByText('This version was written with the assistant.').waitFor();
  await page.done();
});

test('in the editor it writes beside what a person writes; steps are taken back and put back; a version names the assistant', async () => {
  await setModel();
  model.play(
    inOrder(
      calls('edit_draft', { old_text: "'seen'", new_text: "'thanked'" }),
      calls('edit_draft', { old_text: 'per_page: 3', new_text: 'per_page: 2' }),
      calls('dry_run'),
      { text: 'Changed.' },
    ),
  );
  const id = await makeTask('Edited together');
  const page = await openEditor(id);
  const source = page.locator('.cm-content');
  await page.locator('.cm-line', { hasText: 'export default' }).click();
  await page.keyboard.press('Home');
  await page.keyboard.insertText('// mine\n');
  await page.keyboard.press('Control+l');
  await say(page, 'Thank two');
  await panel(page).getByText('Changed.').waitFor();
  await source.getByText("'thanked'").waitFor();
  await source.getByText('// mine').waitFor();
  await page.getByRole('region', { name: 'Dry run' }).getByText('It would make 2 changes.').waitFor();
  // What the assistant was sent is what stood in the editor.
  assert.match(model.asked.at(-4)?.body ?? '', /\/\/ mine/);
  await shoot(page, 'assistant-editor');
  assert.deepEqual(await accessibilityFaults(page), []);

  const steps = panel(page).locator('.draft-step', { has: page.getByRole('button') });
  await steps.nth(0).getByRole('button', { name: 'Take back' }).click();
  await source.getByText("'seen'").waitFor();
  await source.getByText('per_page: 2').waitFor();
  await page.getByText('What is written has changed since.').waitFor();
  await steps.nth(1).getByRole('button', { name: 'Take back' }).click();
  await source.getByText('per_page: 3').waitFor();
  await source.getByText('// mine').waitFor();
  await steps.nth(0).getByRole('button', { name: 'Put back' }).click();
  await source.getByText("'thanked'").waitFor();

  await page.keyboard.press('Control+l');
  await panel(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+s');
  await page.getByText('The assistant has written in it').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByRole('link', { name: 'Show' }).click();
  await page.getByText('This version was written with the assistant.').waitFor();
  const [version] = (await shop.client.ai_tasks.get(id)).versions.toSorted((a, b) => b.version - a.version);
  assert.deepEqual([version?.approval, version?.created_via], ['pending', 'assistant']);
  await page.done();
});
