import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { emptyQueue, makeTask } from '../helpers/runs.ts';
import { storeCustomer, storeOrder } from '../helpers/stored-rows/shop.ts';

/** More than one page of the API, so that `each` reads several. */
const MANY = 105;

onBothStores('each: a script reads a list to its end', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());

  async function run(source_code: string, permissions: string[]) {
    await emptyQueue(app());
    const taskId = await makeTask(app(), { source_code, permissions });
    const { run_id } = await app().client.ai_tasks.start_run(taskId, {});
    const ended = await runner.finish(taskId, run_id);
    assert.equal(ended.status, 'success', ended.error_message ?? '');
    return ended.result;
  }
  const countIn = async (status: 'pending' | 'delivered') => (await app().client.orders.list({ status, per_page: 1 })).total;

  test('a loop that changes the filtered field of its rows still gets every row once, in both directions', async () => {
    const walk = async (count: number, from: 'pending' | 'delivered', query: string) => {
      // Many orders have the same created_at, so the list must order them by id.
      for (let i = 0; i < count; i++) await storeOrder(app().store, { created_at: `2026-01-01T00:00:0${i % 7}.000Z`, status: from });
      const source = `
        const seen = [];
        for await (const { id } of admin.orders.each({ status: '${from}', ${query} })) {
          seen.push(id);
          await admin.orders.update_status(id, { status: 'processing' });
        }
        export default () => [seen.length, new Set(seen).size];`;
      assert.deepEqual(await run(source, ['admin_api.orders.write']), [count, count]);
      assert.equal(await countIn(from), 0);
    };
    await walk(MANY, 'pending', "sort: '-created_at'");
    await walk(25, 'delivered', "sort: 'created_at', per_page: 10");
  });

  test('rows that are created and deleted during the loop neither hide nor repeat other rows', async () => {
    for (let i = 0; i < 130; i++) await storeCustomer(app().store, { created_at: '2026-02-02T00:00:00.000Z' });
    const source = `
      const seen = [];
      for await (const { id } of admin.customers.each({ created_from: '2026-02-02', created_to: '2026-02-02', sort: '-created_at' })) {
        seen.push(id);
        if (seen.length % 50 === 0) await admin.customers.create({ name: 'n', email: id + '@new.example.com' });
        if (seen.length % 30 === 0) await admin.customers.delete(id);
      }
      export default () => [seen.length, new Set(seen).size];`;
    assert.deepEqual(await run(source, ['admin_api.customers.write']), [130, 130]);
  });

  test('the example of docs/tasks.md processes all orders, whatever their number', async () => {
    for (let i = 0; i < 25; i++) await makeOrder(app(), { status: 'pending' });
    assert.ok((await countIn('pending')) > 20);
    await run(await example('docs/tasks.md', "import { log } from 'backroom'"), ['admin_api.orders.write']);
    assert.equal(await countIn('pending'), 0);
  });
});

async function example(file: string, begin: string): Promise<string> {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  const [block] = [...text.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, code = '']) => (code.startsWith(begin) ? [code] : []));
  assert.ok(block, `${file} has no example that begins with: ${begin}`);
  return block;
}
