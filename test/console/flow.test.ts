import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { letBeDueAgo } from '../helpers/stored-rows/automation.ts';
import type { OpenPage } from './browser.ts';
import { type Console, contentOf, openConsole, shoot } from './open-console.ts';

const TASK = 'Cancel orders nobody paid';
const REASON = 'Nie bezahlt, trotz Mahnung';
const SOURCE = `export default async function main() {
  const { data } = await admin.orders.list({ status: 'pending', per_page: 2 });
  log('found ' + data.length + ' orders');
  const { reason } = await prompt({
    label: 'Why are these orders cancelled?',
    fields: [{ name: 'reason', kind: 'string', label: 'Reason', required: true }],
  });
  const lines = ['order;reason'];
  for (const { id, public_id } of data) {
    await admin.orders.update_status(id, { status: 'cancelled' });
    lines.push(public_id + ';' + reason);
    log('cancelled ' + public_id);
  }
  await files.write('cancelled.csv', lines.join('\\n'), 'text/csv');
}
`;

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 60, runner: true });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
});
after(() => shop.close());

test('a task goes its whole way between two admins: written, dry run, approved by the second, scheduled, asked, done', async () => {
  const { data: orders } = await shop.client.orders.list({ status: 'pending', per_page: 2 });
  assert.equal(orders.length, 2);
  const statuses = () => Promise.all(orders.map(async ({ id }) => (await shop.client.orders.get(id)).status));

  const author = await signIn('Eszter Kovács');
  await writeTask(author);
  await dryRun(author);
  assert.deepEqual(await statuses(), ['pending', 'pending']);
  await submit(author);

  const second = await signIn('Jonas Weber');
  await approve(second);

  await schedule(author);
  const runId = await watchScheduledRun(author);
  await answer(second);
  const log = author.getByRole('region', { name: 'Log', exact: true });
  for (const { public_id } of orders) await log.getByText(`cancelled ${public_id}`).waitFor();
  await author.getByText('Success').first().waitFor();
  assert.deepEqual(await statuses(), ['cancelled', 'cancelled']);

  await author.getByRole('button', { name: 'Effects' }).click();
  for (const { id } of orders) {
    const effect = author.getByRole('table', { name: 'Effects' }).getByRole('row', { name: `order ${id}` });
    assert.match((await effect.textContent()) ?? '', /status\s*pending\s*→\s*cancelled/);
  }
  await shoot(author, 'flow-effects');
  await author.getByRole('button', { name: 'Files' }).click();
  const downloading = author.waitForEvent('download');
  await author.getByRole('button', { name: 'Download cancelled.csv' }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'cancelled.csv');
  const expected = ['order;reason', ...orders.map(({ public_id }) => `${public_id};${REASON}`)].join('\n');
  assert.deepEqual(await contentOf(download), Buffer.from(expected));

  // The second admin sees the order as it is now, and the schedule's run in the list of all runs.
  await second.goto(`${shop.url}/orders?open=${orders[0]?.id}`);
  await second.getByRole('complementary').getByText('Cancelled').first().waitFor();
  await second.getByRole('link', { name: 'Runs', exact: true }).click();
  await second.locator(`tr[data-id="${runId}"]`).getByText('Success').waitFor();
  await author.done();
  await second.done();
});

/** Opens a browser of its own, in which somebody signs in with a token. */
async function signIn(name: string): Promise<OpenPage> {
  const { token } = await shop.admin(name);
  const page = await shop.open({ token: null, width: 1440 });
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `Account: ${name}` }).waitFor();
  return page;
}

/** Begins a task with nothing, writes its source, and declares what the source needs: at its marks, by the last one's list. */
async function writeTask(page: OpenPage): Promise<void> {
  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByRole('link', { name: 'New task' }).first().click();
  await page.getByRole('link', { name: /^Start empty/ }).click();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(SOURCE);
  const marks = page.locator('.lock-note');
  for (const needed of ['Change orders', 'Ask people questions']) {
    const mark = marks.filter({ hasText: `needs “${needed}”` }).first();
    await mark.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: `Remove “${needed}”` }).waitFor();
  }
  await page.getByLabel('Add a permission').selectOption('Write files that people can download');
  await page.locator('.lock-note').first().waitFor({ state: 'detached' });
  await shoot(page, 'flow-editor');
}

/** Runs the draft beside the editor; it asks there too, and its plan has changed nothing. */
async function dryRun(page: OpenPage): Promise<void> {
  await page.keyboard.press('Control+Enter');
  const plan = page.getByRole('region', { name: 'Dry run' });
  await plan.getByRole('heading', { name: 'Why are these orders cancelled?' }).waitFor();
  await plan.getByLabel('Reason *').fill('Only a try');
  await plan.getByRole('button', { name: 'Answer' }).click();
  await plan.getByText('It would make 2 changes.').waitFor();
  await plan.getByText('2 orders', { exact: true }).waitFor();
  assert.match((await plan.getByRole('listitem').first().textContent()) ?? '', /status\s*pending\s*→\s*cancelled/);
  await shoot(page, 'flow-dry-run');
}

/** Submits the draft as the first version of the task, which its author cannot approve. */
async function submit(page: OpenPage): Promise<void> {
  await page.getByRole('button', { name: /^Submit/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(TASK);
  await dialog.getByLabel('What is new').fill('Cancels what was never paid');
  await dialog.getByRole('button', { name: /^Submit/ }).click();
  await page.getByText('Version 1 waits for approval.').waitFor();
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByText('This version is your own. Another admin has to approve it.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Approve/ }).isDisabled(), true);
}

/** Finds the version among the approvals, reads what it may do and its source, and approves it. */
async function approve(page: OpenPage): Promise<void> {
  await page.getByRole('link', { name: /^Approvals/ }).click();
  const row = page.getByRole('listitem').filter({ hasText: `${TASK} · version 1` });
  await row.getByText('Cancels what was never paid').waitFor();
  await row.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('heading', { name: `${TASK} · version 1` }).waitFor();
  await page.getByText('nothing runs until you decide').waitFor();
  const newly = page.locator('section', { has: page.getByRole('heading', { name: 'May newly' }) });
  for (const words of ['Change orders', 'Ask people questions', 'Write files that people can download'])
    await newly.getByText(words).waitFor();
  await page.getByRole('region', { name: 'Source' }).getByText('update_status').waitFor();
  await shoot(page, 'flow-review');
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('Approved by Jonas Weber').waitFor();
}

/** Makes a schedule out of an often used time, and reads its next times. */
async function schedule(page: OpenPage): Promise<void> {
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page
    .getByRole('button', { name: /^New schedule/ })
    .first()
    .click();
  const sheet = page.getByRole('complementary', { name: 'New schedule' });
  await sheet.getByRole('button', { name: 'Mondays at 8:00' }).click();
  await sheet
    .getByText(/^Mon .* 08:00$/)
    .nth(4)
    .waitFor();
  await shoot(page, 'flow-schedule');
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await page.waitForURL(/open=/);
  await page.getByText('Its runs act for Eszter Kovács, who changed it last.').waitFor();
  await page.keyboard.press('Escape');
}

/** Lets the schedule be due, and opens the run that it starts, until that run asks. */
async function watchScheduledRun(page: OpenPage): Promise<number> {
  await page.getByRole('link', { name: 'Overview' }).last().click();
  await page.getByRole('heading', { name: 'Next times' }).waitFor();
  const [, id = ''] = /\/tasks\/(\d+)/.exec(page.url()) ?? [];
  const [made] = await shop.client.ai_tasks.list_schedules(Number(id));
  assert.ok(made);
  await shop.withStore((store) => letBeDueAgo(store, [made.id], 1000));
  const run = page.getByRole('row').filter({ hasText: `schedule ${made.id}` });
  await run.getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Why are these orders cancelled?' }).waitFor();
  await page.getByRole('region', { name: 'Log', exact: true }).getByText('found 2 orders').waitFor();
  await shoot(page, 'flow-question');
  return Number(page.url().split('/').at(-1));
}

/** Answers the run's question where all questions wait. */
async function answer(page: OpenPage): Promise<void> {
  await page.getByRole('link', { name: /^Approvals/ }).click();
  await page.getByRole('button', { name: 'Answer' }).click();
  const form = page.getByRole('form', { name: 'Question: Why are these orders cancelled?' });
  await form.getByLabel('Reason *').fill(REASON);
  await form.getByRole('button', { name: /^Answer/ }).click();
  await page.getByText('Answered. The run goes on.').waitFor();
}
