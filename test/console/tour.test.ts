import { after, before, test } from 'node:test';
import { z } from 'zod';
import { openClient } from '../helpers/agents.ts';
import { type Console, openConsole, shoot } from './open-console.ts';

/** The pictures of the documents, made of the shop that the demo shows. CONTRIBUTING.md says how they are renewed. */

let shop: Console;
before(async () => {
  shop = await openConsole({ orders: 300, runner: true });
});
after(() => shop.close());

test('the review of what an agent has handed in shows the plan of its dry run', async () => {
  const page = await shop.open({ width: 1440, path: await handIn() });
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
