import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

const SOURCE = `export default async function main() {
  const { data } = await admin.customers.list({ per_page: 2 });
  const { text } = await prompt({ label: 'What shall be noted?', fields: [{ name: 'text', kind: 'string', label: 'Note' }] });
  for (const { id } of data) await admin.customers.create_note(id, { body: text });
  if (data.length > 50) {
    await http.request({ method: 'POST', url: 'https://erp.example.com/noted', headers: { authorization: secret('erp_key') } });
  }
}
`;

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
});
after(() => shop.close());

const plan = (page: OpenPage) => page.getByRole('region', { name: 'Dry run' });

test('a new task is written at once; what its source needs is declared by one act; its question is answered without another click', async () => {
  const page = await shop.open({ path: '/tasks/new', width: 1440 });
  await page.getByRole('link', { name: /^Start empty/ }).click();
  await page.locator('.cm-content:focus').waitFor();
  const top = async () => (await page.locator('.source-editor').boundingBox())?.y ?? assert.fail('there is no editor');
  const before = await top();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(SOURCE);
  await page.getByText('Edited, kept in this browser').waitFor();
  assert.equal(await top(), before, 'what is told of the draft moves nothing');
  const needed = page.locator('.section', { has: page.getByRole('heading', { name: 'The source needs' }) });
  await needed.getByText('Ask people questions').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'task-writing-needed');
  await needed.getByRole('button', { name: 'Add all' }).click();
  await needed.waitFor({ state: 'detached' });
  for (const name of ['Change customers', 'Ask people questions', 'Send requests to other systems'])
    await page.locator('.desk-permissions li', { hasText: name }).getByText('used', { exact: true }).waitFor();
  assert.equal(await page.locator('.desk-permissions li').count(), 3, 'who may change may see');
  assert.equal(await page.getByLabel('It may send requests to').inputValue(), 'POST https://erp.example.com/noted');
  assert.equal(await page.getByLabel('It may use the secrets').inputValue(), 'erp_key');
  await page.locator('.lock-note').first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Dry run/ }).click();
  await plan(page).getByLabel('Note').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Called');
  await page.keyboard.press('Control+Enter');
  await plan(page).getByText('It would make 2 changes.').waitFor();

  await page.getByRole('button', { name: /^Submit/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Notes');
  await dialog.getByRole('button', { name: /^Submit/ }).click();
  await page.getByText('Version 1 waits').waitFor();
  // What was tried goes along, for whoever decides.
  const { token } = await shop.admin('Second Admin');
  const other = await shop.open({ path: '/approvals', token });
  await other.getByRole('listitem').filter({ hasText: 'Notes' }).getByRole('link', { name: 'Review' }).click();
  await other.getByText(/^Handed in: dry run \d+/).waitFor();
  await shoot(other, 'task-writing-review');
  await other.done();
  await page.done();
});

test('the draft of a task that there is not yet is found again from the tasks, until it is discarded', async () => {
  const page = await shop.open({ path: '/tasks/new/empty' });
  await page.locator('.cm-content:focus').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText("log('begun and left');");
  await page.getByText('Edited, kept in this browser').waitFor();
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep the draft and leave' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByText(/^A draft of a new task is kept in this browser, edited /).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'task-writing-kept');
  await page.getByRole('link', { name: 'New task' }).first().click();
  await page.getByRole('link', { name: 'Go on writing' }).click();
  await page.locator('.cm-line', { hasText: "log('begun and left');" }).waitFor();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await page.locator('.cm-line', { hasText: 'Nothing is done yet.' }).waitFor();
  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Name or description' }).waitFor();
  assert.equal(await page.getByText(/^A draft of a new task/).count(), 0);
  await page.done();
});

test('a dry run that failed leads to the line of the source; its run leads to the version', async () => {
  const page = await shop.open({ path: '/tasks/new/empty' });
  await page.locator('.cm-content:focus').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText("log('first');\n\nthrow new Error('on line three');\n");
  await page.getByText('Edited, kept in this browser').waitFor();
  await page.keyboard.press('Control+Enter');
  await plan(page).getByText('on line three').waitFor();
  await plan(page).getByRole('button', { name: 'line 3' }).click();
  await page.locator('.cm-activeLine', { hasText: 'on line three' }).waitFor();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await page.done();

  await shop.client.settings.update({ approval_policy: 'author' });
  const { task_id, version_id } = await shop.client.ai_tasks.create({
    ...{ name: 'Counts', description: '', source_code: 'log(1);', permissions: [], parameters: [] },
  });
  const { run_id } = await shop.client.ai_tasks.start_run(task_id, {});
  const run = await shop.open({ path: `/tasks/${task_id}/runs/${run_id}` });
  await run.getByRole('complementary', { name: 'About this run' }).getByRole('link', { name: '1', exact: true }).click();
  await run.waitForURL(`**/tasks/${task_id}/versions/${version_id}`);
  await run.done();
});
