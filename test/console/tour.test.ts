import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { connectShop } from '../../cli/remote-shop.ts';
import { leaveWaiting } from '../../ops/demo-waiting.ts';
import { pushExample } from '../../ops/example-tasks.ts';
import { openClient } from '../helpers/agents.ts';
import { TOKEN } from './browser.ts';
import { type Console, openConsole, shoot } from './open-console.ts';

/** The pictures of the documents, made of the shop that the demo shows. CONTRIBUTING.md says how they are renewed. */

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 2000, runner: true });
});
after(() => shop.close());

test('the pages of the tour show a shop in which something waits for a person', async () => {
  const { client } = shop;
  const { taskId: report } = await pushExample(client, 'low-stock-report');
  const { taskId: credit } = await pushExample(client, 'win-back-credit');
  await client.ai_tasks.start_run(report, {});
  await leaveWaiting(connectShop(shop.url, TOKEN), shop.url, credit);
  const page = await shop.open({ width: 1440 });
  for (const waits of ['Which gift', 'waits for approval', 'was interrupted', 'can be applied'])
    await page.getByRole('listitem').filter({ hasText: waits }).waitFor();
  await shoot(page, 'overview');
  const [version] = await client.ai_tasks.list_pending_versions({});
  const [asking] = await client.ai_tasks.list_open_prompts({});
  const [plan] = (await client.ai_tasks.list_all_runs({ dry_run: true })).data;
  const [order] = (await client.orders.list({ status: 'processing', per_page: 1 })).data;
  assert.ok(version && asking && plan && order);
  const task = `/tasks/${version.task_id}`;
  const pages = [
    { name: 'orders', path: `/orders?open=${order.id}`, seen: page.getByRole('complementary').getByText('Subtotal').first() },
    { name: 'plan', path: `/tasks/${plan.task_id}/runs/${plan.id}`, seen: page.getByRole('button', { name: /^Apply this plan/ }) },
    { name: 'review', path: `${task}/versions/${version.version_id}`, seen: page.getByRole('button', { name: /^Approve/ }) },
    { name: 'question', path: `/tasks/${asking.task_id}/runs/${asking.run_id}`, seen: page.getByLabel(/^How many customers/) },
    { name: 'editor', path: `${task}/editor`, seen: page.locator('.cm-content') },
    { name: 'runs', path: '/runs', seen: page.getByRole('row').nth(1) },
  ];
  for (const { name, path, seen } of pages) {
    await page.goto(`${shop.url}${path}`);
    await seen.waitFor();
    await shoot(page, name);
  }
  await page.goto(`${shop.url}${await handIn()}`);
  await page.locator('.review-side details[open] .change').first().waitFor();
  await shoot(page, 'agent');
  await page.done();
});

/** An agent tries a task and hands it in; returns the path of its review. */
async function handIn(): Promise<string> {
  const permissions = ['admin_api.orders.write', 'admin_api.customers.write'] as const;
  const { client } = await shop.admin('Jonas Weber');
  const { token } = await client.me.create_agent({ name: 'laptop', permissions: [...permissions, 'admin_api.ai_tasks.write'] });
  const agent = await openClient({ url: shop.url }, token ?? '');
  const version = {
    source_code: `/** Begins orders that wait, and notes it with their customers. */
export default async function main() {
  const { data } = await admin.orders.list({ status: 'pending', sort: 'created_at', per_page: 20 });
  for (const { id, public_id, customer_id } of data) {
    await admin.orders.update_status(id, { status: 'processing' });
    if (customer_id !== null) await admin.customers.create_note(customer_id, { body: 'We have begun your order' });
    log('begun ' + public_id);
  }
  return { begun: data.length };
}
`,
    permissions: [...permissions],
  };
  const tried = await agent.data('dry_run', z.object({ id: z.number(), status: z.literal('success') }), {
    draft: version,
    max_bytes: 65_536,
  });
  const submitted = await agent.data('submit', z.object({ task_id: z.number(), version_id: z.number() }), {
    name: 'Begin orders that wait',
    note: 'Takes the twenty oldest orders that wait. Orders on test are taken, too; tell me if they should not be.',
    evidence: [tried.id],
    ...version,
  });
  await agent.client.close();
  return `/tasks/${submitted.task_id}/versions/${submitted.version_id}`;
}
