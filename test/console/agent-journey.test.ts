import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { Replay } from '../../contract/replays.ts';
import { CheckedDraft } from '../../contract/task-drafts.ts';
import { openClient } from '../helpers/agents.ts';
import { ended } from '../helpers/machines.ts';
import type { OpenPage } from './browser.ts';
import { accessibilityFaults, type Console, openConsole, shoot } from './open-console.ts';

/** A scripted agent with nothing but `/mcp`, and a second admin with nothing but the browser, from a wish to a run that goes well. */

const TASK = 'Advent tea';
const PRODUCTS = 'admin_api.products.write' as const;
const PERMISSIONS = [PRODUCTS];
/** Creates what may be there already: it fails where somebody was quicker. */
const HASTY = `export default async function main() {
  const { total } = await admin.products.list({ search: 'Advent tea' });
  log('found ' + total);
  const { id } = await admin.products.create({ name: 'Advent tea', slug: 'advent-tea' });
  return { made: id };
}
`;
const MENDED = `export default async function main() {
  const { total } = await admin.products.list({ search: 'Advent tea' });
  log('found ' + total);
  try {
    const { id } = await admin.products.create({ name: 'Advent tea', slug: 'advent-tea' });
    return { made: id };
  } catch (error) {
    if (!(error instanceof AdminApiError) || error.errors.length === 0) throw error;
    return { made: null };
  }
}
`;

const Submitted = z.object({ task_id: z.number().optional(), version_id: z.number(), approval: z.string() });
const Tried = z.object({ id: z.number(), status: z.string(), plan: z.object({ by_kind: z.record(z.string(), z.number()) }) });
const RunTold = z.object({ status: z.string(), error_message: z.string().nullable(), result: z.unknown(), log: z.string() });
const Found = z.object({ operations: z.array(z.object({ operation: z.string() }).loose()) });

let shop: Console;
let agent: Awaited<ReturnType<typeof openClient>>;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
  await shop.client.settings.update({ approval_policy: 'second_admin' });
  const author = await shop.admin('Eszter Kovács');
  const { token } = await author.client.me.create_agent({ name: 'laptop', permissions: [PRODUCTS, 'admin_api.ai_tasks.write'] });
  agent = await openClient({ url: shop.url }, token ?? '');
});
after(async () => {
  await agent.client.close();
  await shop.close();
});

test('MC3, MC5: an agent goes from a wish to a version, another admin approves it, it fails, and the agent mends it on the recorded run', async () => {
  const page = await shop.open({ path: '/', token: (await shop.admin('Jonas Weber')).token, width: 1440 });
  const made = await fromWishToVersion();
  await approve(page, { version: 1, plan: 'Advent tea' });
  assert.deepEqual(await teas(), [], 'what was proposed and approved has changed something before it ran');

  // A colleague is quicker than the task.
  await shop.client.products.create({ name: 'Advent tea of a colleague', slug: 'advent-tea' });
  const failed = await start(page, made.taskId);
  await ended(shop.client, made.taskId, failed);
  await page.getByText('Failed').first().waitFor();
  const told = await agent.data('run', RunTold, { task_id: made.taskId, run_id: failed });
  assert.equal(told.status, 'failed');
  assert.match(told.error_message ?? '', /slug/);

  await mend(made, failed);
  await approve(page, { version: 2, plan: null });
  const again = await start(page, made.taskId);
  await ended(shop.client, made.taskId, again);
  await page.getByText('Success').first().waitFor();
  const { status, result } = await agent.data('run', RunTold, { task_id: made.taskId, run_id: again });
  assert.deepEqual([status, result], ['success', { made: null }]);
  assert.deepEqual(await teas(), ['Advent tea of a colleague']);
  await page.done();
});

const teas = async () => (await shop.client.products.list({ search: 'Advent tea' })).data.map(({ name }) => name);

/** What the agent does with a wish: it looks for the operation, reads, checks, tries, and hands in. */
async function fromWishToVersion(): Promise<{ taskId: number; versionId: number }> {
  const { operations } = await agent.data('search_api', Found, { query: 'create product' });
  assert.ok(
    operations.some(({ operation }) => operation === 'products.create'),
    JSON.stringify(operations),
  );
  const { result } = await agent.data('read', RunTold.pick({ result: true }), {
    source_code: "export default async () => (await admin.products.list({ search: 'Advent tea' })).total;",
  });
  assert.equal(result, 0);
  const lacking = await agent.data('check', CheckedDraft, { source_code: HASTY, permissions: [] });
  assert.deepEqual(lacking.permissions_missing, PERMISSIONS);
  const checked = await agent.data('check', CheckedDraft, { source_code: HASTY, permissions: PERMISSIONS });
  assert.deepEqual([checked.type_faults, checked.permissions_missing, checked.permissions_unused], [[], [], []]);
  const tried = await agent.data('dry_run', Tried, { draft: { source_code: HASTY, permissions: PERMISSIONS } });
  assert.deepEqual([tried.status, tried.plan.by_kind], ['success', { product: 1 }]);
  const { task_id, version_id, approval } = await agent.data('submit', Submitted, {
    name: TASK,
    note: 'Makes the tea of the season',
    source_code: HASTY,
    permissions: PERMISSIONS,
    evidence: [tried.id],
  });
  assert.ok(task_id !== undefined && approval === 'pending');
  return { taskId: task_id, versionId: version_id };
}

/** The agent judges a changed draft on the run that failed, tries it, and hands it in. */
async function mend({ taskId, versionId }: { taskId: number; versionId: number }, failed: number): Promise<void> {
  const draft = { source_code: MENDED, permissions: PERMISSIONS };
  const replayed = await agent.data('replay', z.object({ report: Replay }), { task_id: taskId, run_id: failed, draft });
  const { ended, recorded, replayed: now, calls } = replayed.report;
  assert.deepEqual([ended, recorded.status, now.status], ['completed', 'failed', 'success']);
  assert.deepEqual([calls.added, calls.missing, calls.changed, now.result], [0, 0, 0, { made: null }]);
  const tried = await agent.data('dry_run', Tried, { task_id: taskId, draft });
  assert.deepEqual([tried.status, tried.plan.by_kind], ['success', {}]);
  const note = 'Leaves a tea alone that is there already';
  const fix = { task_id: taskId, base_version_id: versionId, note, ...draft, evidence: [tried.id] };
  assert.equal((await agent.data('submit', Submitted, fix)).approval, 'pending');
}

/** The second admin finds the version where everything waits, sees who wrote it and what it would change, and approves it. */
async function approve(page: OpenPage, { version, plan }: { version: number; plan: string | null }): Promise<void> {
  await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
  const need = page.getByRole('listitem').filter({ hasText: TASK }).filter({ hasText: 'waits for approval' });
  await need.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('heading', { name: `${TASK} · version ${version}` }).waitFor();
  await page.getByText('An agent wrote this version.').waitFor();
  await page.getByText(/By Eszter Kovács's agent «laptop»/).waitFor();
  const side = page.locator('.review-side');
  const handedIn = side.getByRole('listitem').filter({ hasText: 'Handed in: dry run' });
  await handedIn.getByText(plan === null ? 'it would have changed nothing' : '1 change: 1 product').waitFor();
  if (plan !== null) {
    await handedIn.locator('details[open]').getByText(plan).first().waitFor();
    assert.doesNotMatch((await handedIn.textContent()) ?? '', /nothing/, 'fields that stay empty are told');
  }
  await side.getByText('Change products').waitFor();
  await page.getByRole('region', { name: 'Source' }).getByText('products.create').first().waitFor();
  await shoot(page, `agent-journey-${version}`);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('Approved by Jonas Weber').waitFor();
}

/** Starts a run that is recorded, from the page of the task; returns its id once its page is open. */
async function start(page: OpenPage, taskId: number): Promise<number> {
  await page.goto(`${shop.url}/tasks/${taskId}`);
  await page.getByLabel('Record it, so that it can be replayed').check();
  await page.getByRole('button', { name: /^Start/ }).click();
  await page.waitForURL(/\/runs\/\d+/);
  return Number(page.url().split('/').at(-1));
}
