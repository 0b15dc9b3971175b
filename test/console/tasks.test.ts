import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

const LONG = 'Überprüfung sämtlicher Zahlungseingänge und Benachrichtigung der Buchhaltungsabteilung';
const SOURCE = `export default async function main() {
  log('hello');
}
`;

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

type Body = Parameters<Console['client']['ai_tasks']['create']>[0];
async function makeTask(values: Partial<Body> = {}): Promise<{ id: number; versionId: number }> {
  const { task_id, version_id } = await shop.client.ai_tasks.create({
    name: 'Count orders',
    description: 'Counts the orders of a day',
    source_code: SOURCE,
    permissions: ['admin_api.orders.read'],
    parameters: [],
    ...values,
  });
  return { id: task_id, versionId: version_id };
}

test('a shop without tasks says what a task is; by keyboard alone one is made, and found again', async () => {
  const page = await shop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.pressPair('g', 't');
  await page.getByText('There is no task yet.').waitFor();
  await shoot(page, 'tasks-empty');
  await page.getByRole('link', { name: 'Tag large orders' }).waitFor();
  await page.keyboard.press('n');
  await page.waitForURL(/\/tasks\/new$/);
  await page.getByRole('heading', { name: 'New task' }).waitFor();
  await page.keyboard.press('n');
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText("log('tidy');");
  await page.getByText('Edited, kept in this browser').waitFor();
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Submit the new task' });
  await dialog.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+s');
  await dialog.getByText('One value is not accepted').waitFor();
  await shoot(page, 'tasks-new-refused');
  assert.equal((await shop.client.ai_tasks.list()).total, 0);
  await page.keyboard.type('Tidy up notes');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Deletes notes that nobody needs');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Tidy up notes' }).waitFor();
  const { tasks } = await shop.client.ai_tasks.list();
  assert.deepEqual(
    tasks.map(({ name, description, current_version }) => [name, description, current_version]),
    [['Tidy up notes', 'Deletes notes that nobody needs', 1]],
  );
  await page.goto(`${shop.url}/tasks`);
  await page.locator('tbody tr[tabindex="0"]').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('tidy');
  await page.waitForURL(/q=tidy/);
  await page.locator('tbody tr[tabindex="0"]').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/tasks\/\d+$/);
  await page.done();
});

test('leaving a form for a new task asks, and Stay keeps what was typed', async () => {
  const page = await shop.open({ path: '/tasks/new/weekly-report' });
  await page.getByLabel('Name').fill('Half written');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Half written');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  await page.done();
});

test('of a new task nothing is stored or waits for approval until it is submitted; its draft is run dry, and found again', async () => {
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  try {
    const page = await shop.open({ path: '/tasks/new/empty' });
    const submit = page.getByRole('button', { name: /^Submit …/ });
    await page.locator('.cm-content').focus();
    assert.equal(await submit.isDisabled(), true);
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText("log('begun');");
    await page.getByText('Edited, kept in this browser').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Dry run' }).getByText('Waits for a runner').waitFor();
    assert.deepEqual(await shop.client.ai_tasks.list_pending_versions(), []);
    const before = (await shop.client.ai_tasks.list()).total;
    await page.reload();
    await page.locator('.cm-line', { hasText: "log('begun');" }).waitFor();
    await shoot(page, 'tasks-new-draft');
    assert.deepEqual(await accessibilityFaults(page), []);
    await submit.click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Begun with nothing');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Submit/ })
      .click();
    await page.getByText('Version 1 waits').waitFor();
    const { tasks, total } = await shop.client.ai_tasks.list({ search: 'Begun with nothing' });
    assert.deepEqual([total, (await shop.client.ai_tasks.list()).total], [1, before + 1]);
    const { versions } = await shop.client.ai_tasks.get(tasks[0]?.id ?? 0);
    assert.deepEqual(
      versions.map(({ version, approval }) => [version, approval]),
      [[1, 'pending']],
    );
    await page.goto(`${shop.url}/tasks/new/empty`);
    await page.locator('.cm-line', { hasText: 'Nothing is done yet.' }).waitFor();
    await page.done();
  } finally {
    await shop.client.settings.update({ approval_policy: 'author' });
  }
});

test('the list tells what waits, what goes on and when each task runs next; a search without a match can be dropped', async () => {
  const { id } = await makeTask({ name: LONG });
  await shop.client.ai_tasks.create_schedule(id, { cron: '0 6 1 1 *', timezone: 'Europe/Vienna' });
  await shop.client.ai_tasks.start_run(id, {});
  const page = await shop.open({ path: '/tasks' });
  const row = page.getByRole('row', { name: new RegExp(LONG) });
  await row.getByText('1 run goes on').waitFor();
  assert.match((await row.textContent()) ?? '', /1 Jan/);
  await page.getByRole('searchbox').fill('no such task at all');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('button', { name: 'Drop the filters' }).click();
  await row.waitFor();
  await page.done();
});

test('a run is started with its parameters; what the server refuses stands at its field', async () => {
  const { id } = await makeTask({
    name: 'With parameters',
    parameters: [
      { name: 'days', kind: 'number', label: 'Days to look back', default: 7 },
      { name: 'reason', kind: 'string', label: 'Reason', required: true },
    ],
  });
  const page = await shop.open({ path: `/tasks/${id}` });
  assert.equal(await page.getByLabel('Days to look back').inputValue(), '7');
  await page.getByRole('button', { name: /^Start/ }).click();
  await page.getByText('the parameter "reason" is required').first().waitFor();
  assert.deepEqual(await shop.client.ai_tasks.list_runs(id), []);
  await page.getByLabel('Reason').fill('stocktaking');
  await page.getByLabel(/^Dry run/).check();
  await page.getByRole('button', { name: /^Start/ }).click();
  await page.waitForURL(/\/runs\/\d+$/);
  const [run] = await shop.client.ai_tasks.list_runs(id);
  assert.deepEqual([run?.dry_run, JSON.parse(run?.parameters ?? '')], [true, { days: 7, reason: 'stocktaking' }]);
  await page.done();
});

test('Ctrl and S starts no run; Ctrl and Enter does', async () => {
  const { id } = await makeTask({ name: 'Started by its own key' });
  const page = await shop.open({ path: `/tasks/${id}` });
  await page.getByRole('button', { name: /^Start/ }).focus();
  await page.keyboard.press('Control+s');
  await page.getByLabel(/^Dry run/).check();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/runs\/\d+$/);
  assert.deepEqual(
    (await shop.client.ai_tasks.list_runs(id)).map(({ dry_run }) => dry_run),
    [true],
  );
  await page.done();
});

test('the page of a task has its runs, its versions with their notes, and what it may do in words', async () => {
  const { id } = await makeTask({ name: 'With a history', permissions: ['admin_api.customers.write', 'prompt_input'] });
  await shop.client.ai_tasks.create_version(id, {
    source_code: 'log(2);',
    permissions: ['admin_api.customers.write'],
    parameters: [],
    note: 'Says two instead of one',
  });
  const { run_id } = await shop.client.ai_tasks.start_run(id, {});
  const page = await shop.open({ path: `/tasks/${id}` });
  await page.getByRole('row', { name: new RegExp(`^${run_id} Waits for a runner`) }).waitFor();
  await page.getByText('Says two instead of one').waitFor();
  await page.getByText('Change customers').waitFor();
  assert.equal(await page.getByText('Ask people questions').count(), 0);
  await page.done();
});

test('settings are changed and merged with what somebody else changed meanwhile; a limit that is emptied is the usual one', async () => {
  const { id } = await makeTask({ name: 'To be set' });
  const page = await shop.open({ path: `/tasks/${id}/settings` });
  await page.getByLabel('Memory, MiB').fill('9999');
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByText('One value is not accepted').waitFor();
  assert.equal(await page.getByLabel('Memory, MiB').getAttribute('aria-invalid'), 'true');
  await shoot(page, 'task-settings-refused');
  await page.getByLabel('Memory, MiB').fill('256');
  await page.getByLabel('At most, at a time').fill('1');
  await shop.client.ai_tasks.update(id, { description: 'Changed by somebody else' });
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const { task } = await shop.client.ai_tasks.get(id);
  assert.deepEqual(
    [task.description, task.settings.limits, task.settings.concurrency.limit],
    ['Changed by somebody else', { heap_mib: 256 }, 1],
  );
  assert.equal(await page.getByLabel('What it does').inputValue(), 'Changed by somebody else');
  await page.getByLabel('Memory, MiB').fill('');
  await page.getByLabel('What it does').fill('Changed here');
  await shop.client.ai_tasks.update(id, { description: 'Changed there' });
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByText('Somebody else has changed this meanwhile').waitFor();
  await page.getByRole('button', { name: /^Mine: Changed here/ }).click();
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const saved = (await shop.client.ai_tasks.get(id)).task;
  assert.deepEqual([saved.description, saved.settings.limits], ['Changed here', {}]);
  await page.getByRole('button', { name: 'Delete task' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete task' }).click();
  await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
  assert.notEqual((await shop.client.ai_tasks.get(id)).task.deleted_at, null);
  await page.goto(`${shop.url}/tasks/${id}`);
  await page.getByText('This task was deleted.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Start/ }).count(), 0);
  await page.done();
});

test('the task that runs when a run ends badly is found, saved and removed; the task itself is refused at the field', async () => {
  const { id } = await makeTask({ name: 'May end badly' });
  const { id: handler } = await makeTask({ name: 'Tells the night shift' });
  const page = await shop.open({ path: `/tasks/${id}/settings` });
  const field = page.getByRole('combobox', { name: 'The task that runs then' });
  await field.fill('end badly');
  await page.getByRole('option', { name: 'May end badly' }).click();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('One value is not accepted').waitFor();
  const other = page.getByRole('combobox', { name: 'Another task instead' });
  assert.equal(await other.getAttribute('aria-invalid'), 'true');
  await other.fill('night');
  await page.getByRole('option', { name: 'Tells the night shift' }).click();
  await page.getByRole('link', { name: 'Tells the night shift' }).waitFor();
  await shoot(page, 'task-settings-handler');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.deepEqual((await shop.client.ai_tasks.get(id)).task.settings.error_handler, { task_id: handler });
  // Whoever sends the handler becomes the admin for whom it acts, so saving another setting does not send it.
  const saved = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByLabel('What it does').fill('Counts at night');
  await page.keyboard.press('ControlOrMeta+s');
  const { description, settings } = (await saved).postDataJSON();
  assert.deepEqual([description, 'retry' in settings, 'error_handler' in settings], ['Counts at night', true, false]);
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.deepEqual((await shop.client.ai_tasks.get(id)).task.settings.error_handler, { task_id: handler });
  await page.getByRole('button', { name: 'Remove Tells the night shift' }).click();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('No other task runs then.').waitFor();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await shop.client.ai_tasks.get(id)).task.settings.error_handler, null);
  await page.done();
});

test('after how many silent minutes the admins are told of a run is set and taken back; none is refused at the field', async () => {
  const { id } = await makeTask({ name: 'Falls silent' });
  const page = await shop.open({ path: `/tasks/${id}/settings` });
  const field = page.getByRole('textbox', { name: 'Minutes without a sign of progress' });
  await field.fill('0');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('One value is not accepted').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  const saved = async () => (await shop.client.ai_tasks.get(id)).task.settings.stuck_minutes;
  for (const [text, minutes] of [
    ['30', 30],
    ['', null],
  ] as const) {
    await field.fill(text);
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    assert.equal(await saved(), minutes);
  }
  await page.done();
});

test('whoever may only read tasks is shown nothing that changes them', async () => {
  const { id } = await makeTask({ name: 'Only to look at' });
  const { token } = await shop.admin('Reader of Tasks', ['admin_api.ai_tasks.read']);
  const page = await shop.open({ path: `/tasks/${id}`, token });
  await page.getByRole('heading', { name: 'Only to look at' }).waitFor();
  await page.getByText('This task has not run yet.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Start/ }).count(), 0);
  await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Settings' }).click();
  assert.equal(await page.getByLabel('Name', { exact: true }).isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: 'Delete task' }).count(), 0);
  await page.done();
});

test(`axe-core finds nothing on the pages of tasks in light and dark colours, at 2,560 and at 360 pixels`, async () => {
  const { id } = await makeTask({
    name: LONG,
    description: 'A felhasználói visszajelzések összegyűjtése és kiértékelése hetente egyszer',
    parameters: [{ name: 'tage', kind: 'number', label: 'Zahlungseingangsüberwachungszeitraum in Kalendertagen', default: 7 }],
  });
  await shop.client.ai_tasks.start_run(id, {});
  await shop.client.ai_tasks.create_version(id, {
    source_code: 'log(2);',
    permissions: [],
    parameters: [],
    note: 'Rechtsschutzversicherungsgesellschaften werden nunmehr gesondert behandelt',
  });
  for (const [name, path, seen] of [
    ['tasks', '/tasks', LONG],
    ['task', `/tasks/${id}`, 'Start a run'],
    ['task-settings', `/tasks/${id}/settings`, 'Limits of a run'],
    ['tasks-new', '/tasks/new/empty', 'New task'],
  ] as const) {
    for (const width of [2560, 360]) {
      const page = await shop.open({ path, width });
      await page.getByText(seen).first().waitFor();
      if (name === 'task') await page.getByRole('row').nth(1).waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], `${name} ${width}`);
      await shoot(page, `${name}-${width}`);
      assert.equal(await isTooWide(page), false, `${name} ${width}`);
      await page.done();
    }
  }
});

test('the page of a task shows how its runs did, in charts that a table repeats, at each width and in both themes', async () => {
  const { id } = await makeTask({ name: 'Late orders' });
  const end = async (status: string) => {
    const { run_id } = await shop.client.ai_tasks.start_run(id, { executor: 'external' });
    await shop.client.ai_tasks.append_run_events(id, run_id, { events: [{ kind: 'finalize', status, error_message: null }] });
  };
  for (const status of ['success', 'success', 'failed']) await end(status);
  await shop.client.ai_tasks.create_version(id, { source_code: 'log("two");', permissions: [], parameters: [] });
  await end('success');
  const page = await shop.open({ path: `/tasks/${id}` });
  const health = page.getByRole('region', { name: 'Health in the last 30 days' });
  const versions = page.getByRole('table', { name: 'By version' });
  await versions.getByRole('row', { name: 'Version 2' }).waitFor();
  assert.match((await versions.getByRole('row', { name: 'Version 1' }).textContent()) ?? '', /Version 13\s?66.67\s?%/);
  await page.getByRole('img', { name: /^Success: from .+ to .+\. The table beneath has the figures\.$/ }).waitFor();
  await page.getByText('By day').click();
  await page.getByRole('table', { name: 'By day' }).waitFor();
  assert.equal(await page.locator('.health-chart canvas').count(), 3, 'a client waits for no runner, and no tokens were used');
  assert.deepEqual(await accessibilityFaults(page), []);
  await health.or(versions).first().scrollIntoViewIfNeeded();
  await shoot(page, 'task-health');
  for (const width of [390, 2560]) {
    const other = await shop.open({ path: `/tasks/${id}`, width });
    await other.locator('.health-chart canvas').first().waitFor();
    assert.equal(await isTooWide(other), false, `${width} px`);
    await shoot(other, `task-health-${width}`);
    await other.done();
  }
  await page.done();
});
