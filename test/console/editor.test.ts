import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

const SOURCE = `export default async function main() {
  const { data } = await admin.orders.list({ status: 'pending', per_page: 3 });
  log('three at most');
  return { orders: data.length };
}
`;
const READ = 'admin_api.orders.read' as const;

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 30, runner: true });
});
after(() => shop.close());

async function makeTask(name: string, source = SOURCE): Promise<number> {
  const { task_id } = await shop.client.ai_tasks.create({
    name,
    description: '',
    source_code: source,
    permissions: [READ],
    parameters: [{ name: 'days', kind: 'number', default: 7 }],
  });
  return task_id;
}

/** Opens the editor of a task, and waits until it can be written in. */
async function openEditor(id: number, options: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
  const page = await shop.open({ path: `/tasks/${id}/editor`, ...options });
  await page.locator('.cm-content').waitFor();
  return page;
}

/** Writes a line above the line that has these words; the editor indents it. */
async function writeAbove(page: OpenPage, words: string, line: string): Promise<void> {
  await page.locator('.cm-line', { hasText: words }).first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.insertText(line);
}

test('types follow what is declared: a call that needs more is marked, and Add declares it', async () => {
  const id = await makeTask('Typed');
  const page = await openEditor(id);
  await writeAbove(page, 'return', "await admin.customers.create_note(1, { body: 'seen' });");
  const note = page.locator('.lock-note');
  await note.getByText('needs “Change customers”').waitFor();
  await shoot(page, 'editor-locked');
  await note.getByRole('button', { name: 'Add' }).click();
  await note.waitFor({ state: 'detached' });
  await page.getByText('+ Change customers').waitFor();
  // Now that the call is open, its arguments are checked.
  await writeAbove(page, 'return', "await admin.customers.create_note('one', { body: 'seen' });");
  await page.locator('.cm-lintRange-error').waitFor();
  await page.getByText("'one'").hover();
  await page.getByText("Argument of type 'string' is not assignable to parameter of type 'number'.").waitFor();
  await page.done();
});

test('what is typed over a selection replaces it, with nothing that the policy refuses', async () => {
  const id = await makeTask('Replaced');
  const page = await openEditor(id);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('x');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('const one = 1;\nlog(one);');
  await page.getByText('Edited, kept in this browser').waitFor();
  assert.deepEqual(await page.locator('.cm-line').allTextContents(), ['const one = 1;', 'log(one);']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.locator('.cm-line', { hasText: 'three at most' }).waitFor();
  await page.done();
});

test('completion knows the calls, says what the locked ones need, and marks one that is chosen', async () => {
  const id = await makeTask('Completed');
  const page = await openEditor(id);
  await writeAbove(page, 'return', 'await admin.orders.');
  await page.keyboard.press('Control+Space');
  const options = page.locator('.cm-tooltip-autocomplete');
  await options.getByText('list', { exact: true }).waitFor();
  await page.keyboard.type('update_st');
  await options.getByText('needs “Change orders”').first().waitFor();
  await shoot(page, 'editor-completion');
  await page.keyboard.press('Enter');
  await page.locator('.cm-line', { hasText: 'admin.orders.update_status' }).waitFor();
  await page.locator('.lock-note').getByText('needs “Change orders”').waitFor();
  await page.keyboard.press('Home');
  await page.locator('.cm-line', { hasText: 'per_page' }).getByText('list', { exact: true }).hover();
  await page.getByText('Needs `admin_api.orders.read`').waitFor();
  await page.done();
});

test('a dry run runs the draft, and shows its plan and log; a change afterwards is told', async () => {
  const id = await makeTask('Dry');
  const pending = await shop.client.orders.list({ status: 'pending', per_page: 3 });
  const count = pending.data.length;
  assert.ok(count > 0, 'the sample shop has a pending order');
  const page = await openEditor(id);
  await writeAbove(
    page,
    'return',
    "for (const { id } of data) await admin.orders.update_status(id, { status: 'cancelled' }); log('cancelled by the draft');",
  );
  await page.locator('.lock-note').getByRole('button', { name: 'Add' }).click();
  await page.locator('.lock-note').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Enter');
  const plan = page.getByRole('region', { name: 'Dry run' });
  await plan.getByText(count === 1 ? 'It would make 1 change.' : `It would make ${count} changes.`).waitFor();
  await plan.getByText(count === 1 ? '1 order' : `${count} orders`).waitFor();
  assert.match((await plan.getByRole('listitem').first().textContent()) ?? '', /pending.*cancelled/);
  await plan.getByText('cancelled by the draft').waitFor();
  assert.equal(await plan.getByText('What is written has changed since.').count(), 0);
  await shoot(page, 'editor-plan');
  assert.equal((await shop.client.ai_tasks.get(id)).versions.length, 1);
  assert.equal((await shop.client.orders.list({ status: 'pending' })).total, pending.total);
  await page.getByText('Given to the dry run').click();
  await page.getByLabel('days').fill('8');
  await plan.getByText('What is written has changed since.').waitFor();
  await page.done();
});

test('a draft survives a reload and a signing out, is seen by its admin alone, and becomes a version with its note', async () => {
  const id = await makeTask('Kept');
  const other = await shop.admin('Another Author');
  const page = await openEditor(id);
  await writeAbove(page, 'return', '// only in the draft');
  await page.getByText('Edited, kept in this browser').waitFor();
  await page.reload();
  await page.getByText('// only in the draft').waitFor();
  await page.getByText('draft of 1').waitFor();
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('button', { name: 'Keep the draft and leave' }).waitFor();
  await shoot(page, 'editor-leave');
  await page.getByRole('button', { name: 'Stay' }).click();
  // Who signs out is not asked.
  await page.getByRole('button', { name: /Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Access token').fill(other.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.cm-content').waitFor();
  await page.getByText('version 1', { exact: false }).first().waitFor();
  assert.equal(await page.getByText('// only in the draft').count(), 0);
  await page.done();
});

test('a version is submitted by keyboard; faults of its source are marked where they are', async () => {
  const id = await makeTask('Submitted');
  const page = await openEditor(id);
  await writeAbove(page, 'return', 'const colour = ;');
  await page.getByText('Edited, kept in this browser').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByLabel('What is new').waitFor();
  await page.keyboard.type('Has a fault');
  await page.keyboard.press('Control+s');
  await page.getByText('Version 2 runs from now on. Its source has 1 fault, marked in the editor.').waitFor();
  const { versions } = await shop.client.ai_tasks.get(id);
  assert.deepEqual(
    versions.map(({ version, note }) => [version, note]),
    [
      [2, 'Has a fault'],
      [1, null],
    ],
  );
  await page.locator('.cm-lintRange-error').first().waitFor();
  await page.reload();
  await page.getByText('version 2', { exact: false }).first().waitFor();
  await page.done();
});

test('whoever follows the link to what was just submitted is not asked about edited work, however slow the answers are', async () => {
  const id = await makeTask('Followed');
  const page = await openEditor(id);
  await writeAbove(page, 'return', '// submitted');
  await page.getByText('Edited, kept in this browser').waitFor();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest(/\/ai-tasks\/\d+\/versions\/\d+$/);
  await page.route(/\/ai-tasks\/\d+\/versions\/\d+$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.press('Control+s');
  await page.getByLabel('What is new').waitFor();
  await page.keyboard.press('Control+s');
  await asked;
  assert.equal(await page.getByRole('link', { name: 'Show', exact: true }).count(), 0);
  release();
  await page.getByRole('link', { name: 'Show', exact: true }).click();
  await page.waitForURL(/\/versions\/\d+$/);
  await page.done();
});

test('a newer version is brought in line by line; where both changed the same, the own text is kept and the other can be taken', async () => {
  const id = await makeTask('Merged');
  const page = await openEditor(id);
  await writeAbove(page, 'return', '// mine, above the end');
  await page.locator('.cm-line', { hasText: 'const { data }' }).click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(' // mine');
  await page.getByText('Edited, kept in this browser').waitFor();
  await shop.client.ai_tasks.create_version(id, {
    source_code: SOURCE.replace('per_page: 3 });', 'per_page: 3 }); // theirs').replace(
      'export default',
      '// theirs, on top\nexport default',
    ),
    permissions: [READ, 'prompt_input'],
    parameters: [],
  });
  await page.keyboard.press('Control+s');
  await page.getByLabel('What is new').fill('Both');
  await page.keyboard.press('Control+s');
  await page.getByText('Version 2 is brought in.').waitFor();
  await page.getByText('1 place was changed by both of you').waitFor();
  await page.getByText('Ask people questions').waitFor();
  await shoot(page, 'editor-merge');
  await page.getByRole('button', { name: 'Take theirs' }).first().click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Edited, kept in this browser').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByLabel('What is new').fill('Both');
  await page.keyboard.press('Control+s');
  await page.getByText('Version 3 runs from now on.').waitFor();
  const { current_version: made } = await shop.client.ai_tasks.get(id);
  assert.equal(
    made?.source_code,
    SOURCE.replace('per_page: 3 });', 'per_page: 3 }); // theirs')
      .replace('export default', '// theirs, on top\nexport default')
      .replace('  return', '  // mine, above the end\n  return'),
  );
  assert.deepEqual(JSON.parse(made?.permissions ?? ''), [READ, 'prompt_input']);
  assert.deepEqual(JSON.parse(made?.parameters ?? ''), []);
  await page.done();
});

test('grants are edited beside the permissions, and a version that is written here keeps those of the one before', async () => {
  const plain = { description: '', source_code: SOURCE, parameters: [] };
  const { task_id: other } = await shop.client.ai_tasks.create({ ...plain, name: 'Restock', permissions: [] });
  const grants = {
    mail_to: ['customers'],
    http_allow: ['GET,HEAD https://api.example.com/v1/*'],
    secrets: ['api_key'],
    may_start: [other],
  };
  const permissions = [READ, 'mail_send', 'http_request', 'tasks_start'] as const;
  const { task_id: id } = await shop.client.ai_tasks.create({ ...plain, name: 'Granted', permissions: [...permissions], ...grants });
  const page = await openEditor(id);
  await page.getByText(`Start task ${other} “Restock”`).waitFor();
  await writeAbove(page, 'return', '// nothing else');
  await page.keyboard.press('Control+s');
  await page.getByLabel('What is new').fill('One line');
  await page.keyboard.press('Control+s');
  await page.getByText('Version 2 runs from now on.').waitFor();
  const kept = (await shop.client.ai_tasks.get(id)).current_version;
  assert.deepEqual([kept?.mail_to, kept?.http_allow, kept?.secrets, kept?.may_start], Object.values(grants));
  await page.getByLabel('It may write mails to').fill('customers\nops@example.org\n');
  await page.getByLabel('It may send requests to').fill('nonsense');
  await page.getByLabel('It may use the secrets').fill('');
  await page.getByRole('button', { name: `Remove “Start task ${other} “Restock””` }).click();
  await page.getByLabel('Add a task that it may start').selectOption({ label: 'Granted' });
  await shoot(page, 'editor-grants');
  await page.getByText('Edited, kept in this browser').waitFor();
  await page.reload();
  await page.locator('.cm-content').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').getByText('+ Write mails to ops@example.org').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText(/http_allow\/0: must be an absolute address/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('It may send requests to').fill('POST https://API.example.com/v2');
  await page.keyboard.press('Control+s');
  await page.getByLabel('What is new').fill('Other grants');
  await page.keyboard.press('Control+s');
  await page.getByText('Version 3 runs from now on.').waitFor();
  const made = (await shop.client.ai_tasks.get(id)).current_version;
  assert.deepEqual(
    [made?.mail_to, made?.http_allow, made?.secrets, made?.may_start.length],
    [['customers', 'ops@example.org'], ['POST https://api.example.com/v2'], [], 1],
  );
  await page.done();
});

test('parameters are declared beside the source, and known in it by name', async () => {
  const id = await makeTask('With parameters');
  const page = await openEditor(id);
  await page.getByRole('button', { name: /^Parameters/ }).click();
  await page.getByRole('button', { name: 'Add a parameter' }).click();
  await page.getByLabel('Name in the source').last().fill('reason');
  await page.getByLabel('Question in the form').last().fill('Why?');
  await page.getByLabel('It must be given').last().check();
  await writeAbove(page, 'return', 'parameters.');
  await page.keyboard.press('Control+Space');
  await page.locator('.cm-tooltip-autocomplete').getByText('reason', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.insertText('reason;');
  await page.keyboard.press('Control+Enter');
  await page.getByText('the parameter "reason" is required').first().waitFor();
  assert.equal(await page.getByLabel('Why?').getAttribute('aria-invalid'), 'true');
  await page.done();
});

test(`axe-core finds nothing on the editor in light and dark colours, at 2,560 and at 360 pixels`, async () => {
  const id = await makeTask(
    'Zahlungseingangsüberwachung',
    SOURCE.replace('return', "await admin.customers.create_note(1, { body: 'x' });\n  return"),
  );
  for (const width of [2560, 360]) {
    const page = await openEditor(id, { width });
    await page.locator('.lock-note').waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], String(width));
    await shoot(page, `editor-${width}`);
    assert.equal(await isTooWide(page), false, String(width));
    await page.done();
  }
});
