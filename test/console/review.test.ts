import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

const BEFORE = `export default async function main() {
  const { data } = await admin.orders.list({ status: 'pending' });
${Array.from({ length: 30 }, (_, n) => `  // line ${n} of a long comment that nobody has changed`).join('\n')}
  log(data.length);
  return { orders: data.length };
}
`;
const AFTER = BEFORE.replace('log(data.length);', "log(data.length);\n  await admin.customers.create_note(1, { body: 'seen' });");
const READ = 'admin_api.orders.read' as const;
const NOTE = 'admin_api.customers.write' as const;
const NOTIFY = 'admin_api.notifications.write' as const;
const PEOPLE = ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', 'admin_api.orders.write', NOTE, NOTIFY] as const;

let shop: Console;
let author: Awaited<ReturnType<Console['admin']>>;
let approver: Awaited<ReturnType<Console['admin']>>;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
  author = await shop.admin('Eszter Kovács', PEOPLE);
  approver = await shop.admin('Second Admin', PEOPLE);
});
after(() => shop.close());

/** A task with an approved version, and a pending one by the author that may do more. */
async function pendingVersion(name: string): Promise<{ id: number; v: number; path: string }> {
  await shop.client.settings.update({ approval_policy: 'author' });
  const { task_id: id } = await author.client.ai_tasks.create({
    name,
    description: '',
    source_code: BEFORE,
    permissions: [READ, 'prompt_input'].filter((one) => one === READ),
    parameters: [],
  });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const { version_id: v } = await author.client.ai_tasks.create_version(id, {
    source_code: AFTER,
    permissions: [READ, NOTE],
    parameters: [{ name: 'days', kind: 'number', default: 3 }],
    note: 'Leaves a note with the customer',
  });
  return { id, v, path: `/tasks/${id}/versions/${v}` };
}

test('a function of the library is named beside the permission that it needs', async () => {
  const { task_id, version_id } = await author.client.ai_tasks.create({
    name: 'Tells',
    description: '',
    source_code: "export default () => notify({ title: 'Done', body: 'Done' });\n",
    permissions: [NOTIFY],
    parameters: [],
  });
  const page = await shop.open({ path: `/tasks/${task_id}/versions/${version_id}`, token: approver.token });
  await page.getByText('The source uses notify').waitFor();
  await page.done();
});

test('a second admin sees first what a version newly may, then the changed lines, and approves by keyboard', async () => {
  const { id, v, path } = await pendingVersion('Notes on orders');
  const page = await shop.open({ path, token: approver.token });
  await page.getByRole('heading', { name: 'Notes on orders · version 2 against 1' }).waitFor();
  await page.getByText('version 1 keeps running until you decide').waitFor();
  const newly = page.locator('section', { has: page.getByRole('heading', { name: 'May newly' }) });
  await newly.getByText('Change customers').waitFor();
  await newly.getByText('The source uses customers.create_note').waitFor();
  const still = page.locator('section', { has: page.getByRole('heading', { name: 'May still' }) });
  await still.getByText('See orders').waitFor();
  await still.getByText('not used in the last 20 runs').waitFor();
  await page.getByText('Leaves a note with the customer').waitFor();
  const source = page.getByRole('region', { name: 'Source' });
  assert.deepEqual(await source.locator('.added .line-text').allInnerTexts(), [
    "  await admin.customers.create_note(1, { body: 'seen' });",
  ]);
  await source
    .getByRole('button', { name: /unchanged lines/ })
    .first()
    .click();
  await source.getByText('line 0 of a long comment').waitFor();
  await shoot(page, 'review');
  await page.keyboard.press('Control+Enter');
  await page.getByText('this is the version that runs').waitFor();
  await page.getByText('Approved by Second Admin').waitFor();
  assert.equal((await shop.client.ai_tasks.get(id)).task.current_version_id, v);
  await page.done();
});

test('nothing looks new, and nothing can be decided, before the version that runs is there to compare with', async () => {
  const { id, v, path } = await pendingVersion('Slow to compare');
  const { task } = await shop.client.ai_tasks.get(id);
  const page = await shop.open({ path: '/tasks', token: approver.token });
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(`**/ai-tasks/${id}/versions/${task.current_version_id}`, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  await page.goto(`${shop.url}${path}`);
  await asked.promise;
  await page.getByText('Leaves a note with the customer').waitFor();
  const newly = page.getByRole('heading', { name: 'May newly' });
  const approve = page.getByRole('button', { name: /^Approve/ });
  assert.deepEqual([await newly.count(), await approve.count()], [0, 0]);
  held.resolve();
  await approve.waitFor();
  const added = page.locator('section', { has: newly }).getByRole('listitem');
  await added.first().waitFor();
  assert.deepEqual([await added.count(), (await shop.client.ai_tasks.get_version(id, v)).approval], [1, 'pending']);
  await page.done();
});

test('a link cannot choose what is decided against: its comparison stands apart, and what is new stays new', async () => {
  const { id, v } = await pendingVersion('Linked with care');
  // A version that nobody approved, with everything that the pending one wants.
  const { version_id: lure } = await author.client.ai_tasks.create_version(id, {
    source_code: AFTER,
    permissions: [READ, NOTE],
    parameters: [],
  });
  await author.client.ai_tasks.reject_version(id, lure, { reason: 'never mind' });
  const page = await shop.open({ path: `/tasks/${id}/versions/${v}?against=${lure}`, token: approver.token });
  await page.getByRole('heading', { name: 'Linked with care · version 2 against 1' }).waitFor();
  const under = (name: string) => page.locator('section', { has: page.getByRole('heading', { name }) }).getByRole('listitem');
  await under('May newly').first().waitFor();
  assert.deepEqual([await under('May newly').count(), await under('May still').count()], [1, 1]);
  await under('May newly').getByText('Change customers').waitFor();
  assert.equal(await page.getByRole('region', { name: 'Source', exact: true }).locator('.added').count(), 1);
  const other = page.getByRole('region', { name: 'Another comparison' });
  await other.getByText('not decided here').waitFor();
  const apart = other.getByRole('region', { name: 'Source of version 2 against 3' });
  await apart.waitFor();
  assert.equal(await apart.locator('.added').count(), 0);
  await shoot(page, 'review-other');
  await other.getByLabel('Compare with').selectOption('no other version');
  await apart.waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, '');
  await page.done();
});

test('without a version that runs, everything that a version may is new', async () => {
  await shop.client.settings.update({ approval_policy: 'author' });
  const plain = { source_code: BEFORE, permissions: [READ], parameters: [] };
  const { task_id: id, version_id: first } = await author.client.ai_tasks.create({ ...plain, name: 'Once revoked', description: '' });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  await shop.client.ai_tasks.revoke_version(id, first, {});
  const { version_id: v } = await author.client.ai_tasks.create_version(id, { ...plain, note: 'again' });
  const page = await shop.open({ path: `/tasks/${id}/versions/${v}?against=${first}`, token: approver.token });
  const newly = page.locator('section', { has: page.getByRole('heading', { name: 'May newly' }) });
  await newly.getByText('See orders').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'May still' }).count(), 0);
  await page.done();
});

test('what is not as it looks is marked, and nothing is approved by key or click before the last mark was in sight', async () => {
  const name = 'Tidy\u200bup';
  await shop.client.settings.update({ approval_policy: 'author' });
  const old = { source_code: BEFORE, permissions: [READ], parameters: [{ name: 'days', kind: 'number', default: 3 }] };
  const { task_id: id } = await author.client.ai_tasks.create({ ...old, name, description: '' });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const hidden = Array.from({ length: 90 }, (_, n) => `  // step ${n}`).join('\n');
  const { version_id: v, warnings } = await author.client.ai_tasks.create_version(id, {
    ...old,
    source_code: `${BEFORE}// done\rawait admin.orders.list();${' '.repeat(400)}log('far');\n${hidden}\nlog('\u202e');\n`,
    parameters: [{ name: 'days', kind: 'number', label: 'D\u0430ys', default: 30 }],
  });
  assert.deepEqual(
    warnings.map(({ line, column, message }) => [line, column, message.slice(0, 26)]),
    [
      [BEFORE.split('\n').length, 8, 'not as it looks: U+000D en'],
      [BEFORE.split('\n').length + 1, 27, 'not as it looks: 400 blank'],
      [BEFORE.split('\n').length + 92, 6, 'not as it looks: U+202E ch'],
    ],
  );
  const page = await shop.open({ path: `/tasks/${id}/versions/${v}`, token: approver.token });
  await page.getByRole('heading', { name: 'TidyU+200Bup' }).waitFor();
  await page.getByText('4 places are not as they look.').waitFor();
  const days = page.getByRole('listitem').filter({ hasText: /^days changed/ });
  assert.deepEqual(await days.getByRole('listitem').allTextContents(), ['Label none → "D\u0430ys"', 'Default 3 → 30']);
  const source = page.getByRole('region', { name: 'Source', exact: true });
  assert.deepEqual(await source.locator('.source-mark').allTextContents(), ['U+000D', '400 blanks', 'U+202E']);
  assert.equal(await source.locator('.added', { hasText: "log('far')" }).count(), 1, 'the code after the CR has a line of its own');
  assert.equal(await source.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth), false, 'lines are wrapped');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  const approve = page.getByRole('button', { name: /^Approve/ });
  await page.getByText('the last mark must have been in sight').waitFor();
  assert.equal(await approve.isDisabled(), true);
  await page.keyboard.press('Control+Enter');
  await approve.click({ force: true });
  assert.deepEqual(sent, []);
  await shoot(page, 'review-marks');
  await page.getByRole('button', { name: 'Last mark' }).click();
  await page.getByText('the last mark must have been in sight').waitFor({ state: 'detached' });
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Control+Enter');
  await page.getByText('this is the version that runs').waitFor();
  assert.equal(sent.length, 1);
  await page.done();
});

test('a mark in a line that has not changed is not folded away', async () => {
  await shop.client.settings.update({ approval_policy: 'author' });
  const before = BEFORE.replace('line 15 of', 'line 15\u200b of');
  const old = { source_code: before, permissions: [READ], parameters: [] };
  const { task_id: id } = await author.client.ai_tasks.create({ ...old, name: 'Folded', description: '' });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const { version_id: v } = await author.client.ai_tasks.create_version(id, { ...old, source_code: `${before}log(1);\n` });
  const page = await shop.open({ path: `/tasks/${id}/versions/${v}`, token: approver.token });
  await page.getByRole('region', { name: 'Source', exact: true }).getByText('U+200B', { exact: true }).waitFor();
  await page.done();
});

test('grants stand in words among the permissions, and the approval is of them too', async () => {
  await shop.client.settings.update({ approval_policy: 'author' });
  const plain = { source_code: BEFORE, parameters: [] };
  const { task_id: other } = await shop.client.ai_tasks.create({ ...plain, name: 'Reorder', description: '', permissions: [] });
  const version = { ...plain, permissions: ['mail_send', 'http_request', 'tasks_start'], mail_to: ['admins'], secrets: ['old_key'] };
  const { task_id: id } = await shop.client.ai_tasks.create({ ...version, name: 'Reaches out', description: '' });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const grants = { mail_to: ['admins', '@example.com'], http_allow: ['POST https://hooks.example.com/x', 'https://api.example.com/v1/*'] };
  const { version_id: v } = await shop.client.ai_tasks.create_version(id, { ...version, ...grants, secrets: [], may_start: [other] });
  const owner = await shop.admin('Another Owner', [...PEOPLE, 'mail_send', 'http_request', 'tasks_start']);
  const page = await shop.open({ path: `/tasks/${id}/versions/${v}`, token: owner.token });
  const under = (name: string) => page.locator('section', { has: page.getByRole('heading', { name }) }).getByRole('listitem');
  await under('May newly').first().waitFor();
  const words = async (name: string) => (await under(name).allTextContents()).map((text) => text.replace(/^[+−]|goes outside$/g, ''));
  assert.deepEqual(await words('May newly'), [
    `Start task ${other} “Reorder”`,
    'Write mails to everybody at example.com',
    'Send requests to https://hooks.example.com/x (POST)',
    'Fetch https://api.example.com/v1/ and everything below (GET, HEAD)',
  ]);
  assert.ok((await words('May still')).includes('Write mails to admins'));
  assert.deepEqual(await words('May no more'), ['Use the secret “old_key”']);
  await shoot(page, 'review-grants');
  await page.keyboard.press('Control+Enter');
  await page.getByText('this is the version that runs').waitFor();
  const [record] = await shop.client.ai_tasks.list_version_approvals(id, v);
  assert.deepEqual([record?.decision, record?.mail_to, record?.may_start], ['approved', grants.mail_to, [other]]);
  await page.done();
});

test('one’s own version can be withdrawn, not approved, and it is said why', async () => {
  const { id, v, path } = await pendingVersion('My own');
  const page = await shop.open({ path, token: author.token });
  await page.getByText('This version is your own. Another admin has to approve it.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Approve/ }).isDisabled(), true);
  await page.keyboard.press('Control+Enter');
  await shoot(page, 'review-own');
  await page.getByRole('button', { name: /^Withdraw/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  const reason = page.getByRole('dialog').getByLabel('Reason');
  await page.locator('[role="dialog"] [aria-invalid="true"]').waitFor();
  await reason.fill('Too early');
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Rejected by Eszter Kovács').waitFor();
  assert.equal((await shop.client.ai_tasks.get_version(id, v)).approval, 'rejected');
  await page.done();
});

test('while the reason of a rejection is written, or something is searched, keys approve nothing and lose nothing', async () => {
  const { id, v, path } = await pendingVersion('Written with care');
  const page = await shop.open({ path, token: approver.token });
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: /^Reject/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject' });
  const reason = dialog.getByLabel('Reason');
  await reason.fill('It notes more than');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.insertText(' was agreed');
  assert.equal(await reason.inputValue(), 'It notes more than was agreed');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or do' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual(sent, []);
  assert.equal((await shop.client.ai_tasks.get_version(id, v)).approval, 'pending');
  await page.done();
});

test('whoever lacks a permission of the version, or may not approve at all, is told so', async () => {
  const { path } = await pendingVersion('Not for everybody');
  const lacks = await shop.admin('Lacks One', ['admin_api.ai_tasks.approve', 'admin_api.ai_tasks.read', READ]);
  const page = await shop.open({ path, token: lacks.token });
  await page.getByText('because you may not do this yourself: Change customers.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Approve/ }).isDisabled(), true);
  await page.done();
  const reader = await shop.admin('Only Reads', ['admin_api.ai_tasks.read']);
  const other = await shop.open({ path, token: reader.token });
  await other.getByText('You may not approve versions.').waitFor();
  assert.equal(await other.getByRole('button', { name: /^Reject/ }).count(), 0);
  await other.done();
});

test('a version that is not as it was on the screen is not approved: it is shown anew, with what is new marked', async () => {
  const { id, v, path } = await pendingVersion('Changed meanwhile');
  const page = await shop.open({ token: approver.token });
  // Versions never change in the database; what the first look showed is therefore made here.
  let looks = 0;
  await page.route(`**/admin/api/ai-tasks/${id}/versions/${v}`, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    looks += 1;
    if (looks > 1) return route.fulfill({ response: answer });
    return route.fulfill({
      response: answer,
      json: { ...body, permissions: JSON.stringify([READ]), source_sha256: 'f'.repeat(64), source_code: BEFORE },
    });
  });
  await page.goto(`${shop.url}${path}`);
  await page.getByText('The source is the same.').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('This version is not as it was on your screen.').waitFor();
  await page.getByText('new since you looked').waitFor();
  assert.equal(await page.locator('.source-diff .added').count(), 1);
  assert.equal((await shop.client.ai_tasks.get_version(id, v)).approval, 'pending');
  await shoot(page, 'review-changed');
  await page.keyboard.press('Control+Enter');
  await page.getByText('this is the version that runs').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.done();
});

test('dry runs and replays of a version are its evidence, and are started beside it; a version is revoked', async () => {
  const { id, v, path } = await pendingVersion('With evidence');
  const { run_id } = await author.client.ai_tasks.start_run(id, { record: true });
  const page = await shop.open({ path, token: approver.token });
  await page.getByText('Nobody has tried this version yet.').waitFor();
  await page.getByRole('button', { name: `Replay run ${run_id}` }).click();
  await page.getByText('does something else').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('this is the version that runs').waitFor();
  await page.getByRole('button', { name: 'Dry run', exact: true }).click();
  await page
    .getByRole('form', { name: 'Dry run' })
    .getByRole('button', { name: /^Dry run/ })
    .click();
  await page.getByText('it would make 1 change').waitFor();
  await shoot(page, 'review-evidence');
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('dialog').getByLabel('Comment').fill('Writes too many notes');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Revoked by Second Admin').waitFor();
  await page.getByText('Writes too many notes').waitFor();
  assert.equal((await shop.client.ai_tasks.get_version(id, v)).approval, 'revoked');
  await page.done();
});

test(`axe-core finds nothing on a version to review in light and dark colours, at 2,560 and at 360 pixels`, async () => {
  const { path } = await pendingVersion('Benachrichtigungsversand an Bestandskundschaft');
  for (const width of [2560, 360]) {
    const page = await shop.open({ path, width, token: approver.token });
    await page.getByText('Change customers').waitFor();
    await page.getByRole('region', { name: 'Source' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], String(width));
    await shoot(page, `review-${width}`);
    assert.equal(await isTooWide(page), false, String(width));
    await page.done();
  }
});
