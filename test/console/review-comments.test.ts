import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

const FIRST = `/** Tells of late orders. */
export default async function main() {
  const { data } = await admin.orders.list({ status: 'pending' });
${Array.from({ length: 20 }, (_, n) => `  log('step ${n}');`).join('\n')}
  return { orders: data.length };
}
`;
const NEXT = FIRST.replace("log('step 3');", "log('step three');");
const PEOPLE = ['admin_api.ai_tasks.write', 'admin_api.ai_tasks.approve', 'admin_api.orders.write'] as const;

let shop: Console;
let author: Awaited<ReturnType<Console['admin']>>;
let approver: Awaited<ReturnType<Console['admin']>>;
before(async () => {
  shop = await openConsole({ orders: 20 });
  author = await shop.admin('Eszter Kovács', PEOPLE);
  approver = await shop.admin('Second Admin', PEOPLE);
});
after(() => shop.close());

const declared = { permissions: ['admin_api.orders.read' as const], parameters: [] };

async function pendingVersion(name: string): Promise<{ id: number; first: number; v: number; path: string }> {
  await shop.client.settings.update({ approval_policy: 'author' });
  const { task_id: id, version_id: first } = await author.client.ai_tasks.create({
    name,
    description: '',
    source_code: FIRST,
    ...declared,
  });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const { version_id: v } = await author.client.ai_tasks.create_version(id, { source_code: NEXT, ...declared });
  return { id, first, v, path: `/tasks/${id}/versions/${v}` };
}

const source = (page: OpenPage) => page.getByRole('region', { name: 'Source', exact: true });
const thread = (page: OpenPage, line: number) => page.getByRole('region', { name: `Comments on line ${line}` });

test('the lines of a version have the colours of the editor, and nothing of them is lost', async () => {
  const { path } = await pendingVersion('Coloured');
  const page = await shop.open({ path, token: approver.token });
  await source(page).locator('.token-keyword', { hasText: 'await' }).first().waitFor();
  await source(page).locator('.token-comment', { hasText: 'Tells of late orders' }).waitFor();
  for (const fold of await source(page)
    .getByRole('button', { name: /unchanged line/ })
    .all())
    await fold.click();
  const shown = await source(page).locator('tr:not(.removed) > .line-text').allTextContents();
  assert.equal(shown.join('\n'), NEXT);
  await shoot(page, 'review-coloured');
  await page.done();
});

test('a line is commented on by keyboard; the author answers and resolves; the key that approves sends the comment', async () => {
  const { id, v, path } = await pendingVersion('Talked over');
  const page = await shop.open({ path, token: approver.token });
  await source(page).locator('.line-start', { hasText: /^7$/ }).first().waitFor();
  await source(page).focus();
  await page.keyboard.press('Tab');
  // From the first number that is shown to the changed line.
  const shown = await source(page).locator('.line-start').allTextContents();
  const wanted = shown.indexOf('7');
  for (let step = 0; step < wanted; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByLabel('What is to be said about line 7').waitFor();
  await page.keyboard.insertText('Why in words?');
  await page.keyboard.press('Control+Enter');
  await thread(page, 7).locator('.comment-text').getByText('Why in words?').waitFor();
  await page.getByText('1 open comment', { exact: true }).waitFor();
  assert.equal((await shop.client.ai_tasks.get_version(id, v)).approval, 'pending');
  await shoot(page, 'review-comment');
  await page.done();

  const other = await shop.open({ path, token: author.token });
  await thread(other, 7).getByText('Second Admin').waitFor();
  await thread(other, 7).getByRole('button', { name: 'Answer' }).click();
  await other.getByLabel('Your answer').fill('It reads better');
  await thread(other, 7)
    .getByRole('button', { name: /^Answer/ })
    .click();
  await thread(other, 7).locator('.comment-text').getByText('It reads better').waitFor();
  await thread(other, 7).getByRole('button', { name: 'Resolve' }).click();
  await other.getByRole('button', { name: /Resolved by Eszter Kovács/ }).click();
  await thread(other, 7).locator('.comment-text').getByText('It reads better').waitFor();
  const { data } = await shop.client.ai_tasks.list_comments(id);
  assert.deepEqual(
    data.map(({ line, text, resolved_at }) => [line, text, resolved_at !== null]),
    [
      [7, 'Why in words?', true],
      [7, 'It reads better', false],
    ],
  );
  await other.done();
});

test('what is written about one line is not lost by beginning another; each is sent on its own', async () => {
  const { id, path } = await pendingVersion('Two lines');
  const page = await shop.open({ path, token: approver.token });
  await page.getByRole('button', { name: 'Comment on line 7', exact: true }).click();
  await page.keyboard.type('About seven');
  await page.getByRole('button', { name: 'Comment on line 8', exact: true }).click();
  await page.getByLabel('What is to be said about line 8').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('About eight');
  await page.getByLabel('What is to be said about line 7').focus();
  await page.keyboard.press('Control+Enter');
  await thread(page, 7).locator('.comment-text').getByText('About seven').waitFor();
  assert.equal(await page.getByLabel('What is to be said about line 8').inputValue(), 'About eight');
  // One in which nothing is written makes way for the next.
  await page.getByRole('button', { name: 'Comment on line 9', exact: true }).click();
  await page.getByRole('button', { name: 'Comment on line 6', exact: true }).click();
  await page.getByLabel('What is to be said about line 9').waitFor({ state: 'detached' });
  const { data } = await shop.client.ai_tasks.list_comments(id);
  assert.deepEqual(
    data.map(({ line, text }) => [line, text]),
    [[7, 'About seven']],
  );
  await thread(page, 6).getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('What is to be said about line 6').waitFor({ state: 'detached' });
  await page.done();
});

test('what is open on an earlier version stands where its line still is, in a stretch that would be folded, too', async () => {
  const { id, first, v } = await pendingVersion('Carried on');
  await approver.client.ai_tasks.create_comment(id, first, { line: 20, text: 'Still open' });
  await approver.client.ai_tasks.create_comment(id, first, { line: 7, text: 'Its line is gone' });
  const done = await approver.client.ai_tasks.create_comment(id, first, { line: 3, text: 'Done long ago' });
  await author.client.ai_tasks.update_comment(id, done.id, { resolved: true });
  const { version_id: last } = await author.client.ai_tasks.create_version(id, {
    ...{ source_code: `// One line more\n${NEXT}`, base_version_id: v },
    ...declared,
  });
  const page = await shop.open({ path: `/tasks/${id}/versions/${last}`, token: approver.token });
  await thread(page, 21).getByText('on version 1').waitFor();
  await thread(page, 21).locator('.comment-text').getByText('Still open').waitFor();
  assert.deepEqual([await page.getByText('Its line is gone').count(), await page.getByText('Done long ago').count()], [0, 0]);
  await page.done();
});

test('changes are requested: the version leaves the list of who asked, waits for its author, and can be approved by who has read it', async () => {
  const { id, v, path } = await pendingVersion('Once more');
  const page = await shop.open({ path, token: approver.token });
  const third = await shop.open({ path, token: (await shop.admin('Third Admin', PEOPLE)).token });
  await third.getByRole('button', { name: /^Approve/ }).waitFor();
  await third.route('**/admin/api/changes', (route) => route.abort());
  // The third one's page hears of nothing more.
  await third.route(`**/ai-tasks/${id}/versions/${v}`, (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  await page.getByRole('button', { name: 'Request changes …' }).click();
  await page.getByRole('dialog').getByLabel('What should be different').fill('Please in numbers');
  await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click();
  await page.getByText('Second Admin requested changes:').waitFor();
  await page.getByText('Changes requested by Second Admin').waitFor();
  await shoot(page, 'review-changes-requested');
  await page.goto(`${shop.url}/approvals`);
  await page.getByRole('heading', { name: 'Approvals' }).waitFor();
  assert.ok(!(await approver.client.ai_tasks.list_pending_versions()).some(({ version_id }) => version_id === v));
  await page.done();

  await third.unroute(`**/ai-tasks/${id}/versions/${v}`);
  await third.keyboard.press('Control+Enter');
  await third.getByText('Second Admin requested changes:').waitFor();
  assert.equal((await shop.client.ai_tasks.get_version(id, v)).approval, 'pending');

  const own = await shop.open({ path: '/approvals', token: author.token });
  const row = own.getByRole('listitem').filter({ hasText: 'Once more' });
  await row.getByText('Please in numbers').waitFor();
  await row.getByRole('link', { name: 'Review' }).click();
  await own.getByText('This version waits for you.').waitFor();
  await own.getByRole('link', { name: 'Write the next version' }).click();
  await own.waitForURL(/\/editor$/);
  await own.goto(`${shop.url}/tasks/${id}`);
  await own.getByText('Changes are requested on version 2.').waitFor();
  await own.done();

  await third.getByRole('button', { name: /^Approve/ }).click();
  await third.getByText('this is the version that runs').waitFor();
  await third.done();
});

test('the version that follows a request says what was requested, and shows what is new since', async () => {
  const { id, v } = await pendingVersion('Answered');
  await approver.client.ai_tasks.request_changes(id, v, { comment: 'Please in numbers' });
  const { version_id: next } = await author.client.ai_tasks.create_version(id, {
    ...{ source_code: NEXT.replace('step three', 'step 3!'), base_version_id: v },
    ...declared,
  });
  const page = await shop.open({ path: `/tasks/${id}/versions/${next}`, token: approver.token });
  await page.getByText('Second Admin requested changes on version 2:').waitFor();
  await page.getByText('Please in numbers').waitFor();
  await page.getByRole('button', { name: 'What is new since' }).click();
  const since = page.getByRole('region', { name: 'Source of version 3 against 2' });
  assert.deepEqual(await since.locator('.added .line-text').allInnerTexts(), ["  log('step 3!');"]);
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'review-answered');
  await page.done();
});

test('what a version may do stands in three groups, and what is dangerous and new in amber, with the reason', async () => {
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const permissions = ['admin_api.orders.read', 'admin_api.orders.write', 'admin_api.products.read', 'file_download', 'mail_send'] as const;
  const { task_id, version_id } = await shop.client.ai_tasks.create({
    ...{ name: 'Grouped', description: '', source_code: FIRST, permissions: [...permissions], mail_to: ['customers'] },
    parameters: [],
  });
  const page = await shop.open({ path: `/tasks/${task_id}/versions/${version_id}`, token: approver.token });
  const group = (name: string) => page.locator('.permission-group', { has: page.getByRole('heading', { name, exact: true }) });
  await group('Reads').getByText('See products and stock').waitFor();
  assert.deepEqual(await group('Reads').locator('.dangerous').count(), 1);
  await group('Changes').getByText('Change orders').waitFor();
  await group('Changes').getByText('personal data · money · can delete').waitFor();
  assert.equal(await group('Changes').locator('.added:not(.dangerous)').count(), 1);
  assert.deepEqual(await group('Leaves the house').locator('.permission > span').allTextContents(), [
    'Send mails',
    'Write mails to customers',
  ]);
  await page.done();
});

test('axe-core finds nothing on a version with comments and a request, in both themes, at 2,560 and at 360 pixels', async () => {
  const { id, v, path } = await pendingVersion('Zahlungseingangsüberwachung');
  const { id: comment } = await approver.client.ai_tasks.create_comment(id, v, { line: 7, text: 'A comment' });
  await author.client.ai_tasks.answer_comment(id, comment, { text: 'An answer' });
  await approver.client.ai_tasks.request_changes(id, v, { comment: 'A request' });
  for (const width of [2560, 360]) {
    const page = await shop.open({ path, token: approver.token, width });
    await thread(page, 7).locator('.comment-text').getByText('An answer').waitFor();
    await source(page).locator('.token-keyword').first().waitFor();
    await page.getByRole('button', { name: 'Comment on line 8', exact: true }).click();
    assert.deepEqual(await accessibilityFaults(page), [], String(width));
    await shoot(page, `review-comments-${width}`);
    assert.equal(await isTooWide(page), false, String(width));
    await page.done();
  }
});
