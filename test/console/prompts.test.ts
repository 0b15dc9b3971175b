import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
let taskId: number;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
  const { task_id } = await shop.client.ai_tasks.create({
    name: 'Nachbestellung von Artikeln mit geringem Lagerbestand',
    description: '',
    source_code: `
      const answers = await prompt({
        label: 'Which size shall be reordered?',
        fields: [
          { name: 'size', kind: 'choice', label: 'Size', options: ['S', 'M', 1], required: true },
          { name: 'supplier', kind: 'string', label: 'Supplier', required: true },
          { name: 'note', kind: 'text', label: 'Bemerkungen für die Lieferantenbenachrichtigung und die Warenannahme' },
          { name: 'count', kind: 'number', label: 'How many' },
          { name: 'express', kind: 'boolean', label: 'Express' },
          { name: 'day', kind: 'date', label: 'Not before' },
        ],
      });
      log('thank you');
      export default () => answers;`,
    permissions: ['prompt_input'],
    parameters: [],
  });
  taskId = task_id;
});
after(() => shop.close());

async function askingRun(): Promise<{ runId: number; path: string }> {
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId);
  return { runId, path: `/tasks/${taskId}/runs/${runId}` };
}

test('the list of tasks tells a run that waits for an answer from one that goes on', async () => {
  const { runId } = await askingRun();
  const page = await shop.open({ path: '/tasks' });
  const row = page.getByRole('row', { name: /^Nachbestellung/ });
  await row.getByText('1 run waits for an answer').waitFor();
  await row.getByText('Waits for an answer', { exact: true }).waitFor();
  assert.doesNotMatch((await row.textContent()) ?? '', /goes on|Running/);
  await shoot(page, 'tasks-asking');
  await shop.client.ai_tasks.cancel_run(taskId, runId);
  await row.getByText('1 run waits for an answer').waitFor({ state: 'detached' });
  await page.done();
});

test('a question is answered by keyboard where it stands; what is missing is told at its field', async () => {
  const { runId, path } = await askingRun();
  const page = await shop.open({ path });
  await page.getByRole('heading', { name: 'Which size shall be reordered?' }).waitFor();
  await page.getByLabel('Supplier *').focus();
  await page.keyboard.press('Enter');
  const summary = page.getByRole('alert');
  await summary.getByText('2 values are not accepted:').waitFor();
  const size = page.getByLabel('Size *');
  assert.equal(await size.getAttribute('aria-invalid'), 'true');
  assert.equal(await page.evaluate('document.activeElement.dataset.pointer'), '/answers/size');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Nordholz GmbH');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2.5');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Which size shall be reordered?' }).waitFor({ state: 'detached' });
  await page.getByRole('complementary').getByText('"supplier": "Nordholz GmbH"').waitFor();
  const { status, result } = await shop.client.ai_tasks.get_run(taskId, runId);
  assert.equal(status, 'success');
  assert.deepEqual(result, { size: 'M', supplier: 'Nordholz GmbH', note: null, count: 2.5, express: true, day: null });
  await page.getByRole('button', { name: 'Questions 1' }).click();
  await page.getByText('Answered by Owner').waitFor();
  await shoot(page, 'run-questions');
  await page.done();
});

test('a question that somebody else has answered meanwhile is not answered twice', async () => {
  const { runId, path } = await askingRun();
  const page = await shop.open({ path });
  await page.getByLabel('Supplier *').fill('mine');
  await page.getByLabel('Size *').selectOption('S');
  const { id: adminId, client } = await shop.admin('Katalin');
  assert.ok(adminId > 0);
  const [prompt] = await client.ai_tasks.list_prompts(taskId, runId);
  assert.ok(prompt);
  await client.ai_tasks.answer_prompt(taskId, runId, prompt.id, { answers: { size: 'S', supplier: 'hers' } });
  await page.getByRole('complementary').getByText('"supplier": "hers"').waitFor();
  await page.getByRole('button', { name: 'Questions 1' }).click();
  await page.getByText('Answered by Katalin').waitFor();
  await page.done();
});

test('who may not change tasks sees the question and who can answer it', async () => {
  const { token } = await shop.admin('Reader', ['admin_api.ai_tasks.read']);
  const { path } = await askingRun();
  const page = await shop.open({ path, token });
  await page.getByText('Somebody who may change tasks can answer it.').waitFor();
  await page.done();
});

test('axe-core finds nothing on a question, narrow and wide, light and dark', async () => {
  const { path } = await askingRun();
  for (const width of widths) {
    const page = await shop.open({ path, width });
    await page.getByLabel('Supplier *').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `run-question-${width}`);
    assert.equal(await isTooWide(page), false);
    await page.done();
  }
});
