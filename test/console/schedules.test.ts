import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../helpers/machines.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20 });
});
after(() => shop.close());

async function makeTask(name: string): Promise<number> {
  const { task_id } = await shop.client.ai_tasks.create({
    name,
    description: '',
    source_code: 'log(1);',
    permissions: [],
    parameters: [{ name: 'days', kind: 'number', label: 'Days', default: 7 }],
  });
  return task_id;
}

test('a schedule is made by keyboard; its next times are shown while it is typed, in its zone', async () => {
  const id = await makeTask('Nightly');
  const page = await shop.open({ path: `/tasks/${id}/schedules` });
  await page.getByText('This task has no schedule.').waitFor();
  await page.keyboard.press('n');
  await page.getByRole('complementary', { name: 'New schedule' }).waitFor();
  const sheet = page.locator('aside.sheet');
  await page.keyboard.type('30 2 *');
  await sheet.getByRole('status').getByText('has 3 fields').waitFor();
  await page.keyboard.type(' * MON');
  await sheet
    .getByText(/^Mon .* 02:30$/)
    .first()
    .waitFor();
  assert.equal(await sheet.getByText(/^Mon .* 02:30$/).count(), 5);
  await sheet.getByLabel('Time zone').fill('tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await sheet
    .getByText(/^Mon .* 02:30$/)
    .first()
    .waitFor();
  await sheet.getByLabel('Days', { exact: true }).fill('3');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/open=/);
  const [made] = await shop.client.ai_tasks.list_schedules(id);
  assert.deepEqual(
    [made?.cron, made?.timezone, made?.parameters, made?.enabled, made?.overlap, made?.catch_up_seconds],
    ['30 2 * * MON', 'Asia/Tokyo', { days: 3 }, true, 'skip', 3600],
  );
  await sheet.getByText(/Its runs act for/).waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.done();
});

test('a schedule is made without cron: an often used time, another time of day, other days; it is told in words', async () => {
  const id = await makeTask('In words');
  const page = await shop.open({ path: `/tasks/${id}/schedules?new=true` });
  const sheet = page.locator('aside.sheet');
  await sheet.getByRole('button', { name: 'Mondays at 8:00' }).click();
  // Hundreds of time zones are made when somebody chooses among them.
  assert.equal(await page.locator('.named-list .menu-item').count(), 0);
  await sheet.getByLabel('Time of day').fill('17:45');
  const days = sheet.getByRole('group', { name: 'Days of the week' });
  await days.getByRole('button', { name: 'Thu' }).click();
  await sheet
    .getByText(/^Thu .* 17:45$/)
    .first()
    .waitFor();
  assert.equal(await sheet.getByLabel('When', { exact: true }).inputValue(), '45 17 * * MON,THU');
  assert.deepEqual(await accessibilityFaults(page), []);
  const save = await sheet.getByRole('button', { name: /^Save/ }).boundingBox();
  assert.ok(save && save.y + save.height <= 900, 'what saves it is in sight');
  await shoot(page, 'schedule-in-words');
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('complementary', { name: 'Schedule Mon, Thu at 17:45' }).waitFor();
  await page.getByRole('row', { name: /^Mon, Thu at 17:45/ }).waitFor();
  await days.getByRole('button', { name: 'Mon' }).click();
  await days.getByRole('button', { name: 'Thu' }).click();
  assert.equal(await sheet.getByLabel('When', { exact: true }).inputValue(), '45 17 * * *');
  // What is more than a time on some days is typed, and told as it stands.
  await sheet.getByLabel('When', { exact: true }).fill('*/5 8-17 * * MON-FRI');
  await sheet.getByLabel('Time of day').waitFor({ state: 'detached' });
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('row', { name: /^\*\/5 8-17 \* \* MON-FRI/ }).waitFor();
  await page.done();
});

test('an expression that never comes is refused at its field; somebody else’s change is merged; a schedule is deleted', async () => {
  const id = await makeTask('Weekly');
  const made = await shop.client.ai_tasks.create_schedule(id, { cron: '0 6 * * *', timezone: 'UTC' });
  const page = await shop.open({ path: `/tasks/${id}/schedules?open=${made.id}` });
  const sheet = page.locator('aside.sheet');
  await sheet.getByLabel('When', { exact: true }).fill('0 0 31 2 *');
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await sheet.getByText('One value is not accepted').waitFor();
  assert.equal(await sheet.getByLabel('When', { exact: true }).getAttribute('aria-invalid'), 'true');
  await shoot(page, 'schedule-refused');
  await sheet.getByRole('button', { name: 'Working days at 6:00' }).click();
  await shop.client.ai_tasks.update_schedule(id, made.id, { overlap: 'queue' });
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await sheet.getByText('Saved', { exact: true }).waitFor();
  const saved = await shop.client.ai_tasks.get_schedule(id, made.id);
  assert.deepEqual([saved.cron, saved.overlap], ['0 6 * * MON-FRI', 'queue']);
  await sheet.getByLabel('When', { exact: true }).fill('0 7 * * *');
  await page.getByRole('link', { name: 'Triggers' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await sheet.getByRole('button', { name: 'Discard' }).click();
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This task has no schedule.').waitFor();
  assert.deepEqual(await shop.client.ai_tasks.list_schedules(id), []);
  await page.done();
});

test('a trigger is made with conditions in words, refused where a condition is wrong, changed and deleted', async () => {
  const id = await makeTask('On events');
  const page = await shop.open({ path: `/tasks/${id}/triggers` });
  await page.getByText('This task has no trigger.').waitFor();
  await page
    .getByRole('button', { name: /^New trigger/ })
    .first()
    .click();
  const sheet = page.locator('aside.sheet');
  await sheet.getByLabel('When', { exact: true }).selectOption({ label: 'The status of an order changed' });
  await sheet.getByRole('button', { name: 'Add a condition' }).click();
  await sheet.getByLabel('Field of the event').fill('status');
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await sheet.getByText('must have at least one value').first().waitFor();
  await sheet.getByLabel('Value').fill('shipped, delivered');
  await sheet.getByRole('button', { name: 'Add a condition' }).click();
  await sheet.getByLabel('Field of the event').nth(1).fill('order_id');
  await sheet.getByLabel('Value').nth(1).fill('7');
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await page.waitForURL(/open=/);
  const [made] = await shop.client.ai_tasks.list_triggers(id);
  assert.ok(made);
  assert.deepEqual(
    [made.event, made.filter, made.parameters],
    ['order.status_changed', { status: ['shipped', 'delivered'], order_id: 7 }, { days: 7 }],
  );
  await page.getByRole('row', { name: /status = shipped, delivered, order_id = 7/ }).waitFor();
  await sheet.getByRole('button', { name: 'Remove the condition on order_id' }).click();
  await sheet.getByLabel('It is on').uncheck();
  await shop.client.ai_tasks.update_trigger(id, made.id, { parameters: { days: 9 } });
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await sheet.getByText('Saved', { exact: true }).waitFor();
  const saved = await shop.client.ai_tasks.get_trigger(id, made.id);
  assert.deepEqual([saved.filter, saved.enabled, saved.parameters], [{ status: ['shipped', 'delivered'] }, false, { days: 9 }]);
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This task has no trigger.').waitFor();
  await page.done();
});

test('a trigger gathers events: how is chosen, what waits is shown, started at once or left out', async () => {
  const id = await makeTask('For many');
  const trigger = await shop.client.ai_tasks.create_trigger(id, { event: 'inquiry.received', parameters: { days: 1 } });
  const page = await shop.open({ path: `/tasks/${id}/triggers?open=${trigger.id}` });
  const sheet = page.locator('aside.sheet');
  await sheet.getByLabel('Several in a row').selectOption({ label: 'one run, for the last of them' });
  await sheet.getByLabel('Wait after the last one').fill('3600');
  await sheet.getByLabel('Apart for each', { exact: true }).fill('colour');
  await sheet.getByLabel('Not started any more after').fill('7200.5');
  await sheet.getByLabel('Runs a minute, at most').fill('10');
  await sheet.getByLabel('What is over').selectOption({ label: 'is left out' });
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await sheet.getByText('inquiry.received has no "colour"').first().waitFor();
  await sheet.getByLabel('Apart for each', { exact: true }).fill('inquiry_id');
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await sheet.getByText('Saved', { exact: true }).waitFor();
  const { start } = await shop.client.ai_tasks.get_trigger(id, trigger.id);
  const debounce = { key: 'inquiry_id', ms: 3_600_000 };
  assert.deepEqual(start, { debounce, ttl: 7_200_500, rate: { key: null, per_minute: 10, overflow: 'skip' } });

  for (let n = 0; n < 2; n += 1) await shop.client.inquiries.create({ name: 'Ann', email: 'ann@example.com', body: 'Why?' });
  await until('both wait', async () => (await shop.client.ai_tasks.list_gathered_starts(id)).total === 2);
  await page.reload();
  await sheet.getByText('1 gathered').first().waitFor();
  await shoot(page, 'gathered-starts');
  await sheet.getByRole('button', { name: 'Start now' }).first().click();
  await until('it has opened', async () => (await shop.client.ai_tasks.list_runs(id)).length === 1);
  await sheet.getByRole('button', { name: 'Leave out' }).first().click();
  await sheet.getByText('Not started yet').waitFor({ state: 'detached' });
  assert.equal((await shop.client.ai_tasks.list_runs(id)).length, 1);
  await page.done();
});

test(`axe-core finds nothing on schedules and triggers in light and dark colours, at 2,560 and at 360 pixels`, async () => {
  const id = await makeTask('Zahlungseingangsüberwachung und Benachrichtigungsversand');
  const schedule = await shop.client.ai_tasks.create_schedule(id, {
    cron: '0 6 * * MON-FRI',
    timezone: 'America/Argentina/Buenos_Aires',
  });
  await shop.client.ai_tasks.create_schedule(id, { cron: '*/15 8-18 * * *', timezone: 'UTC', enabled: false });
  const trigger = await shop.client.ai_tasks.create_trigger(id, {
    event: 'order.status_changed',
    filter: { status: ['shipped', 'delivered'] },
    start: { debounce: { key: 'order_id', ms: 60_000 }, rate: { per_minute: 10 } },
  });
  for (const [name, path, seen] of [
    ['schedules', `/tasks/${id}/schedules?open=${schedule.id}`, 'Next times'],
    ['triggers', `/tasks/${id}/triggers?open=${trigger.id}`, 'Only if'],
  ] as const) {
    for (const width of [2560, 360]) {
      const page = await shop.open({ path, width });
      await page.locator('aside.sheet').getByText(seen).first().waitFor();
      await page.locator('aside.sheet').getByLabel('Days', { exact: true }).waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], `${name} ${width}`);
      await shoot(page, `${name}-${width}`);
      assert.equal(await isTooWide(page), false, `${name} ${width}`);
      await page.done();
    }
  }
});
