import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { emptyQueue, makeTask } from '../helpers/runs.ts';
import { storeCustomer, storeProduct } from '../helpers/stored-rows/shop.ts';
import { storeSubscription } from '../helpers/stored-rows/subscriptions.ts';

/** More than one page, so that what moves can come again or be missed on a later one. */
const MANY = 7;
const AT = '2026-01-01T00:00:00.000Z';

onBothStores('each: loops that change what the list is filtered or sorted by, and loops over changes', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());

  async function run(source_code: string, permissions: string[], dry_run = false) {
    await emptyQueue(app());
    const taskId = await makeTask(app(), { source_code, permissions });
    const { run_id } = await app().client.ai_tasks.start_run(taskId, { dry_run });
    const ended = await runner.finish(taskId, run_id);
    assert.equal(ended.status, 'success', ended.error_message ?? '');
    return ended.result;
  }
  /** The number of rows that a loop gets, and of different rows. */
  const loop = (list: string, query: string, change: string) => `
    const seen = [];
    for await (const row of admin.${list}.each({ per_page: 5, ${query} })) { seen.push(row.id); ${change} }
    export default () => [seen.length, new Set(seen).size];`;

  const sorts = { asc: '', desc: '-' };
  for (const [direction, sign] of Object.entries(sorts)) {
    test(`each row comes once although the loop moves it to another place (${direction})`, async () => {
      const { client, store } = app();
      for (let n = 0; n < MANY; n++) {
        await storeCustomer(store, { name: `Mover ${String(n).padStart(3, '0')}`, created_at: AT, updated_at: AT });
        await storeProduct(store, { name: `Thing ${n}`, created_at: AT, updated_at: AT });
        await storeSubscription(store, { created_at: AT, updated_at: AT });
        await client.inquiries.create({ name: 'Ann', email: 'ann@example.com', subject: `Question ${n}`, body: 'Where?' });
        await makeOrder(app(), { total: 1000 + n });
      }
      const counts = {
        customers: (await client.customers.list({ per_page: 1 })).total,
        products: (await client.products.list({ per_page: 1 })).total,
        subscriptions: (await client.subscriptions.list({ per_page: 1 })).total,
        inquiries: (await client.inquiries.list({ per_page: 1 })).total,
        orders: (await client.orders.list({ per_page: 1 })).total,
      };
      const all = async (list: keyof typeof counts, query: string, change: string) =>
        assert.deepEqual(
          await run(loop(list, query, change), [`admin_api.${list}.write`]),
          [counts[list], counts[list]],
          `${list} ${query}`,
        );
      await all('customers', `sort: '${sign}name'`, "await admin.customers.update(row.id, { name: 'Zz ' + row.name });");
      await all('customers', `sort: '${sign}updated_at'`, "await admin.customers.create_note(row.id, { body: 'moved' });");
      await all('products', `sort: '${sign}updated_at'`, "await admin.products.update(row.id, { description: 'x' + row.description });");
      await all('inquiries', `sort: '${sign}updated_at'`, "await admin.inquiries.update(row.id, { subject: row.subject + '?' });");
      await all('subscriptions', `sort: '${sign}updated_at'`, 'if (row.status === "active") await admin.subscriptions.cancel(row.id);');
      await all(
        'orders',
        `sort: '${sign}total'`,
        'await admin.orders.edit(row.id, { shipping: { cost_cents: 100000 }, warn_acknowledged: true });',
      );
      await all(
        'orders',
        `sort: '${sign}updated_at'`,
        "await admin.orders.update_delivery_date(row.id, { delivery_date: '2026-05-0' + (1 + row.id % 9) });",
      );
      await all('orders', `sort: '${sign}status'`, "await admin.orders.update_status(row.id, { status: 'shipped' });");
    });
  }

  test('each row comes once although the loop takes it out of the filter', async () => {
    const { client, store } = app();
    for (let n = 0; n < MANY; n++) {
      await storeSubscription(store, { created_at: AT });
      await storeProduct(store, { status: 'draft', created_at: AT });
      await client.inquiries.create({ name: 'Ann', email: 'ann@example.com', subject: 'Open', body: 'Where?' });
      await makeCustomer(app(), { name: `Leaver ${n}` });
    }
    const gone = async (list: string, query: string, change: string, count: () => Promise<{ total: number }>) => {
      const { total } = await count();
      assert.ok(total >= MANY);
      assert.deepEqual(await run(loop(list, query, change), [`admin_api.${list}.write`]), [total, total], list);
      assert.equal((await count()).total, 0);
    };
    await gone('subscriptions', "status: 'active'", 'await admin.subscriptions.cancel(row.id);', () =>
      client.subscriptions.list({ status: 'active' }),
    );
    await gone('products', "status: 'draft'", "await admin.products.update(row.id, { status: 'active' });", () =>
      client.products.list({ status: 'draft' }),
    );
    await gone('inquiries', 'answered: false', "await admin.inquiries.answer(row.id, { body: 'Here.' });", () =>
      client.inquiries.list({ answered: false }),
    );
    await gone('customers', "search: 'Leaver'", "await admin.customers.update(row.id, { name: 'Gone' });", () =>
      client.customers.list({ search: 'Leaver' }),
    );
  });

  test('a loop over changes ends although it changes each row, and the next loop has its changes once', async () => {
    const { customers } = app().client;
    const { changes_cursor: start = '' } = await customers.list({ after: 'start' });
    const made = [];
    for (let n = 0; n < MANY; n++) made.push((await makeCustomer(app())).id);
    const source = (after: string) => `
      const seen = [];
      const changed = admin.customers.each({ after: '${after}', per_page: 5 });
      const before = changed.changes_cursor;
      for await (const { id } of changed) { seen.push(id); await admin.customers.create_note(id, { body: 'seen' }); }
      export default () => ({ seen, before, cursor: changed.changes_cursor });`;
    const first = Object(await run(source(start), ['admin_api.customers.write']));
    assert.deepEqual([first.seen, first.before], [made, null]);
    const second = Object(await run(source(first.cursor), ['admin_api.customers.write']));
    assert.deepEqual(second.seen, made);
    const nobody = await customers.list({ after: second.cursor, per_page: 100 });
    assert.deepEqual(
      nobody.data.map(({ id }) => id),
      made,
    );
    assert.deepEqual((await customers.list({ after: nobody.changes_cursor ?? '' })).data, []);
  });

  test('the example of docs/tasks.md sums up what was paid or changed since its last run', async () => {
    const text = await readFile(new URL('../../docs/tasks.md', import.meta.url), 'utf8');
    const [, source_code = ''] = /```ts\n(import \{ admin, state \}.*?)```/s.exec(text) ?? [];
    assert.notEqual(source_code, '');
    const taskId = await makeTask(app(), { source_code, permissions: ['admin_api.orders.read'] });
    const next = async () => {
      await emptyQueue(app());
      const { run_id } = await app().client.ai_tasks.start_run(taskId, {});
      const ended = await runner.finish(taskId, run_id);
      assert.equal(ended.status, 'success', ended.error_message ?? '');
      return Object(ended.result);
    };
    await makeOrder(app(), { payment_status: 'paid', total: 500 });
    const { total } = await app().client.orders.list({ payment_status: 'paid', per_page: 1 });
    assert.equal((await next()).orders, total);
    await makeOrder(app(), { payment_status: 'paid', total: 700 });
    await makeOrder(app(), { total: 900 });
    assert.deepEqual(await next(), { orders: 1, total: 700 });
    assert.deepEqual(await next(), { orders: 0, total: 0 });
  });

  test('a dry run lists its own changes as the run itself would, and ends too', async () => {
    const { customers } = app().client;
    const ids = [];
    for (let n = 0; n < 6; n++) ids.push((await makeCustomer(app())).id);
    const { changes_cursor: start = '' } = await customers.list({ after: 'start' });
    const source = `
      const ids = ${JSON.stringify(ids)};
      let after = '${start}';
      const loops = [];
      const note = (id) => admin.customers.create_note(id, { body: 'again' });
      const walk = async () => {
        const seen = [];
        const changed = admin.customers.each({ after, per_page: 2 });
        for await (const { id } of changed) { seen.push(ids.indexOf(id)); await note(id); }
        after = changed.changes_cursor;
        loops.push(seen);
      };
      for (const n of [4, 0, 2]) await note(ids[n]);
      await walk();
      await note(ids[5]);
      await walk();
      after = '${start}';
      await walk();
      export default () => loops;`;
    const expected = [
      [4, 0, 2],
      [4, 0, 2, 5],
      [4, 0, 2, 5],
    ];
    assert.deepEqual(await run(source, ['admin_api.customers.write'], true), expected);
    assert.deepEqual((await customers.list({ after: start })).data, []);
    assert.deepEqual(await run(source, ['admin_api.customers.write']), expected);
  });
});
