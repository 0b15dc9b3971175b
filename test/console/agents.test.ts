import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { openClient } from '../helpers/agents.ts';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot } from './open-console.ts';

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 20, runner: true });
});
after(() => shop.close());

const Submitted = z.object({ task_id: z.number(), version_id: z.number() });

test('MC2: an agent is connected, works at /mcp, and is refused once it is revoked', async () => {
  const page = await shop.open({ path: '/settings/me' });
  const section = page.locator('.section', { has: page.getByRole('heading', { name: 'Agents', exact: true }) });
  await section.getByText('No agent is connected.').waitFor();
  await section.getByRole('button', { name: 'Connect an agent' }).click();
  const form = page.getByRole('form', { name: 'Connect an agent' });
  await form.getByLabel('Its name').fill('laptop');
  await form.getByLabel('Customers: See').check();
  // Each permission has the name here that it has in a review.
  for (const words of ['Send mails', 'Send requests to other systems', 'Start other tasks']) await form.getByLabel(words).waitFor();
  await shoot(page, 'settings-agent-new');
  assert.deepEqual(await accessibilityFaults(page), []);
  await form.getByRole('button', { name: 'Make its token' }).click();
  const token = await section.locator('code', { hasText: 'pat_' }).first().textContent();
  await section.getByText('claude mcp add').waitFor();
  await shoot(page, 'settings-agent');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    assert.equal(await isTooWide(page), false, `${width}`);
    assert.deepEqual(await accessibilityFaults(page), [], `${width}`);
  }
  const agent = await openClient({ url: shop.url }, token ?? '');
  const { tools } = await agent.client.listTools();
  assert.ok(tools.some(({ name }) => name === 'submit'));
  await section.getByRole('button', { name: 'Revoke laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await section.getByText('No agent is connected.').waitFor();
  await assert.rejects(agent.tool('tasks'));
  await agent.client.close();
  await page.done();
});

test('MC5: the review says that an agent wrote the version and shows what it handed in; a person approves it', async () => {
  const { token } = await shop.client.me.create_agent({
    name: 'laptop',
    permissions: ['admin_api.ai_tasks.write', 'admin_api.orders.read'],
  });
  const agent = await openClient({ url: shop.url }, token ?? '');
  const { task_id, version_id } = await agent.data('submit', Submitted, {
    name: 'Counts orders',
    note: 'Counts them',
    source_code: 'export default async () => (await admin.orders.list({ per_page: 1 })).total;',
    permissions: ['admin_api.orders.read'],
  });
  const page = await shop.open({ path: `/tasks/${task_id}/versions/${version_id}` });
  await page.getByText('An agent wrote this version.').waitFor();
  await page.getByText('agent «laptop»').waitFor();
  await shoot(page, 'review-agent');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved by').waitFor();
  assert.equal((await shop.client.ai_tasks.get_version(task_id, version_id)).approval, 'approved');
  await agent.client.close();
  await page.done();
});

test('the review of what an agent handed in begins with the plan of its dry run', async () => {
  const { token } = await shop.client.me.create_agent({
    name: 'noter',
    permissions: ['admin_api.ai_tasks.write', 'admin_api.customers.read', 'admin_api.customers.write'],
    sees_personal_data: true,
  });
  const agent = await openClient({ url: shop.url }, token ?? '');
  const version = {
    source_code: `export default async () => {
      const { data: customers } = await admin.customers.list({ per_page: 1 });
      for (const { id } of customers) await admin.customers.create_note(id, { body: 'a note' });
    };`,
    permissions: ['admin_api.customers.read', 'admin_api.customers.write'],
  };
  const tried = await agent.data('dry_run', z.object({ id: z.number(), status: z.string(), error_message: z.string().nullable() }), {
    draft: version,
  });
  assert.equal(tried.status, 'success', tried.error_message ?? '');
  const submitted = { name: 'Notes customers', note: 'Notes them', evidence: [tried.id], ...version };
  const { task_id, version_id } = await agent.data('submit', Submitted, submitted);
  const page = await shop.open({ path: `/tasks/${task_id}/versions/${version_id}` });
  const side = page.locator('.review-side');
  await side.locator('details[open]').getByText('a note').waitFor();
  assert.deepEqual((await side.getByRole('heading').allTextContents()).slice(0, 2), ['Evidence', 'May newly']);
  await shoot(page, 'review-agent-plan');
  assert.deepEqual(await accessibilityFaults(page), []);
  await agent.client.close();
  await page.done();
});

test('the review shows each grant in amber, and where a line goes beyond 200 characters', async () => {
  const version = {
    source_code: `export default async () => 'ok';\nconst far = '${'a'.repeat(250)}';\nexport const near = far;`,
    permissions: ['http_request'],
    http_allow: ['https://files.example/'],
  };
  const { task_id, version_id } = await shop.client.ai_tasks.create({ name: 'Sends files', description: '', parameters: [], ...version });
  const page = await shop.open({ path: `/tasks/${task_id}/versions/${version_id}` });
  const grant = page.locator('.reviewed li', { hasText: 'files.example' });
  await grant.waitFor();
  const amber =
    '(() => { document.body.style.backgroundColor = "var(--need-bg)"; return getComputedStyle(document.body).backgroundColor; })()';
  assert.equal(
    await page.evaluate('getComputedStyle(document.querySelector(".reviewed .added.dangerous")).backgroundColor'),
    await page.evaluate(amber),
  );
  const mark = page.locator('mark[title^="from here on the line goes beyond 200 characters"]');
  assert.equal(await mark.textContent(), 'a');
  await page.done();
});
