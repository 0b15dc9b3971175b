import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFaults, type Console, isTooWide, openConsole, shoot, widths } from './open-console.ts';

let shop: Console;
let taskId: number;
before(async () => {
  shop = await openConsole({ orders: 900, runner: true });
  const { task_id } = await shop.client.ai_tasks.create({
    name: 'Set the status of orders',
    description: '',
    source_code: 'for (const id of parameters.orders) await admin.orders.update_status(id, { status: parameters.status });',
    permissions: ['admin_api.orders.write'],
    parameters: [
      { name: 'orders', kind: 'order_ids', label: 'Orders', required: true },
      { name: 'status', kind: 'string', label: 'Status', options: ['processing', 'cancelled'], default: 'processing' },
    ],
  });
  taskId = task_id;
});
after(() => shop.close());

async function pendingOrders(count: number): Promise<number[]> {
  const { data } = await shop.client.orders.list({ status: 'pending', per_page: 50 });
  assert.ok(data.length >= count);
  return data.slice(0, count).map(({ id }) => id);
}

async function dryRun(orders: number[]): Promise<{ runId: number; path: string }> {
  const { run_id: runId } = await shop.client.ai_tasks.start_run(taskId, { parameters: { orders }, dry_run: true });
  return { runId, path: `/tasks/${taskId}/runs/${runId}` };
}

test('a dry run shows its plan, equal changes as one row, and by its key the plan is carried out', async () => {
  const orders = await pendingOrders(3);
  const { runId, path } = await dryRun(orders);
  const page = await shop.open({ path });
  await page.getByText('3 writes to 3 orders, each checked as if it were real.').waitFor();
  await page.getByRole('listitem').filter({ hasText: '3 orders' }).getByText('status pending → processing').waitFor();
  const plan = page.getByRole('table', { name: 'Plan' });
  await plan.getByRole('row').nth(3).waitFor();
  assert.equal(await plan.getByRole('row').count(), 4);
  assert.equal(await plan.getByRole('link', { name: `order ${orders[0]}` }).getAttribute('href'), `/orders?open=${orders[0]}`);
  assert.equal((await shop.client.orders.get(orders[0] ?? 0)).status, 'pending');
  for (const width of widths) {
    const other = await shop.open({ path, width });
    await other.getByRole('table', { name: 'Plan' }).waitFor();
    await other.getByRole('button', { name: 'Apply this plan' }).waitFor();
    assert.deepEqual(await accessibilityFaults(other), []);
    assert.equal(await isTooWide(other), false, `nothing stands out at ${width}`);
    await shoot(other, `run-plan-${width}`);
    await other.done();
  }
  await page.keyboard.press('Control+Enter');
  await page.getByRole('table', { name: 'Effects' }).getByRole('row').nth(3).waitFor();
  for (const id of orders) assert.equal((await shop.client.orders.get(id)).status, 'processing');
  const applied = (await shop.client.ai_tasks.list_runs(taskId))[0]?.id;
  assert.ok(page.url().includes(`/runs/${applied}?`), page.url());
  await page.goto(`${shop.url}/tasks/${taskId}/runs/${runId}`);
  await page.getByText('The plan was applied.').waitFor();
  await page.getByRole('link', { name: `Show run ${applied}` }).waitFor();
  await page.done();
});

test('a plan that is out of date writes nothing, shows the first difference, and is made anew', async () => {
  const orders = await pendingOrders(2);
  const { path } = await dryRun(orders);
  const page = await shop.open({ path });
  const apply = page.getByRole('button', { name: 'Apply this plan' });
  await page.getByText('2 writes to 2 orders').waitFor();
  await shop.client.orders.update_status(orders[1] ?? 0, { status: 'shipped' });
  await apply.click();
  const refused = page.getByRole('alert');
  await refused.getByText('The shop has changed since this dry run. Nothing was written.').waitFor();
  await refused.getByText(`PATCH /orders/${orders[1]}/status`).waitFor();
  await refused.getByText('status pending → shipped').waitFor();
  assert.equal((await shop.client.orders.get(orders[0] ?? 0)).status, 'pending');
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'run-plan-outdated');
  await refused.getByRole('button', { name: 'Dry run again' }).click();
  const form = page.getByRole('form', { name: 'Run Set the status of orders' });
  await form.getByRole('button', { name: `Remove ${orders[1]}` }).click();
  await form.getByRole('button', { name: /^Dry run/ }).click();
  await page.getByText('1 write to 1 order, each checked').waitFor();
  await page.done();
});

test('a plan that somebody else has applied meanwhile is not applied twice, and says so', async () => {
  const orders = await pendingOrders(1);
  const { runId, path } = await dryRun(orders);
  const page = await shop.open({ path });
  await page.getByText('1 write to 1 order').waitFor();
  // The page does not learn of it before the click.
  const gate = Promise.withResolvers<void>();
  await page.route(`**/runs/${runId}`, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const { run_id: applied } = await shop.client.ai_tasks.apply_run(taskId, runId);
  await page.getByRole('button', { name: 'Apply this plan' }).click();
  await page.getByText(`The plan of dry run ${runId} was carried out by run ${applied}.`).waitFor();
  gate.resolve();
  await page.getByText('The plan was applied.').waitFor();
  assert.equal((await shop.client.ai_tasks.list_runs(taskId))[0]?.id, applied);
  await page.done();
});

test('who may not change tasks sees the plan and no way to apply it', async () => {
  const { token } = await shop.admin('Reader', ['admin_api.ai_tasks.read', 'admin_api.orders.read']);
  const { path } = await dryRun(await pendingOrders(1));
  const page = await shop.open({ path, token });
  await page.getByText('1 write to 1 order').waitFor();
  assert.equal(await page.getByRole('button', { name: /Apply|Run again|Cancel/ }).count(), 0);
  await page.done();
});

test('a plan names the requests that would leave the house, with their bodies and signatures; so does the review; calls and log name them', async () => {
  await shop.client.task_secrets.create({ name: 'hook', value: 'v4lue-of-the-hook', hosts: ['hooks.example.com'] });
  const source = `const sample = { status: 201 };
    const sign = { scheme: 'hmac-sha256', secret: 'hook' };
    await http.request({ url: 'https://hooks.example.com/who?x=1', sample });
    await http.request({ method: 'POST', url: 'https://hooks.example.com/' + secret('hook'), body: { order: 7 }, sign, sample });`;
  const { task_id: id, version_id } = await shop.client.ai_tasks.create({
    name: 'Tells others',
    description: '',
    source_code: source,
    permissions: ['http_request'],
    parameters: [],
    http_allow: ['GET,POST https://hooks.example.com/*'],
    secrets: ['hook'],
  });
  const { run_id: runId } = await shop.client.ai_tasks.start_run(id, { dry_run: true });
  const page = await shop.open({ path: `/tasks/${id}/runs/${runId}` });
  const row = page.getByRole('table', { name: 'Plan' }).getByRole('row').filter({ hasText: 'request to another system' });
  await row.getByText('POST https://hooks.example.com/{{secret:hook}}').waitFor();
  await row.getByText('{"order":7}').waitFor();
  await row.getByText('hmac-sha256 with {{secret:hook}}').waitFor();
  await page.goto(`${shop.url}/tasks/${id}/runs/${runId}?tab=calls`);
  const calls = page.getByRole('table', { name: 'Calls' });
  await calls.getByText('POST /http/fetch → GET https://hooks.example.com/who 201').waitFor();
  await calls.getByText('POST /http/send → POST https://hooks.example.com/{{secret:hook}} 201').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.goto(`${shop.url}/tasks/${id}/runs/${runId}?tab=log`);
  await page.getByText('POST /http/fetch 200 → GET https://hooks.example.com/who 201').waitFor();
  await page.goto(`${shop.url}/tasks/${id}/versions/${version_id}`);
  await page.getByText('What it would do').click();
  await page.getByText('POST https://hooks.example.com/{{secret:hook}}').waitFor();
  await page.getByText('{"order":7}').waitFor();
  await page.getByText('hmac-sha256 with {{secret:hook}}').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await shoot(page, 'review-plan');
  await page.done();
});
