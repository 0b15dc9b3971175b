import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
const tasks: number[] = [];
before(async () => {
  shop = await openConsole({ orders: 20 });
  for (const name of ['Cancel unpaid orders', 'Benachrichtigung der Kundinnen über verspätete Lieferungen']) {
    const { task_id } = await shop.client.ai_tasks.create({
      name,
      description: '',
      source_code: 'log(1)',
      permissions: [],
      parameters: [],
    });
    tasks.push(task_id);
  }
});
after(() => shop.close());

/** A run that a client drives, left open or ended with a status. */
async function run(task: number, end?: { status: string; error_message?: string }): Promise<number> {
  const taskId = tasks[task] ?? 0;
  const { run_id: id } = await shop.client.ai_tasks.start_run(taskId, { executor: 'external' });
  if (end) await shop.client.ai_tasks.append_run_events(taskId, id, { events: [{ kind: 'finalize', ...end }] });
  return id;
}

test('runs of all tasks are filtered; the address has the filters, and nothing found says what to drop', async () => {
  const [failed, done, other] = [
    await run(0, { status: 'failed' }),
    await run(0, { status: 'success' }),
    await run(1, { status: 'failed' }),
  ];
  await shop.client.ai_tasks.start_run(tasks[0] ?? 0, { dry_run: true });
  const page = await shop.open({ path: '/runs' });
  const row = (id: number) => page.locator(`tr[data-id="${id}"]`);
  await row(done).getByText('Success').waitFor();
  await page.getByRole('button', { name: 'Failed' }).click();
  await row(done).waitFor({ state: 'detached' });
  await row(other).waitFor();
  await page.getByRole('combobox', { name: 'Task' }).fill('cancel');
  await page.getByRole('option', { name: 'Cancel unpaid orders' }).click();
  await row(other).waitFor({ state: 'detached' });
  await row(failed).waitFor();
  assert.match(page.url(), new RegExp(`status=failed&task=${tasks[0]}`));
  await page.reload();
  await row(failed).waitFor();
  await page.getByLabel('Dry runs').selectOption('Only dry runs');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('button', { name: 'Drop the filters' }).click();
  await row(other).waitFor();
  await page.done();
});

test('the list follows what happens; by keyboard alone a run is opened', async () => {
  const page = await shop.open({ path: '/runs' });
  await page.getByRole('table').waitFor();
  const id = await run(1);
  const row = page.locator(`tr[data-id="${id}"]`);
  await row.getByText('Running').waitFor();
  await shop.client.ai_tasks.cancel_run(tasks[1] ?? 0, id);
  await row.getByText('Cancelled').waitFor();
  await page.locator('tbody tr[tabindex="0"]').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: `run ${id}` }).waitFor();
  await page.done();
});

test('the selected runs that still go are cancelled after a look at how many they are', async () => {
  const [ended, ...open] = [await run(0, { status: 'success' }), await run(0), await run(1), await run(1)];
  const page = await shop.open({ path: '/runs' });
  for (const id of [ended, ...open]) await page.locator(`tr[data-id="${id}"]`).getByRole('checkbox').check();
  await page.getByText('4 selected').waitFor();
  await page.getByRole('button', { name: 'Cancel 3 runs' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 3 runs?' });
  await dialog.getByText('3 runs are cancelled; 1 of the selected have ended already.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'runs-cancel');
  // One of them ends while the question is open.
  await shop.client.ai_tasks.cancel_run(tasks[0] ?? 0, open[0] ?? 0);
  await dialog.getByRole('button', { name: /^Cancel \d runs?$/ }).click();
  await page.getByText(/\d runs? (was|were) cancelled\./).waitFor();
  for (const id of open.slice(1)) assert.equal((await shop.client.ai_tasks.get_run(tasks[1] ?? 0, id)).status, 'cancelled');
  assert.equal((await shop.client.ai_tasks.get_run(tasks[0] ?? 0, ended)).status, 'success');
  await page.done();
});

test('who may not change tasks can select nothing', async () => {
  const { token } = await shop.admin('Reader', ['admin_api.ai_tasks.read']);
  const page = await shop.open({ path: '/runs', token });
  await page.getByRole('table').waitFor();
  assert.equal(await page.getByRole('checkbox').count(), 0);
  await page.done();
});

test('axe-core finds nothing on the runs, narrow and wide, light and dark', async () => {
  await run(1, { status: 'interrupted' });
  for (const width of widths) {
    const page = await shop.open({ path: '/runs', width });
    await page.getByRole('table').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await shoot(page, `runs-${width}`);
    assert.equal(await isTooWide(page), false);
    await page.done();
  }
});
