import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: null });
});
after(() => shop.close());

const source = { source_code: 'log(1);', permissions: [], parameters: [] };

async function makeTask(name: string): Promise<number> {
  return (await shop.client.ai_tasks.create({ name, description: '', ...source })).task_id;
}

async function end(taskId: number, error_message: string | null, status = 'failed'): Promise<number> {
  const { run_id } = await shop.client.ai_tasks.start_run(taskId, { executor: 'external' });
  await shop.client.ai_tasks.append_run_events(taskId, run_id, { events: [{ kind: 'finalize', status, error_message }] });
  return run_id;
}

test('errors are found from the sidebar, a run and its task, and are resolved, ignored and opened by keys', async () => {
  const task = await makeTask('Late orders');
  await end(task, 'Error: order 4711 has no address\n    at check (task.ts:3:5)');
  const run = await end(task, 'Error: order 4712 has no address\n    at check (task.ts:3:5)');
  await end(await makeTask('Stock report'), 'TypeError: the supplier did not answer');
  for (const theme of ['light', 'dark'] as const) {
    const page = await shop.open({ path: '/', theme, width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Errors', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'order 4712 has no address' });
    await row.getByText('Late orders').waitFor();
    assert.equal(await row.getByRole('img').getAttribute('aria-label'), '2 runs in the last 30 days');
    await page.getByText('the supplier did not answer').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `errors-${theme}`);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await isTooWide(page), false);
    await shoot(page, `errors-narrow-${theme}`);
    await page.done();
  }
  const page = await shop.open({ path: `/tasks/${task}/runs/${run}`, width: 1440, height: 900 });
  await page.getByRole('link', { name: 'All runs with this error' }).click();
  await page.getByText('at check (task.ts:3:5)').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'error');
  await page.keyboard.press('e');
  await page.getByText('Resolved in version 1.').waitFor();
  await page.keyboard.press('o');
  await page.getByRole('button', { name: 'Mark as resolved' }).waitFor();
  await page.keyboard.press('i');
  await page.getByText('Ignored: nobody is told of it.').waitFor();
  await shoot(page, 'error-ignored');
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await isTooWide(page), false);
  await page.goto(`${shop.url}/tasks/${task}`);
  await page.locator('main').getByRole('link', { name: 'Errors', exact: true }).click();
  await page.getByText('Task: Late orders').waitFor();
  await page.getByRole('button', { name: 'Ignored' }).click();
  await page.getByRole('row').filter({ hasText: 'order 4712' }).waitFor();
  assert.equal(await page.getByText('the supplier did not answer').count(), 0);
  await page.done();
});

test('a version on trial is set, shown, and steps back in one click', async () => {
  const task = await makeTask('On trial');
  const page = await shop.open({ path: `/tasks/${task}/settings`, width: 1440, height: 900 });
  await page.getByLabel('Watch new versions').check();
  await page.getByLabel('Runs watched').fill('10');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.deepEqual((await shop.client.ai_tasks.get(task)).task.settings.trial, { runs: 10, failure_points: 20, effects_factor: 2 });
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'trial-settings');
  for (let run = 0; run < 5; run += 1) await end(task, null, 'success');
  await shop.client.ai_tasks.create_version(task, source);
  await page.goto(`${shop.url}/tasks/${task}`);
  await page.getByText('Version 2 is on trial: 0 of 10 runs have ended').waitFor();
  const watched = await end(task, 'boom');
  await page.goto(`${shop.url}/tasks/${task}/runs/${watched}`);
  await page.getByText('Version 2 is on trial: its first runs, such as this one, are compared with the version before.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'trial-run');
  for (let run = 1; run < 5; run += 1) await end(task, 'boom');
  await page.reload();
  await page.getByText('Version 2 was paused in its trial: it starts no runs until somebody decides.').waitFor();
  await page.getByRole('link', { name: 'Show the task' }).click();
  await page.getByText('5 of 5 runs failed, before 0 of 5.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'trial-paused');
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await isTooWide(page), false);
  await shoot(page, 'trial-paused-narrow');
  await page.getByRole('button', { name: 'Back to version 1' }).click();
  await page.getByText('did worse than version 1').waitFor({ state: 'detached' });
  assert.equal((await shop.client.ai_tasks.get(task)).current_version?.version, 1);
  await page.done();
});
