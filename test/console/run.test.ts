import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { ParameterDeclaration } from '../../contract/tasks.ts';
import { accessibilityFaults, type Console, contentOf, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60, runner: true });
});
after(() => shop.close());

type Task = { source: string; permissions?: string[]; parameters?: ParameterDeclaration[]; name?: string };

async function makeTask({ source, permissions = [], parameters = [], name = 'A task' }: Task): Promise<number> {
  const { task_id } = await shop.client.ai_tasks.create({ name, description: '', source_code: source, permissions, parameters });
  return task_id;
}

async function start(taskId: number, body: Parameters<Console['client']['ai_tasks']['start_run']>[1] = {}) {
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, body);
  return { runId, path: `/tasks/${taskId}/runs/${runId}` };
}

const newestRun = async (taskId: number) => (await shop.client.ai_tasks.list_runs(taskId, { limit: 1 }))[0];

test('a run that is going is cancelled by its key, and by keyboard alone another one is started', async () => {
  const taskId = await makeTask({ source: "for (;;) { log('tick'); await sleep(500); }" });
  const { runId, path } = await start(taskId);
  const page = await shop.open({ path });
  await page.getByRole('region', { name: 'Log', exact: true }).getByText('tick').waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: `Cancel run ${runId}?` });
  await dialog.getByRole('button', { name: 'Cancel the run' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The run was cancelled.').waitFor();
  assert.equal((await shop.client.ai_tasks.get_run(taskId, runId)).status, 'cancelled');
  await page.getByRole('button', { name: 'Run again' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Run A task' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: `run ${runId + 1}` }).waitFor();
  await shop.client.ai_tasks.cancel_run(taskId, runId + 1);
  await page.done();
});

test('a spent budget is raised where the run says so, for the task, and the run goes on', async () => {
  const taskId = await makeTask({
    name: 'Umbenennung der Bestellstatus für die Lagerbuchhaltung und den Kundendienst',
    permissions: ['admin_api.order_statuses.write'],
    source: `for (let n = 0; n < 5; n++) { await admin.order_statuses.create({ name: 'Stufe ' + n, color: '#112233' }); progress(n + 1, 5, 'Stufen'); }`,
  });
  await shop.client.ai_tasks.update(taskId, { settings: { limits: { writes: 3 } } });
  const { runId, path } = await start(taskId);
  const page = await shop.open({ path });
  await page.getByText('The limit “Writes” of 3 is spent. Nothing is lost.').waitFor();
  await page.getByRole('button', { name: 'Effects 3', exact: true }).waitFor();
  for (const width of widths) {
    const other = await shop.open({ path: `${path}?tab=effects`, width });
    await other.getByRole('table', { name: 'Effects' }).waitFor();
    assert.deepEqual(await accessibilityFaults(other), []);
    assert.equal(await isTooWide(other), false, `nothing stands out at ${width}`);
    await shoot(other, `run-${width}`);
    await other.done();
  }
  await page.getByRole('button', { name: 'Raise, resume' }).click();
  const form = page.getByRole('form', { name: 'Raise “Writes” of the task' });
  const field = form.getByLabel('Writes');
  await field.and(page.locator(':focus')).waitFor();
  await field.fill('-1');
  await form.getByRole('button', { name: 'Raise and resume' }).click();
  await form.getByRole('alert').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await accessibilityFaults(page), []);
  await field.fill('100');
  await form.getByRole('button', { name: 'Raise and resume' }).click();
  await page.getByRole('heading', { name: `run ${runId + 1}` }).waitFor();
  await page.getByText('5 of 5').waitFor();
  await page.getByText('Success').first().waitFor();
  assert.equal((await shop.client.ai_tasks.get(taskId)).task.settings.limits.writes, 100);
  assert.equal((await shop.client.ai_tasks.list_effects(taskId, runId)).length, 3);
  assert.equal((await shop.client.order_statuses.list({ per_page: 100 })).data.filter(({ name }) => name.startsWith('Stufe')).length, 5);
  await page.getByRole('link', { name: `run ${runId}`, exact: true }).click();
  await page.getByText('Another run went on from here.').waitFor();
  await page.done();
});

test('an error is told with the script’s own lines; the task runs again with other parameters, which are refused at their field', async () => {
  const taskId = await makeTask({
    source: `
      if (parameters.divisor === 0) throw new Error('divided by nothing');
      export default () => 12 / parameters.divisor;`,
    parameters: [
      { name: 'divisor', kind: 'number', label: 'Divisor', required: true },
      { name: 'customers', kind: 'customer_ids', label: 'Customers' },
      { name: 'table', kind: 'json', label: 'Table' },
      { name: 'list', kind: 'file', label: 'List' },
    ],
  });
  const { runId, path } = await start(taskId, { parameters: { divisor: 0 } });
  const page = await shop.open({ path });
  await page.getByText('The script failed.').waitFor();
  await page.getByText('divided by nothing').waitFor();
  await page.getByRole('button', { name: 'Run again' }).first().click();
  const form = page.getByRole('form', { name: 'Run A task' });
  const divisor = form.getByLabel('Divisor *');
  await divisor.fill('');
  await form.getByLabel('Table').fill('{"a": [1, 2');
  const run = form.getByRole('button', { name: 'Run' });
  await run.click();
  await form.getByText('This is no JSON.').waitFor();
  assert.equal((await newestRun(taskId))?.id, runId);
  await form.getByLabel('Table').fill('{"a": [1, 2]}');
  await run.click();
  await form.getByRole('alert').getByText('the parameter "divisor" is required').waitFor();
  assert.equal(await divisor.getAttribute('aria-invalid'), 'true');
  await divisor.fill('0.5');
  await form.getByLabel('Customers').fill('a');
  await page.getByRole('option').first().click();
  await form.getByLabel('List', { exact: true }).setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') });
  await form.getByText('list.csv · 3 B').waitFor();
  await shoot(page, 'run-again-parameters');
  assert.deepEqual(await accessibilityFaults(page), []);
  await run.click();
  await page.getByRole('heading', { name: `run ${runId + 1}` }).waitFor();
  await page.getByText('Success').first().waitFor();
  const again = await shop.client.ai_tasks.get_run(taskId, runId + 1);
  const given = z
    .object({ divisor: z.number(), customers: z.array(z.number()), table: z.unknown(), list: z.number() })
    .parse(JSON.parse(again.parameters));
  assert.deepEqual([given.divisor, given.customers.length, given.table], [0.5, 1, { a: [1, 2] }]);
  assert.equal((await shop.client.files.get(given.list)).original_filename, 'list.csv');
  assert.equal(again.result, 24);
  await page.done();
});

test('what a run has done has tabs that the address names: effects, calls, results, and files that are downloaded', async () => {
  const taskId = await makeTask({
    permissions: ['admin_api.products.read', 'file_download'],
    source: `
      const { data } = await admin.products.list({ per_page: 3 });
      await files.write('Bestandsübersicht.csv', data.map(({ name }) => name).join('\\n'), 'text/csv');`,
  });
  const { runId, path } = await start(taskId);
  const page = await shop.open({ path });
  await page.getByText('Success').first().waitFor();
  await page.getByRole('button', { name: 'Files' }).click();
  assert.match(page.url(), /tab=files/);
  const [artifact] = await shop.client.ai_tasks.list_artifacts(taskId, runId);
  assert.ok(artifact);
  await page.getByRole('row', { name: new RegExp(artifact.name) }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: `Download ${artifact.name}` }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), artifact.name);
  assert.equal((await contentOf(download)).length, artifact.size_bytes);
  await shoot(page, 'run-files');
  await page.getByRole('button', { name: 'Effects' }).click();
  await page.getByText('The run has written nothing.').waitFor();
  await page.getByRole('button', { name: /^Calls/ }).click();
  await page
    .getByRole('row', { name: /GET \/products/ })
    .first()
    .click();
  await page.getByRole('region', { name: 'Log', exact: true }).waitFor();
  assert.match(page.url(), /tab=log&line=\d+/);
  await page.done();
});

test('calls are drawn by their time, with idle stretches folded, and checkpoints are listed', async () => {
  const taskId = await makeTask({
    permissions: ['admin_api.orders.write'],
    source: `
      for (let round = 1; round <= 3; round++) {
        const { data } = await admin.orders.list({ per_page: 12 });
        await Promise.all(data.map(({ id }) => admin.orders.get(id)));
        await admin.orders.get(999999).catch(() => log('not there'));
        await admin.orders.update_internal_status(data[0].id, { internal_status_id: null });
        await checkpoint({ round });
        await sleep(3000);
      }`,
  });
  const { path } = await start(taskId);
  const page = await shop.open({ path: `${path}?tab=calls`, theme: 'dark' });
  await page.getByText('Success').first().waitFor();
  await page.getByText('3 calls were refused').waitFor();
  await page.getByRole('img', { name: /^45 calls within .*, at most \d+ at a time$/ }).waitFor();
  await page.getByText(/^\d+ idle stretches are folded/).waitFor();
  const rows = page.getByRole('table', { name: 'Calls' }).getByRole('row');
  await rows.nth(45).waitFor();
  assert.equal(await rows.count(), 46);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'run-calls-dark');
  await page.getByRole('button', { name: 'Checkpoints' }).click();
  await page.getByText('"round": 3').waitFor();
  const checkpoints = page.getByRole('table', { name: 'Checkpoints' }).getByRole('row');
  await checkpoints.nth(3).waitFor();
  assert.equal(await checkpoints.count(), 4);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'run-checkpoints-dark');
  await page.done();
});

const TAG = `
  const { data } = await admin.orders.list({ per_page: 5 });
  for (const order of data) result(parameters.word, order.public_id, {});
  export default () => ({ word: parameters.word });`;

test('two runs are compared, and a recorded run is replayed with a newer version', async () => {
  const task = { permissions: ['admin_api.orders.read'], parameters: [{ name: 'word', kind: 'string', default: 'seen' }] };
  const taskId = await makeTask({ source: TAG, ...task });
  const first = await start(taskId, { record: true });
  const second = await start(taskId, { parameters: { word: 'noted' } });
  const page = await shop.open({ path: first.path });
  await page.getByText('Success').first().waitFor();
  await page.getByRole('button', { name: 'Compare…' }).click();
  const choice = page.getByLabel('Compare with');
  await page.getByRole('option', { name: new RegExp(`^Run ${second.runId} · Success`) }).waitFor({ state: 'attached' });
  await choice.selectOption(String(second.runId));
  await page.getByRole('row', { name: 'Results 0 5 5' }).waitFor();
  await page.getByRole('row', { name: 'Calls 1 0 0' }).waitFor();
  await page.getByText('Results, place 1').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'run-compare');
  await shop.client.ai_tasks.create_version(taskId, { source_code: `${TAG} log('more');`, ...task });
  await page.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog', { name: `Replay run ${first.runId}` });
  await dialog.getByLabel('With').selectOption('Version 2');
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('A replay: it got recorded answers and changed nothing in the shop.').waitFor();
  await page.getByRole('button', { name: 'Show the differences' }).click();
  await page.getByRole('heading', { name: /^Log, line \d+/ }).waitFor();
  await page.getByRole('row', { name: 'Calls 1 0 0 0' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'run-replay');
  await page.done();
});

test('compared calls show where they sent requests', async () => {
  const taskId = await makeTask({ source: 'log(1)', permissions: [], parameters: [] });
  const tell = async (host: string): Promise<number> => {
    const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, { executor: 'external' });
    const request = { method: 'POST', url: `https://${host}.example.test/v1/x`, status: 202 };
    const events = [{ kind: 'admin_api' as const, method: 'POST', path: '/http/send', status: 200, request }];
    await shop.client.ai_tasks.append_run_events(taskId, runId, { events });
    return runId;
  };
  const [one, two] = [await tell('a'), await tell('b')];
  const page = await shop.open({ path: `/tasks/${taskId}/runs/${one}` });
  await page.getByRole('button', { name: 'Compare…' }).click();
  await page.getByRole('option', { name: new RegExp(`^Run ${two} `) }).waitFor({ state: 'attached' });
  await page.getByLabel('Compare with').selectOption(String(two));
  for (const host of ['a', 'b']) await page.getByText(`POST /http/send 200 → POST https://${host}.example.test/v1/x 202`).first().waitFor();
  await page.done();
});

test('a resumed run may take the newer version, and may leave its stored answers only after a warning', async () => {
  const task = { permissions: ['prompt_input'], parameters: [] };
  const taskId = await makeTask({ source: 'for (;;) await sleep(1000);', ...task });
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, { executor: 'external' });
  await shop.client.ai_tasks.append_run_events(taskId, runId, {
    events: [
      { kind: 'checkpoint', state: { next: 3 } },
      { kind: 'finalize', status: 'interrupted', error_message: 'the client was stopped' },
    ],
  });
  await shop.client.ai_tasks.create_version(taskId, { source_code: 'export default () => last_checkpoint;', ...task });
  const page = await shop.open({ path: `/tasks/${taskId}/runs/${runId}` });
  await page.getByText('the client was stopped').waitFor();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: `Resume run ${runId}?` });
  await dialog.getByRole('button', { name: 'Resume' }).and(page.locator(':focus')).waitFor();
  await dialog.getByLabel('Version').selectOption('Version 2, the current one');
  await dialog.getByLabel('Without the answers since its checkpoint').check();
  await dialog.getByText('may happen a second time').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'run-resume');
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('heading', { name: `run ${runId + 1}` }).waitFor();
  await page.getByText('Success').first().waitFor();
  assert.deepEqual((await shop.client.ai_tasks.get_run(taskId, runId + 1)).result, { next: 3 });
  await page.done();
});

test('who may not read what a run read sees when it ran, how it ended, and what is missing', async () => {
  const taskId = await makeTask({ source: "log('secret ' + (await admin.orders.list({})).total)", permissions: ['admin_api.orders.read'] });
  const { runId, path } = await start(taskId);
  const own = await shop.open({ path });
  await own.getByText('Success').first().waitFor();
  await own.getByText(/secret \d+/).waitFor();
  await own.done();
  const { token } = await shop.admin('Reader', ['admin_api.ai_tasks.read']);
  const page = await shop.open({ path, token });
  await page.getByText('admin_api.orders.read').waitFor();
  await page.getByRole('heading', { name: `run ${runId}` }).waitFor();
  assert.equal(await page.getByText('secret').count(), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.done();
});

test('a run that is not there is said to be gone', async () => {
  const page = await shop.open({ path: '/tasks/1/runs/999999' });
  await page.getByText('There is no such run.').waitFor();
  await page.done();
});

test('what a run is about stands in lists and on its page, and its details are shown live, as Markdown that can do nothing', async () => {
  const hostile = [
    '# Late orders\\n\\n3 of **10** are late, see [order 1](/orders/1) or <https://shop.example/late>.\\n\\n| Order | Days |\\n|---|--:|\\n| 4711 | 3 |',
    '- [x] asked\\n- [ ] answered\\n\\n```\\nconst a = 1;\\n```',
    '<img src=x onerror=alert(1)><script>alert(1)</script>',
    '[click](javascript:alert(1)) ![pixel](https://evil.example/p.png) [out](//evil.example)',
  ].join('\\n\\n');
  const taskId = await makeTask({
    name: 'Late orders',
    permissions: ['prompt_input'],
    source: `describe('Order 4711 is late'); details('${hostile}'); await prompt({ label: 'Go on?', fields: [{ name: 'ok', kind: 'boolean' }] }); describe('Order 4711 is on its way'); details('All are **on their way**'); await sleep(3_600_000);`,
  });
  const { runId, path } = await start(taskId);
  const page = await shop.open({ path });
  const details = page.getByRole('region', { name: 'What the run shows' });
  await details.getByRole('heading', { name: 'Late orders' }).waitFor();
  await page.getByText('Order 4711 is late').first().waitFor();
  assert.deepEqual(
    await details.evaluate(
      (element) =>
        `${element.querySelectorAll('script, img, style, iframe, [onerror], [style]').length} ${[...element.querySelectorAll('a')]
          .map((a) => `${a.getAttribute('href')} ${a.getAttribute('target')} ${a.getAttribute('rel')}`)
          .join(', ')}`,
    ),
    '0 /orders/1 null null, https://shop.example/late _blank noopener noreferrer, https://evil.example/p.png _blank noopener noreferrer',
  );
  await details.getByText('<script>alert(1)</script>').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'run-details');
  await page.getByRole('radio', { name: 'Yes' }).or(page.getByRole('checkbox')).first().click();
  await page.getByRole('button', { name: 'Answer' }).first().click();
  await details.getByText('on their way').waitFor();
  await page.getByText('Order 4711 is on its way').first().waitFor();
  const narrow = await shop.open({ path, width: 390 });
  await narrow.getByRole('region', { name: 'What the run shows' }).getByText('on their way').waitFor();
  assert.equal(await isTooWide(narrow), false);
  await narrow.done();
  for (const list of ['/runs', `/tasks/${taskId}`]) {
    const other = await shop.open({ path: list });
    await other.getByText('Order 4711 is on its way').waitFor();
    await other.done();
  }
  await details.getByText('on their way').waitFor();
  await shop.client.ai_tasks.cancel_run(taskId, runId);
  await page.done();
});

test('an ended run starts again from a checkpoint, after what would be written twice was shown', async () => {
  const taskId = await makeTask({
    name: 'Statuses in steps',
    permissions: ['admin_api.order_statuses.write'],
    source: `for (let n = last_checkpoint?.n ?? 0; n < 4; n++) {
      await admin.order_statuses.create({ name: 'Step ' + n + ' ' + Date.now(), color: '#112233' });
      await checkpoint({ n: n + 1 });
    }`,
  });
  const { runId, path } = await start(taskId);
  const page = await shop.open({ path: `${path}?tab=checkpoints` });
  const rows = page.getByRole('table', { name: 'Checkpoints' });
  await page.getByText('Success').first().waitFor();
  for (const width of [390, 1440]) {
    const other = await shop.open({ path: `${path}?tab=checkpoints`, width });
    await other.getByRole('button', { name: 'Restart from here: checkpoint 2' }).click();
    await other.getByText('2 effects came after this checkpoint and may happen a second time:').waitFor();
    assert.deepEqual(await accessibilityFaults(other), []);
    assert.equal(await isTooWide(other), false, `nothing stands out at ${width}`);
    await shoot(other, `restart-${width}`);
    await other.done();
  }
  await rows.getByRole('button', { name: 'Restart from here: checkpoint 2' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Restart run ${runId} from checkpoint 2?` });
  await dialog.getByRole('table', { name: 'What was written after the checkpoint' }).getByText('Step 3').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: `run ${runId + 1}` }).waitFor();
  await page.getByText(`restart of run ${runId}`).waitFor();
  await page.getByText('Restarted from checkpoint 2 of').waitFor();
  await page.getByText('Success').first().waitFor();
  await page.getByRole('button', { name: 'Effects 2', exact: true }).waitFor();
  await page.done();
});
