import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
});
after(() => shop.close());

async function makeTask(source: string, permissions: string[] = []): Promise<number> {
  const task = { name: 'Recount', description: '', source_code: source, permissions, parameters: [] };
  return (await shop.client.ai_tasks.create(task)).task_id;
}

/** Waits until the time that is shown has gone on twice. */
async function seeTick(shown: Locator): Promise<void> {
  for (let n = 0; n < 2; n += 1) {
    const before = (await shown.textContent()) ?? '';
    assert.match(before, /\d+ (ms|s|min \d+ s)$/);
    await shown.filter({ hasNotText: before }).waitFor();
  }
}

test('how long a run has been going goes on: on its page, among all runs, and among those of its task', async () => {
  const taskId = await makeTask('log(1)');
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, { executor: 'external' });
  const page = await shop.open({ path: `/tasks/${taskId}/runs/${runId}` });
  await seeTick(page.locator('.run-note', { hasText: /for \d+/ }));
  await page.goto(`${shop.url}/runs`);
  const row = page.getByRole('row', { name: /Recount.*Running/ });
  await seeTick(row.getByRole('cell').last());
  await page.goto(`${shop.url}/tasks/${taskId}`);
  await seeTick(page.getByRole('row', { name: /Running/ }).getByText(/^\d+ (ms|s)$/));
  await shop.client.ai_tasks.cancel_run(taskId, runId);
  await page.done();
});

test('a run that waits for a signal gets it from its page, by keys alone, and goes on with its value', async () => {
  const taskId = await makeTask(`
    const sent = await waitFor('signal:packed', { timeout: 86_400_000 });
    export default () => sent.data;`);
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId);
  const page = await shop.open({ path: `/tasks/${taskId}/runs/${runId}` });
  await page.getByText('Waits for a signal').first().waitFor();
  await page.getByText('signal:packed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send signal' }).press('Enter');
  const form = page.getByRole('form', { name: 'Send signal' });
  assert.equal(await form.getByLabel('Key').inputValue(), 'packed', 'the key that it waits for stands there');
  await form.getByLabel('Value').focus();
  await page.keyboard.type('{"parcels": 2');
  await page.keyboard.press('Control+Enter');
  assert.equal((await shop.client.ai_tasks.get_run(taskId, runId)).status, 'running', 'what is no JSON is not sent');
  await page.keyboard.type('}');
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'run-signal');
  await page.keyboard.press('Control+Enter');
  await form.waitFor({ state: 'detached' });
  await page.locator('.run-facts').getByText('"parcels": 2').waitFor();
  assert.deepEqual((await shop.client.ai_tasks.get_run(taskId, runId)).result, { parcels: 2 });
  await page.done();
});

test('a question stands after what the script had said before it asked', async () => {
  const taskId = await makeTask(
    `for (let n = 1; n <= 3; n += 1) { log('counted ' + n); await sleep(50); }
     log('counted all');
     await prompt({ label: 'Go on?', fields: [] });`,
    ['prompt_input'],
  );
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId);
  const page = await shop.open({ path: `/tasks/${taskId}/runs/${runId}` });
  const log = page.getByRole('region', { name: 'Log', exact: true });
  await log.getByText(/waits for an answer: Go on\?/).waitFor();
  await log.getByText('counted all').waitFor();
  assert.deepEqual((await log.textContent())?.match(/counted \w+|waits for an answer/g), [
    ...['counted 1', 'counted 2', 'counted 3', 'counted all'],
    'waits for an answer',
  ]);
  await shoot(page, 'run-question-in-log');
  await shop.client.ai_tasks.cancel_run(taskId, runId);
  await page.done();
});

test('a run and its replay are told to differ in the same, whichever of the two one begins from', async () => {
  const source = "log('counted'); export default () => 1;";
  const taskId = await makeTask(source);
  const { run_id: recorded } = await shop.client.ai_tasks.start_run(taskId, { record: true });
  const path = (id: number): string => `/tasks/${taskId}/runs/${id}`;
  const page = await shop.open({ path: path(recorded) });
  await page.getByText('Success').first().waitFor();
  await shop.client.ai_tasks.create_version(taskId, {
    source_code: source.replace('counted', 'measured'),
    permissions: [],
    parameters: [],
  });
  await page.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog', { name: `Replay run ${recorded}` });
  await dialog.getByLabel('With').selectOption('Version 2');
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('A replay: it got recorded answers and changed nothing in the shop.').waitFor();
  const replay = Number(/runs\/(\d+)/.exec(page.url())?.[1]);
  const told: string[] = [];
  for (const address of [
    `${path(replay)}?tab=compare`,
    `${path(replay)}?tab=compare&with=${recorded}`,
    `${path(recorded)}?tab=compare&with=${replay}`,
  ]) {
    await page.goto(`${shop.url}${address}`);
    await page.locator('.run-main').getByRole('heading', { name: 'Returned' }).waitFor();

    told.push(
      ((await page.locator('.run-main').textContent()) ?? '').replace(/^[\s\S]*?(?=Run \d+, compared with|Both runs|The first)/, ''),
    );
    await shoot(page, `run-replay-${told.length}`);
  }
  assert.match(told[0] ?? '', /measured/);
  assert.deepEqual(told, [told[0], told[0], told[0]]);
  await page.done();
});
