import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

const TASK = { description: '', source_code: 'log(1)', permissions: [], parameters: [] };

let shop: Console;
const tasks: number[] = [];
before(async () => {
  shop = await openConsole({ orders: 20 });
  for (const name of ['Cancel unpaid orders', 'Benachrichtigung der Kundinnen über verspätete Lieferungen']) {
    const { task_id } = await shop.client.ai_tasks.create({
      ...TASK,
      name,
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
  await page.getByText('Filters', { exact: true }).click();
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

test('the tabs count the runs of each status among those that the other filters leave', async () => {
  const { task_id: taskId } = await shop.client.ai_tasks.create({ ...TASK, name: 'Counted' });
  tasks[2] = taskId;
  for (const end of [{ status: 'failed' }, { status: 'failed' }, { status: 'success' }, undefined]) await run(2, end);
  const page = await shop.open({ path: `/runs?task=${taskId}` });
  const tab = (name: string) => page.getByRole('button', { name, exact: true });
  for (const name of ['All 4', 'Running 1', 'Success 1', 'Failed 2']) await tab(name).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Interrupted/ }).count(), 0);
  await tab('Failed 2').click();
  await page.getByRole('row').nth(3).waitFor({ state: 'detached' });
  await tab('Running 1').waitFor();
  assert.equal(await tab('Failed 2').getAttribute('aria-pressed'), 'true');
  await page.getByRole('button', { name: /^Task: Counted/ }).click();
  await page.getByRole('button', { name: 'Failed 2', exact: true }).waitFor({ state: 'detached' });
  await page.done();
});

test('runs are found by what ended them, who started them, when, and what their log says; a hook leads to its runs', async () => {
  const { task_id: taskId } = await shop.client.ai_tasks.create({ ...TASK, name: 'Found' });
  tasks[3] = taskId;
  const [cancelled, mine] = [await run(3), await run(3)];
  await shop.client.ai_tasks.cancel_run(taskId, cancelled);
  await shop.client.ai_tasks.append_run_events(taskId, mine, { events: [{ kind: 'log', line: 'Parcel 4711 is lost' }] });
  const { client } = await shop.admin('Night Shift');
  const { run_id: theirs } = await client.ai_tasks.start_run(taskId, { executor: 'external' });
  const hook = await shop.client.ai_tasks.create_hook(taskId, { name: 'From outside' });
  assert.equal((await fetch(`${shop.url}${hook.url_path}`, { method: 'POST', body: 'x' })).status, 202);
  const [called] = await shop.client.ai_tasks.list_runs(taskId, { limit: 1 });
  const page = await shop.open({ path: `/runs?task=${taskId}` });
  const ids = () => page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-id'))));
  const only = async (id: number | undefined) => {
    await page.getByRole('button', { name: 'All 1', exact: true }).waitFor();
    assert.deepEqual(await ids(), [id]);
  };
  const again = async () => {
    await page.goto(`${shop.url}/runs?task=${taskId}`);
    await page.getByRole('row').nth(4).waitFor();
  };
  await page.getByRole('row').nth(4).waitFor();
  await page.getByLabel('Ended, because').selectOption('cancelled');
  await only(cancelled);
  await again();
  await page.getByLabel('Started by').selectOption('Night Shift');
  await only(theirs);
  await page.reload();
  await only(theirs);
  await again();
  await page.keyboard.press('/');
  await page.keyboard.type('parcel 4711');
  await only(mine);
  await again();
  await page.getByLabel('Since').fill('2035-01-01T00:00');
  await page.getByText('Nothing matches.').waitFor();
  await page.goto(`${shop.url}/tasks/${taskId}/hooks?open=${hook.id}`);
  await page.getByRole('link', { name: 'Runs that it has started' }).click();
  await only(called?.id);
  await page
    .getByLabel('Started by')
    .locator('option', { hasText: `hook ${hook.id}` })
    .waitFor({ state: 'attached' });
  await page.done();
});

test('by keyboard alone: all runs that match are cancelled after a look at their number; if it changes meanwhile, nothing is done', async () => {
  const { task_id: taskId } = await shop.client.ai_tasks.create({ ...TASK, name: 'Cancelled at once' });
  tasks[4] = taskId;
  const open = [await run(4), await run(4)];
  await run(4, { status: 'success' });
  const page = await shop.open({ path: `/runs?task=${taskId}` });
  await page.getByRole('button', { name: 'Act on all of them…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'All runs that match' });
  await dialog.getByText('Task: Cancelled at once', { exact: true }).waitFor();
  await dialog.getByText('2 runs are still going. What they have written so far stays.').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'runs-act-on-all');
  open.push(await run(4));
  await dialog.getByRole('button', { name: 'Cancel 2 runs' }).press('Enter');
  await dialog.getByText('3 runs are found, not 2; nothing was done.').waitFor();
  for (const id of open) assert.equal((await shop.client.ai_tasks.get_run(taskId, id)).status, 'running');
  await dialog.getByRole('button', { name: 'Cancel 3 runs' }).press('Enter');
  await page.getByText('3 runs were cancelled.').waitFor();
  for (const id of open) assert.equal((await shop.client.ai_tasks.get_run(taskId, id)).status, 'cancelled');
  await page.getByRole('button', { name: 'Act on all of them…', disabled: false }).press('Enter');
  await dialog.getByText('None of them is still going.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Cancel', exact: true }).isDisabled(), true);
  await dialog.getByLabel('What is done').focus();
  await page.keyboard.type('Start again');
  await dialog.getByText('4 runs have ended; each is started again with its version and parameters.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.done();
});

test('while an act on all runs goes on its dialog can be closed, but not opened again', async () => {
  const { task_id: taskId } = await shop.client.ai_tasks.create({ ...TASK, name: 'Cancelled slowly' });
  const { run_id: id } = await shop.client.ai_tasks.start_run(taskId, {});
  const page = await shop.open({ path: `/runs?task=${taskId}` });
  const gate = Promise.withResolvers<void>();
  await page.route('**/runs/bulk', async (route) => {
    await gate.promise;
    await route.continue();
  });
  const open = page.getByRole('button', { name: 'Act on all of them…' });
  await open.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'All runs that match' });
  await dialog.getByRole('button', { name: 'Cancel 1 run' }).press('Enter');
  await dialog.getByLabel('What is done').and(page.locator(':disabled')).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await open.isDisabled(), true);
  gate.resolve();
  await page.getByText('1 run was cancelled.').waitFor();
  await open.and(page.locator(':enabled')).waitFor();
  assert.equal((await shop.client.ai_tasks.get_run(taskId, id)).status, 'cancelled');
  await page.done();
});

test('selected runs are resumed and started again, each only where that is possible; one that cannot be replayed says why', async () => {
  const { task_id: taskId } = await shop.client.ai_tasks.create({ ...TASK, name: 'Picked up again' });
  tasks[5] = taskId;
  const [interrupted, failed] = [await run(5, { status: 'interrupted' }), await run(5, { status: 'failed' })];
  const { run_id: recorded } = await shop.client.ai_tasks.start_run(taskId, { executor: 'external', record: true });
  await shop.client.ai_tasks.append_run_events(taskId, recorded, { events: [{ kind: 'finalize', status: 'success' }] });
  const page = await shop.open({ path: `/runs?task=${taskId}` });
  for (const id of [interrupted, failed]) await page.locator(`tr[data-id="${id}"]`).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Resume 1 run' }).click();
  await page.getByRole('dialog').getByText('1 run is resumed; 1 of the selected are not interrupted.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume 1 run' }).click();
  await page.getByText('1 run was resumed.').waitFor();
  assert.equal((await shop.client.ai_tasks.get_run(taskId, interrupted)).status, 'resumed');
  await page.getByRole('button', { name: 'Start 1 run again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start 1 run again' }).click();
  await page.getByText('1 run was started again.').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.locator(`tr[data-id="${recorded}"]`).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Replay 1 run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay 1 run' }).click();
  await page.getByText('With 1 it was not possible:').waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: `run ${recorded}:` })
    .waitFor();
  await shoot(page, 'runs-refused');
  await page.done();
});

test('who may not change tasks can select nothing', async () => {
  const { token } = await shop.admin('Reader', ['admin_api.ai_tasks.read']);
  const page = await shop.open({ path: '/runs', token });
  await page.getByRole('table').waitFor();
  assert.equal(await page.getByRole('checkbox').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Act on all of them…' }).count(), 0);
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
