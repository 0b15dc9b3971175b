import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pushExample } from '../../scripts/example-tasks.ts';
import { type Console, openConsole, shoot } from './open-console.ts';

/** The pictures of the documents: after `npm run build:console`, `SCREENS=docs/screens npx node --test test/console/tour.test.ts` renews them. */

let shop: Console;
let taskId = 0;
let planId = 0;
before(async () => {
  shop = await openConsole({ orders: 2000, runner: true });
  taskId = (await pushExample(shop.client, 'cancel-unpaid-orders')).taskId;
  planId = (await shop.client.ai_tasks.start_run(taskId, { dry_run: true, parameters: { days: 7, max: 40 } })).run_id;
  await shop.client.settings.update({ approval_policy: 'second_admin' });
});
after(() => shop.close());

for (const theme of ['light', 'dark'] as const) {
  test(`the pages of the tour in ${theme} colours`, async () => {
    const colleague = await shop.admin(theme === 'light' ? 'Eszter Kovács' : 'Jonas Weber');
    const current = await shop.client.ai_tasks.get(taskId);
    const { version_id: versionId } = await colleague.client.ai_tasks.create_version(taskId, {
      source_code: `${current.current_version?.source_code}\n// Their customers are told by a note, too (${theme}).\n`,
      permissions: ['admin_api.orders.write', 'admin_api.customers.write'],
      parameters: [],
      note: 'For the notes to customers that we talked about',
    });
    const [order] = (await shop.client.orders.list({ status: 'processing', per_page: 1 })).data;
    assert.ok(order);
    const page = await shop.open({ theme, width: 1440 });
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page
      .getByText(/waits for approval/)
      .first()
      .waitFor();
    await shoot(page, `overview-${theme}`);
    const pages = [
      { name: 'orders', path: `/orders?open=${order.id}`, seen: () => page.getByRole('complementary').getByText('Subtotal').first() },
      { name: 'plan', path: `/tasks/${taskId}/runs/${planId}`, seen: () => page.getByRole('button', { name: 'Apply this plan' }) },
      { name: 'review', path: `/tasks/${taskId}/versions/${versionId}`, seen: () => page.getByRole('button', { name: /^Approve/ }) },
      { name: 'runs', path: '/runs', seen: () => page.getByRole('row').nth(1) },
    ];
    for (const { name, path, seen } of pages) {
      await page.goto(`${shop.url}${path}`);
      await seen().waitFor();
      await shoot(page, `${name}-${theme}`);
    }
    await page.done();
  });
}
