import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../helpers/machines.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
let taskId: number;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
  const { task_id } = await shop.client.ai_tasks.create({
    name: 'Discounts anew',
    description: '',
    source_code: `
      for (const id of parameters.groups) await admin.discount_groups.update(id, { percent_bps: 900 });
      if (parameters.made) await admin.discount_groups.create({ name: parameters.made, percent_bps: 100 });
      if (parameters.inquiry) await admin.inquiries.answer(parameters.inquiry, { body: 'Yes' });
      if (parameters.waits) await waitFor('signal', { timeout: 86_400_000 });`,
    permissions: ['admin_api.discount_groups.write', 'admin_api.inquiries.write'],
    parameters: [
      { name: 'groups', kind: 'json', label: 'Groups', default: [] },
      { name: 'made', kind: 'string', label: 'Made', required: false },
      { name: 'inquiry', kind: 'number', label: 'Inquiry', required: false },
      { name: 'waits', kind: 'boolean', label: 'Waits', default: false },
    ],
  });
  taskId = task_id;
});
after(() => shop.close());

const tasks = () => shop.client.ai_tasks;
const path = (runId: number): string => `/tasks/${taskId}/runs/${runId}`;
const percentOf = async (id: number) => (await shop.client.discount_groups.get(id)).percent_bps;

let made = 0;
const group = async (): Promise<number> => {
  made += 1;
  return (await shop.client.discount_groups.create({ name: `Group ${made}`, percent_bps: 500 })).id;
};

type Given = { groups?: number[]; made?: string; inquiry?: number };

/** A run that has ended. */
async function ran(parameters: Given, options: { dry_run?: boolean } = {}): Promise<number> {
  const { run_id: runId } = await tasks().start_run(taskId, { parameters, ...options });
  await until('the run ends', async () => (await tasks().get_run(taskId, runId)).status !== 'running');
  const run = await tasks().get_run(taskId, runId);
  assert.equal(run.status, 'success', run.error_message ?? '');
  return runId;
}

test('a run is taken back by a plan: conflicts are left alone unless chosen, what cannot come back says what to do, both runs are linked', async () => {
  const [changed, kept] = [await group(), await group()];
  const inquiry = await shop.client.inquiries.create({ name: 'I', email: 'i@example.com', subject: 'S', body: 'B' });
  const runId = await ran({ groups: [changed, kept], made: 'Made by the run', inquiry: inquiry.id });
  await shop.client.discount_groups.update(changed, { percent_bps: 1200 });

  const page = await shop.open({ path: path(runId) });
  await page.getByRole('button', { name: 'Take back…' }).click();
  const dialog = page.getByRole('dialog', { name: `Take back what run ${runId} did?` });
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'undo-dialog');
  await dialog.getByRole('button', { name: 'Make the plan' }).and(page.locator(':focus')).waitFor();
  await dialog.getByRole('button', { name: 'Make the plan' }).click();

  const rows = page.getByRole('list', { name: 'What would be taken back' });
  await rows.waitFor();
  await page.getByText('2 of 4 writes are chosen.').waitFor();
  const facts = page.getByRole('complementary', { name: 'About this run' });
  await facts.getByText('Planned by').waitFor();
  assert.equal(await facts.getByText(/Version|client of the API/).count(), 0, 'no script runs in an undo');
  await facts.getByRole('link', { name: `run ${runId}` }).waitFor();
  const row = (call: string) => rows.getByRole('listitem').filter({ has: page.getByText(call, { exact: true }) });
  const [answer, conflict] = [row(`POST /inquiries/${inquiry.id}/answer`), row(`PATCH /discount-groups/${changed}`)];
  await answer.getByText('Cannot be taken back').waitFor();
  await answer.getByText('Write to the person again.').waitFor();
  assert.equal(await answer.getByRole('checkbox').isDisabled(), true);
  assert.deepEqual(await conflict.getByRole('row').nth(1).getByRole('cell').allTextContents(), ['500', '900', '1200']);
  const tick = conflict.getByRole('checkbox');
  assert.equal(await tick.isChecked(), false);
  assert.equal(await percentOf(kept), 900, 'a plan changes nothing');
  const planPath = new URL(page.url()).pathname;
  for (const width of [...widths, 390, 1440]) {
    const other = await shop.open({ path: planPath, width });
    await other.getByRole('button', { name: 'Apply…' }).waitFor();
    assert.deepEqual(await accessibilityFaults(other), []);
    assert.equal(await isTooWide(other), false, `nothing stands out at ${width}`);
    await shoot(other, `undo-plan-${width}`);
    await other.done();
  }
  await page.getByRole('button', { name: /^Changed since/ }).click();
  assert.equal(await rows.getByRole('checkbox').count(), 1);
  await tick.focus();
  await page.keyboard.press('Space');
  await page.getByText('3 of 4 writes are chosen.').waitFor();
  await page.keyboard.press('Control+Enter');
  const asked = page.getByRole('dialog', { name: `Take back 3 writes of run ${runId}?` });
  await asked.getByText('1 of them was changed since').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'undo-confirm');
  await asked.getByRole('button', { name: 'Take back', exact: true }).click();
  await page.getByRole('table', { name: 'Effects' }).waitFor();
  assert.deepEqual([await percentOf(changed), await percentOf(kept)], [500, 500]);

  const applied = Number(/runs\/(\d+)/.exec(page.url())?.[1]);
  await page.getByText(`took back run ${runId}`).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Run again/ }).count(), 0, 'no script made it');
  await facts.getByRole('link', { name: `run ${runId}` }).click();
  await page.getByText(`taken back by run ${applied}`).waitFor();
  await facts.getByRole('link', { name: `run ${applied}` }).waitFor();
  await page.goto(`${shop.url}/runs`);
  const listed = page.getByRole('table', { name: 'Runs' });
  await listed.getByText(`took back run ${runId}`).waitFor();
  await listed.getByText(`plan to take back run ${runId}`).waitFor();
  await listed.getByText(`taken back by run ${applied}`).waitFor();
  await shoot(page, 'undo-in-runs');

  await page.goto(`${shop.url}${planPath}`);
  await page.getByRole('link', { name: `Show run ${applied}` }).waitFor();
  assert.equal(await rows.getByRole('checkbox').count(), 0, 'a plan that was applied asks nothing');
  await page.getByRole('button', { name: 'Take back…' }).click();
  await page
    .getByRole('dialog', { name: `Take back what run ${applied} did?` })
    .getByRole('button', { name: 'Make the plan' })
    .click();
  await page.getByText('3 of 3 writes are chosen.').waitFor();
  await page.getByRole('button', { name: 'Apply…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back', exact: true }).click();
  await page.getByRole('table', { name: 'Effects' }).waitFor();
  assert.deepEqual([await percentOf(changed), await percentOf(kept)], [1200, 900]);
  await page.done();
});

test('a plan that is out of date shows the first difference, writes nothing, and is made anew', async () => {
  const id = await group();
  const runId = await ran({ groups: [id] });
  await shop.client.discount_groups.update(id, { percent_bps: 300 });
  const { run_id: plan } = await tasks().undo_run(taskId, runId, {});
  const page = await shop.open({ path: path(plan) });
  await page.getByText('0 of 1 write is chosen.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Apply…' }).isDisabled(), true);
  await page.getByRole('checkbox', { name: `Take back PATCH /discount-groups/${id}` }).check();
  await shop.client.discount_groups.update(id, { percent_bps: 400 });
  await page.getByRole('button', { name: 'Apply…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back', exact: true }).click();
  const refused = page.getByRole('alert');
  await refused.getByText('The shop has changed since this plan was made. Nothing was written.').waitFor();
  await refused.getByText('percent_bps Before 500 · By the run 900 · Now 400').waitFor();
  assert.equal(await percentOf(id), 400);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'undo-outdated');
  await refused.getByRole('button', { name: 'Make a new plan' }).click();
  await page.getByRole('row', { name: /percent_bps.*400/ }).waitFor();
  assert.notEqual(new URL(page.url()).pathname, path(plan));
  await page.done();
});

test('some effects are chosen by keys alone, and taken back without the others', async () => {
  const [one, other] = [await group(), await group()];
  const runId = await ran({ groups: [one, other] });
  const page = await shop.open({ path: `${path(runId)}?tab=effects` });
  await page.getByRole('checkbox', { name: `Select /discount-groups/${one}` }).focus();
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: '1 effect is selected' });
  await shoot(page, 'undo-effects');
  assert.deepEqual(await accessibilityFaults(page), []);
  await bar.getByRole('button', { name: 'Take back…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Take back 1 effect of run ${runId}?` });
  await dialog.locator('button:focus', { hasText: 'Make the plan' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('1 of 1 write is chosen.').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Take back', exact: true }).press('Enter');
  await page.getByRole('table', { name: 'Effects' }).waitFor();
  assert.deepEqual([await percentOf(one), await percentOf(other)], [500, 900]);
  await page.done();
});

test('a dry run, a run that goes on and one without effects are not offered; the run that applied a plan is', async () => {
  const id = await group();
  const dry = await ran({ groups: [id] }, { dry_run: true });
  const nothing = await ran({});
  const act = { name: 'Take back…' };
  const page = await shop.open({ path: path(dry) });
  await page.getByRole('button', { name: 'Apply this plan' }).waitFor();
  assert.equal(await page.getByRole('button', act).count(), 0);
  await page.goto(`${shop.url}${path(nothing)}?tab=effects`);
  await page.getByText('The run has written nothing.').waitFor();
  assert.equal(await page.getByRole('button', act).count(), 0);

  const { run_id: open } = await tasks().start_run(taskId, { parameters: { groups: [id], waits: true } });
  await page.goto(`${shop.url}${path(open)}?tab=effects`);
  await page.getByRole('table', { name: 'Effects' }).getByText('500').waitFor();
  assert.equal(await page.getByRole('button', act).count(), 0);
  assert.equal(await page.getByRole('checkbox').count(), 0);
  await tasks().cancel_run(taskId, open);
  await page.getByRole('button', act).waitFor();
  await tasks()
    .undo_run(taskId, open, {})
    .then(({ run_id }) => tasks().apply_run(taskId, run_id));

  const again = await ran({ groups: [id] }, { dry_run: true });
  const { run_id: applied } = await tasks().apply_run(taskId, again);
  await page.goto(`${shop.url}${path(again)}`);
  await page.getByText('The plan was applied.').waitFor();
  await page.getByRole('button', act).click();
  await page
    .getByRole('dialog', { name: `Take back what run ${applied} did?` })
    .getByRole('button', { name: 'Make the plan' })
    .click();
  await page.getByText('1 of 1 write is chosen.').waitFor();
  await page.done();
});

test('who may not change tasks is offered nothing; who lacks the permission of a write is told it', async () => {
  const runId = await ran({ groups: [await group()] });
  const reads = ['admin_api.ai_tasks.read', 'admin_api.discount_groups.read', 'admin_api.inquiries.read'];
  const reader = await shop.admin('Reader', reads);
  const page = await shop.open({ path: `${path(runId)}?tab=effects`, token: reader.token });
  await page.getByRole('table', { name: 'Effects' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Take back…' }).count(), 0);
  assert.equal(await page.getByRole('checkbox').count(), 0);
  const { run_id: plan } = await tasks().undo_run(taskId, runId, {});
  await page.goto(`${shop.url}${path(plan)}`);
  await page.getByText(`It would take back what run ${runId} did.`).waitFor();
  assert.equal(await page.getByRole('button', { name: /Apply|Take back/ }).count(), 0);
  await page.done();

  const writer = await shop.admin('Writer', [...reads, 'admin_api.ai_tasks.write']);
  const other = await shop.open({ path: path(runId), token: writer.token });
  await other.getByRole('button', { name: 'Take back…' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Make the plan' }).click();
  await other.getByRole('alert').getByText('admin_api.discount_groups.write').waitFor();
  await other.done();
});

test('a run that goes on from another is taken back with it', async () => {
  const [one, other] = [await group(), await group()];
  const source = `await admin.discount_groups.update(${one}, { percent_bps: 900 });
    checkpoint({});
    await admin.discount_groups.update(${other}, { percent_bps: 900 });`;
  const { task_id: id } = await shop.client.ai_tasks.create({
    name: 'In two parts',
    description: '',
    source_code: source,
    permissions: ['admin_api.discount_groups.write'],
    parameters: [],
  });
  await tasks().update(id, { settings: { limits: { writes: 1 } } });
  const { run_id: first } = await tasks().start_run(id, {});
  await until('the first part ends', async () => (await tasks().get_run(id, first)).status === 'interrupted');
  await tasks().update(id, { settings: { limits: { writes: 10 } } });
  const { run_id: second } = await tasks().start_run(id, { resume_run_id: first });
  await until('the second part ends', async () => (await tasks().get_run(id, second)).status === 'success');
  const page = await shop.open({ path: `/tasks/${id}/runs/${second}` });
  await page.getByRole('button', { name: 'Take back…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What is taken back').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByText('2 of 3 writes are chosen.').waitFor();
  await page.getByText('As before already', { exact: true }).waitFor();
  await page.getByText(`of run ${first}`).waitFor();
  await page.getByRole('button', { name: 'Apply…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back', exact: true }).click();
  await page.getByRole('table', { name: 'Effects' }).waitFor();
  assert.deepEqual([await percentOf(one), await percentOf(other)], [500, 500]);
  await page.done();
});
